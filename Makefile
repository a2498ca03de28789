# `make demo` and `make test` need Python >= 3.11 and make; everything else is set up on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench cluster cluster-down fixtures docs clean
.DEFAULT_GOAL := demo

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "whypending needs Python 3.11 or newer (PYTHON=…)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@touch $@

demo: $(READY)  ## the main job on a packaged capture of a real cluster
	@$(BIN)/whypending demo

test: $(READY)  ## every test; the real control plane and node are built on first use
	@$(BIN)/python -m tests.cluster build
	@$(BIN)/python -m pytest

lint: $(READY)  ## style, types and the direction of the data
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo 2>/dev/null || $(BIN)/lint-imports

bench: $(READY)  ## wall time and peak memory, as ratios against kubectl and a plain JSON reader in the same run
	@$(BIN)/python -m tests.bench

cluster: $(READY)  ## leave a real control plane and node running, with a few stuck Pods to try
	@$(BIN)/python -m tests.cluster up

cluster-down: $(READY)
	@$(BIN)/python -m tests.cluster down

fixtures: $(READY)  ## capture the fixtures again from the real cluster
	@$(BIN)/python -m tests.capture

docs: $(READY)  ## README's generated parts: the table of causes, the screenshot, the rights
	@$(BIN)/python -m tests.readme --write

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
