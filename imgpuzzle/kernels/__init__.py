"""Inner loops, most of them of searches: C files, and modules that call the library.

Each ``.c`` file has its Python module, which declares the types of the parameters and
passes on the lengths of arrays; what a kernel does is explained in the C file. In
tests/kernels_in_python they stand once more in plain Python, as a check. New
kernels need ``pip install -e .`` to be compiled.
"""
