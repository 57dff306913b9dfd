# Needs Python 3.11 or later with its headers, a C compiler and make; everything else goes into .venv.
# `make PYTHON=python3.13 demo` picks the interpreter (run `make clean` first when .venv has another).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SPREAD := -n auto --maxprocesses 4
SOURCES := setup.py pyproject.toml $(wildcard src/wuhan_core/*.pyx src/wuhan_core/*.pxd src/wuhan_core/*.h)

.PHONY: demo test test-all fuzz sanitize pictures bench notebooks docs pages findings lint gate dist build clean
.NOTPARALLEL:

demo: $(VENV)/.parquet
	rm -rf runs/demo
	$(BIN)/wuhan run --rules yuanhang --bots greedy,greedy,random,random --hands 1000000 --seed 1 --out runs/demo

test: $(VENV)/.test
	$(BIN)/python -m pytest $(SPREAD)

test-all: $(VENV)/.test
	$(BIN)/python -m pytest $(SPREAD) -m ''

# every parser of what comes from outside, for so many minutes each; what is found is printed
MINUTES ?= 10
fuzz: $(VENV)/.test
	$(BIN)/python tests/fuzz.py $(MINUTES)

# the tests that drive the kernels, built under AddressSanitizer and UBSan (half an hour)
sanitize:
	.ci/sanitize

# the references that pictures are compared with, drawn anew: look at them before they are committed
pictures: $(VENV)/.test
	$(BIN)/python tests/pictures.py

bench: $(VENV)/.bench gate
	$(BIN)/python -m pytest -s benches/bench_*.py

notebooks: $(VENV)/.notebooks
	$(BIN)/python -m nbconvert --to html --execute --output-dir build/notebooks notebooks/*.ipynb

# every page and every public name as HTML, build/docs/html/index.html; nothing is fetched, warnings are errors
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -W --keep-going -c docs . build/docs/html

# docs/guide.md with what its commands print now, and its pictures (some minutes)
pages: $(VENV)/.test
	$(BIN)/python docs/guide.py

# docs/findings.md from ten million hands a preset (about an hour on one core); it goes on where it stopped
findings: $(VENV)/.test
	$(BIN)/python docs/findings.py --hands 10000000

lint: $(VENV)/.lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python tests/hints.py
	$(BIN)/python -m mypy.stubtest wuhan_core --mypy-config-file pyproject.toml --allowlist tests/stubtest.txt \
	  --ignore-disjoint-bases --concise

# instructions of the shape kernels against the committed baseline; 3 says that there is none for this compiler
gate: $(VENV)/.gate
	$(BIN)/python benches/callgrind.py || [ $$? = 3 ]

# the sdist, and the wheel built from it with nothing but its declared requirements
dist: $(VENV)/.dist
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*

build: $(VENV)/.built

clean:
	rm -rf $(VENV) build dist .pytest_cache .hypothesis .benchmarks .mypy_cache .ruff_cache *.egg-info
	rm -f src/wuhan_core/*.c src/wuhan_core/*.html src/wuhan_core/*.so
	find src sim tests benches docs -name __pycache__ -exec rm -rf {} +

# An editable install does not compile a changed kernel anew; this rule does.
$(VENV)/.built: $(BIN)/python $(SOURCES)
	@echo 'building wuhan-core into $(VENV) ...'
	$(PIP) install --upgrade pip
	$(PIP) install --editable .
	@touch $@

# .parquet, .test, .lint, .gate, .dist, .bench, .notebooks: what that extra of pyproject.toml asks for, beside the package already there.
$(VENV)/.%: $(VENV)/.built
	$(PIP) install 'wuhan-core[$*]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "wuhan-core needs Python 3.11 or later, '$(PYTHON)' is not; name one with: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import os, shutil, sys, sysconfig; \
	  cc = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]; \
	  sys.exit(None if shutil.which(cc) else f"no C compiler: {cc} not found; install one, or name one in CC")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
