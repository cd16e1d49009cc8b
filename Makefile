.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
EXTRAS := dev,feishu,charts,speed
# Labelled rows for `make eval`: the project's own, and sets of others where they lie beside the checkout.
CORPUS ?= tests/evaluation $(wildcard ../shared/corpus/*.jsonl)

.PHONY: help install lock demo test lint format controlplane helm test-cluster test-deep bench bench-diagnosis bench-alerts eval train clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(STAMP) ## make .venv with exactly the versions of constraints.txt (only when they changed)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[$(EXTRAS)]'
	@touch $@

lock: ## resolve all dependencies anew and write constraints.txt
	@set -euo pipefail; fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	$(PYTHON) -m venv "$$fresh"; \
	"$$fresh/bin/python" -m pip install --quiet -e '.[$(EXTRAS),train]'; \
	"$$fresh/bin/python" -m pip freeze --exclude chatops-bot | LC_ALL=C sort --ignore-case > constraints.txt
	@wc -l < constraints.txt | sed 's/$$/ versions in constraints.txt/'

demo: $(STAMP) ## play an incident in the console, with a sandbox cluster
	$(BIN)/chatops-bot demo

test: $(STAMP) ## lint and all quick tests, both whatever the other says; ends with what was skipped and why
	@failed=0; \
	$(MAKE) --no-print-directory lint || failed=1; \
	$(BIN)/pytest -rs || failed=1; \
	exit $$failed

lint: $(STAMP) ## ruff, mypy and the import rules; all of them, even when the first complains
	@failed=0; \
	for check in "ruff check ." "ruff format --check ." "mypy" "lint-imports --no-logo" "chatops-bot lint-runbooks"; do \
		echo "$(BIN)/$$check"; $(BIN)/$$check || failed=1; \
	done; \
	exit $$failed

format: $(STAMP) ## rewrite the sources in the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

controlplane: ## build a Kubernetes control plane for the tests, once, into the cache of this user
	$(PYTHON) -m tests.cluster.binaries

helm: $(STAMP) ## fetch both majors of Helm for the tests of the chart, once, into the cache of this user
	$(BIN)/python -m tests.chart.fetch_helm

# Two halves side by side, each on a control plane of its own.
test-cluster: $(STAMP) controlplane helm ## the tests on a real Kubernetes control plane
	@failed=0; mkdir -p build; export CHATOPS_REQUIRE_ALL=1; \
	$(BIN)/pytest -rs -m "controlplane and not deep" tests/cluster > build/test-cluster.log 2>&1 & half=$$!; \
	$(BIN)/pytest -rs -m "controlplane and not deep" tests --ignore tests/cluster || failed=1; \
	wait $$half || failed=1; cat build/test-cluster.log; \
	exit $$failed

test-deep: $(STAMP) ## the long tests: torture, topologies of Redis, a real control plane
	$(BIN)/pytest -rs -m deep --timeout 1800

bench: $(STAMP) ## measure throughput and latency of the pipeline; write build/bench.json
	$(BIN)/python -m tests.bench

bench-diagnosis: $(STAMP) ## measure a diagnosis among 5,000 pods beside kubectl, on a real control plane
	$(BIN)/python -m tests.bench.diagnosis

bench-alerts: $(STAMP) ## measure, in 12 minutes, how soon an alert is a card, and a flood of alerts
	$(BIN)/python -m tests.bench.alerts

eval: $(STAMP) ## measure how well the bot understands
	$(BIN)/chatops-bot eval --no-model $(CORPUS)

train: $(STAMP) ## learn the weights of the rules anew, after labelled rows or rules have changed (minutes)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[train]'
	$(BIN)/python -m tests.evaluation.training

clean: ## remove the environment and everything generated
	rm -rf $(VENV) build dist .coverage htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info
	find chatops_bot tests -type d -name __pycache__ -prune -exec rm -rf {} +
