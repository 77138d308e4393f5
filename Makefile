.DEFAULT_GOAL := help
VENV ?= .venv
BIN := $(VENV)/bin
# The first Python that is there and new enough (3.11 and 3.12 come with a bundled Redis); PYTHON=… overrides.
PYTHON ?= $(shell for python in python3.12 python3.11 python3.13 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
export OMP_WAIT_POLICY ?= passive

.PHONY: help
help:  ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/installed: pyproject.toml requirements.lock
	@test -n "$(PYTHON)" || { echo "Loci needs Python 3.11 or newer: install it, or say PYTHON=/path/to/python3.11."; exit 1; }
	@echo "Installing into $(VENV) (a minute or two, once)…"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[dev]'
	@touch $@

.PHONY: install
install: $(VENV)/installed  ## Make the virtual environment

.PHONY: run
run: $(VENV)/installed  ## Start everything and chat in the terminal
	@$(BIN)/loci chat

.PHONY: dev
dev: $(VENV)/installed  ## Run the LangGraph dev server in the foreground
	@$(BIN)/loci dev

.PHONY: test
test: $(VENV)/installed-dev  ## Run all tests, on real Redis, PostgreSQL and Qdrant
	$(BIN)/python -m pytest -n 2 --dist loadfile

.PHONY: bench-gate
bench-gate: $(VENV)/installed-dev  ## Measure the write gate (a few minutes; ARGS="--help" says what can be chosen)
	$(BIN)/python -m tests.bench.gate $(ARGS)

.PHONY: bench-time
bench-time: $(VENV)/installed-dev  ## Measure the rules for time expressions (seconds; ARGS="--peers" asks ready-made parsers too)
	$(BIN)/python -m tests.bench.time $(ARGS)

.PHONY: bench-recall
bench-recall: $(VENV)/installed-dev  ## Measure recall (minutes, the first time more; ARGS="--help" says what can be chosen)
	$(BIN)/python -m tests.bench.recall $(ARGS)

.PHONY: bench-scale
bench-scale: $(VENV)/installed-dev  ## Measure how long recall takes among 10,000 memories (a few minutes)
	$(BIN)/python -m tests.bench.recall.scale $(ARGS)

.PHONY: bench-peers
bench-peers: $(VENV)/installed-dev  ## Run other memory libraries over the sets of recall (long)
	$(BIN)/python -m tests.bench.recall --export .loci/bench/peers
	$(BIN)/python -m tests.bench.recall.peers --stores .loci/bench/peers/stores.jsonl --out .loci/bench/peers/rankings $(ARGS)

.PHONY: plots
plots: $(VENV)/installed-dev  ## Draw the plots of the documentation from what the benches measured last
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[plots]'
	$(BIN)/python -m tests.bench.plots

.PHONY: check
check: $(VENV)/installed-dev  ## Lint, types, import rules, langgraph.json
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/langgraph validate

.PHONY: format
format: $(VENV)/installed-dev  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: drawing
drawing: $(VENV)/installed  ## Draw the graph into both READMEs
	$(BIN)/python -m graph.drawing README.md README.zh-CN.md

.PHONY: snapshots
snapshots: $(VENV)/installed-dev  ## Accept what drawings, schemas and prompts look like now
	$(BIN)/python -m pytest --snapshot-update tests/unit

.PHONY: lock
lock: $(VENV)/installed-dev  ## Pin every dependency anew
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --extra plots \
		--no-emit-index-url --no-annotate --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml
