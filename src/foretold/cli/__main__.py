"""``python -m foretold.cli``"""

from foretold.cli import main

if __name__ == "__main__":
    main()
