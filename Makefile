# On a fresh machine with Python 3.11 or later and make, each of these sets up what it needs.
# PYTHON=python3.12 make … takes another interpreter than python3.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint venv lock

demo: venv
	PATH="$(CURDIR)/$(BIN):$$PATH" examples/release_notes/run

test: lint
	$(BIN)/pytest -n 2

lint: venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

venv: $(READY)

# Everything comes from the lock, with its hash; the project itself needs nothing further to be built.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("wfc needs Python 3.11 or later: PYTHON=… make")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $(READY)

lock: venv
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock
