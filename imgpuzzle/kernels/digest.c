/* From which sources the library was compiled: DIGEST is given by hatch_build.py. */
#include "kernels.h"

EXPORT const char digest[] = DIGEST;
