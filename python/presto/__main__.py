"""`python -m presto` is the program `presto` of this package."""

import os
import sys

from presto import program

if __name__ == "__main__":
    os.execv(program.path(), ["presto", *sys.argv[1:]])
