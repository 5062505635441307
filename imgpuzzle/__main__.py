"""``python -m imgpuzzle`` is the command ``imgpuzzle``."""

from imgpuzzle.cli import main

if __name__ == "__main__":
    main()
