# make play: a game in the terminal.  make test: every check.  Both do all set-up first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: play test lint types tests bench clean

play: $(READY)
	@$(BIN)/foretold play

test: lint types tests

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

tests: $(READY)
	$(BIN)/pytest -n auto

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,bench]'
	$(BIN)/python benchmarks/run.py

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Foretold needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": run make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
