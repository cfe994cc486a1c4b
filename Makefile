# `make check` and `make test` need only python3 (3.11 or newer) and make; both set up .venv once.

PYTHON  ?= python3
WORKERS ?= 2

VENV      := .venv
BIN       := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DOCS_INSTALLED := $(VENV)/.docs-installed
JUDGE_INSTALLED := $(VENV)/.judge-live-installed
DATABASE  := dev_databases/card_games/card_games.sqlite

.PHONY: help check test test-long test-ray test-versions test-server-fuzz judge-live setup check-style style lint types pytest docs pages verify-rules fuzz soundness soundness-short differential-postgres differential-duckdb soundness-postgres soundness-duckdb verdicts clean
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

help:
	@echo "make check        set up, build the example database, compare the two example queries"
	@echo "make test         set up, then lint, types and tests"
	@echo "make test-long    the sweeps of which make test keeps a share"
	@echo "make check-style  lint and types alone"
	@echo "make test-ray     install Ray, and run the tests of --engine ray, which are skipped without it"
	@echo "make test-versions  the verdicts on a share of the pairs with other versions of Python and of libraries (an hour, once; CELLS='sqlglot-26.0.0')"
	@echo "make test-server-fuzz  install schemathesis, and let it attack the service (minutes; EXAMPLES=100)"
	@echo "make judge-live  build a server for a small model, and ask it as judge over HTTP (some minutes, once)"
	@echo "make docs         build the site of the documentation in build/site, warnings as errors"
	@echo "make pages        write the generated pages of docs/ anew"
	@echo "make verify-rules  prove every rule by the algebra alone, and write that down (minutes; RULE=NAME: one)"
	@echo "make fuzz         longer random attacks on rules and proofs (FUZZ_TIMES=40 times as many, from a new seed)"
	@echo "make soundness    attack every proof on the published pairs, on mutants and near misses (hours; resumes)"
	@echo "make soundness-short  the same on the project's own pairs and fewer near misses (minutes)"
	@echo "make differential-postgres  PostgreSQL against its core translations, on published queries (hours; resumes)"
	@echo "make differential-duckdb    DuckDB against its core translations, on published queries (an hour; resumes)"
	@echo "make soundness-postgres  attack every proof of near misses in PostgreSQL's words on PostgreSQL (hours; resumes)"
	@echo "make soundness-duckdb    the same in DuckDB's words on DuckDB (hours; resumes)"
	@echo "make verdicts     the verdicts of this commit into OUT, on the golden cases and published pairs (hours; resumes; EVERY=10: a tenth)"
	@echo "make style        format, and fix what ruff can fix"
	@echo "make clean        remove the environment, the caches and the built database"

check: setup
	@$(BIN)/equiv check examples/pred.sql examples/gold.sql --db card_games

# Types take one processor for a while, so the tests begin beside them.
test: setup
	@$(MAKE) --no-print-directory -j2 check-style pytest

setup: $(INSTALLED) $(DATABASE)
	@$(BIN)/python -m compileall -q equiv rules judge

check-style: lint types

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo --no-cache

types: $(INSTALLED)
	$(BIN)/mypy

pytest test-long: export PYTHONHASHSEED := 0
# Or each worker compiles each test anew, and each process that a test starts what it imports.
pytest test-long: export PYTHONDONTWRITEBYTECODE :=
pytest: setup
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

test-long: setup
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m long

test-ray: setup
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[ray]'
	$(BIN)/pytest tests/eval/test_ray.py

CELLS ?=
test-versions: setup
	$(BIN)/python -m benchmarks.outcomes.environments $(CELLS)

EXAMPLES ?= 50
test-server-fuzz: setup
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt schemathesis
	$(BIN)/python -m benchmarks.service.fuzz_service --examples $(EXAMPLES)

judge-live: setup $(JUDGE_INSTALLED)
	$(BIN)/python -m benchmarks.judging.live --built-in $$(cat $(JUDGE_INSTALLED))

docs: $(DOCS_INSTALLED)
	@$(BIN)/python -m sphinx -q -W --keep-going -c docs -d build/doctrees . build/site
	@echo "build/site/index.html"

pages: $(INSTALLED)
	$(BIN)/python -m equiv.rules.document
	$(BIN)/python -m equiv.proof.catalogue
	$(BIN)/python -m equiv.rules.audit
	$(BIN)/python -m equiv.commands.document
	$(BIN)/python -m benchmarks.service.picture
	$(BIN)/python -m benchmarks.outcomes.coverage

verify-rules: $(INSTALLED)
	$(BIN)/python -m equiv.rules.verification.record $(RULE)
	$(BIN)/python -m equiv.rules.document

FUZZ_TIMES ?= 40
fuzz: $(INSTALLED)
	EQUIV_FUZZ_TIMES=$(FUZZ_TIMES) EQUIV_FUZZ_SEED=$$(date +%s) $(BIN)/pytest -n $(WORKERS) tests/fuzz

SOUNDNESS := $(BIN)/python -m benchmarks.attacks.soundness --workers $(WORKERS)
MISSES    := $(BIN)/python -m benchmarks.attacks.near_misses --workers $(WORKERS)
CLAIMS    := $(BIN)/python -m benchmarks.attacks.claims --workers $(WORKERS)

soundness: soundness-short
	$(SOUNDNESS) own --relation bird --effort 300
	$(SOUNDNESS) own --relation bird --effort 150 --mutants 4
	$(CLAIMS) own --databases 3
	$(SOUNDNESS) rose-vec rose-bench spider calcite literature leetcode spotit --relation bird
	$(SOUNDNESS) rose-vec rose-bench spider calcite literature leetcode spotit --relation bag
	$(SOUNDNESS) rose-vec rose-bench spider --relation bird --mutants 12
	$(MISSES) rose-vec rose-bench spider calcite literature leetcode spotit --mutants 12 --within 4
	$(MISSES) own --mutants 12 --within 20
	$(CLAIMS) rose-vec rose-bench spider calcite literature leetcode spotit
	$(MISSES) unwritten --pairs 50000
	$(MISSES) symbols
	$(MISSES) generated --pairs 100000 --unreached

EQUIV_DATA ?= ../shared/data

OWN_ENGINE := EQUIV_DATA=$(EQUIV_DATA) $(BIN)/python -m benchmarks.attacks.own_engine --workers $(WORKERS)

differential-postgres: $(INSTALLED)
	$(OWN_ENGINE) postgres rewrites --databases 200

differential-duckdb: $(INSTALLED)
	$(OWN_ENGINE) rose-bench-duckdb spider-golds-duckdb --golds --databases 30

OWN_WORDS := $(BIN)/equiv fuzz --pairs 20000 --whole 50 --workers $(WORKERS)
SETTINGS  := $(BIN)/equiv fuzz --pairs 5000 --whole 200 --settings 8 --effort 20 --question-seconds 0.1 --workers $(WORKERS)

soundness-postgres: $(INSTALLED)
	$(OWN_WORDS) --dialect postgres --out results/fuzz-postgres
	$(SETTINGS) --dialect postgres --out results/fuzz-settings-postgres

soundness-duckdb: $(INSTALLED)
	$(OWN_WORDS) --dialect duckdb --out results/fuzz-duckdb
	$(SETTINGS) --dialect duckdb --out results/fuzz-settings-duckdb

soundness-short: $(INSTALLED)
	$(SOUNDNESS) own --relation bird --effort 300 --every 2
	$(SOUNDNESS) own --relation bird --effort 60 --mutants 1 --every 16
	$(MISSES) generated --pairs 500
	$(MISSES) symbols --pairs 2000
	$(MISSES) unwritten --pairs 750
	$(MISSES) own --mutants 0 --within 1 --effort 60 --every 16
	$(CLAIMS) own --databases 3 --every 8

OUT   ?= results/verdicts.jsonl
EVERY ?= 1

verdicts: $(INSTALLED)
	$(BIN)/python -m benchmarks.outcomes.frozen make $(OUT) --every $(EVERY) --workers $(WORKERS)

style: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

$(INSTALLED): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "equiv: no $(PYTHON) found; install Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "equiv: needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) -V 2>&1)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, sqlite3, venv' 2>/dev/null || { echo "equiv: $(PYTHON) lacks venv, ensurepip or sqlite3; install its full standard library (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV), once"
	@$(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true  # pip compiles on one processor
	@touch $@

$(DOCS_INSTALLED): $(INSTALLED)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

$(JUDGE_INSTALLED): $(INSTALLED)
	@echo "building a server for a small model, once"
	@start=$$(date +%s); CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF" CMAKE_BUILD_PARALLEL_LEVEL=$(WORKERS) \
		$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[judge-live]' && \
		echo $$(($$(date +%s) - start)) > $@

$(DATABASE): $(wildcard dev_databases/card_games/*.py) dev_databases/card_games/schema.sql $(INSTALLED)
	@$(BIN)/python dev_databases/card_games/build.py
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f dev_databases/card_games/card_games.sqlite
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
