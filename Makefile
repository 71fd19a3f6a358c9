# make demo   the main job on a generated sample           make test       everything that must hold, in minutes
# make bench  figures and ratios (data in ../shared/data)   make test-all   the same with the large random suites
# make lint   style and types                                 make test-core  C++ tests under ASan and UBSan
# make docs   the documentation in build/site, without a network   make test-spark Spark on a JVM (Java 17)
# make soak MINUTES=10   whole runs on drawn problems, as long as one likes
# make fuzz SECONDS=60   the core without Python, by clang's libFuzzer
# make sbom   what the wheel brings, as CycloneDX JSON         make test-oldest  with the oldest versions allowed
# make test-jvm   a short part of test-spark, where there is Java 17
# make test-lakes   databases, lakes and object stores, with DuckDB's extensions
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = $(shell find src cpp -type f -not -name '*.pyc') pyproject.toml CMakeLists.txt
DATA ?= ../shared/data
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")  # some tests wait for a process or a limit

.PHONY: demo test test-all test-oldest test-spark test-jvm on-a-jvm test-lakes both test-core core-tests lint bench soak fuzz docs sbom clean
demo: $(VENV)/.installed
	$(BIN)/sfumato demo demo

test: both
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test-all: both test-core
	$(MAKE) --no-print-directory fuzz SECONDS=180
	SFUMATO_SUITE=whole $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# One downloads while the other compiles. UBSan takes as long to compile as all the rest: it waits for test-core.
both: $(VENV)/.build
	+@$(MAKE) -j2 --no-print-directory $(VENV)/.test core-tests SANITIZERS=address

SANITIZERS = address,undefined
CORE_TESTS = build/core-tests-$(subst $(comma),-,$(SANITIZERS))
comma = ,
test-core:
	SFUMATO_SUITE=whole $(MAKE) --no-print-directory core-tests CORE_SUITES="unit_tests search_tests"
CORE_SUITES = unit_tests
core-tests: $(VENV)/.build
	$(BIN)/cmake -S . -B $(CORE_TESTS) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DSFUMATO_CORE_TESTS=ON -DSFUMATO_SANITIZERS=$(SANITIZERS) > build-core-tests.log || (cat build-core-tests.log; false)
	@rm -f build-core-tests.log
	MAKEFLAGS= $(BIN)/cmake --build $(CORE_TESTS) --target $(CORE_SUITES)
	for suite in $(CORE_SUITES); do $(CORE_TESTS)/cpp/tests/$$suite || exit 1; done

# Studies as their papers have them, which tests use as oracles.
REPLICAS = needed $(addprefix papers.,draw outlines results gensearch.examples gensearch.partition_search \
	gensearch.partition_tree gensearch.tables \
	km.count_tree km.examples lplus.examples lplus.literal_costs lplus.literal_lplus lplus.variants \
	poka.examples poka.literal_poka tau_l.examples tau_l.literal_sweep)
lint: $(VENV)/.lint
	$(BIN)/ruff check src tests examples benchmarks packaging docs/hooks.py
	$(BIN)/ruff format --check src tests examples benchmarks packaging docs/hooks.py
	$(BIN)/clang-format --dry-run --Werror $(shell find cpp -name '*.?pp')
	$(BIN)/mypy -p sfumato $(addprefix -m ,$(REPLICAS))

bench: $(VENV)/.test
	-$(BIN)/python benchmarks/lattice.py --data $(DATA)
	-$(BIN)/python benchmarks/incognito.py --data $(DATA)
	-$(BIN)/python benchmarks/front.py --data $(DATA)
	-$(BIN)/python benchmarks/papers/poka/figures.py --data $(DATA)
	-$(BIN)/python benchmarks/papers/lplus/figures.py --data $(DATA)
	-$(BIN)/python benchmarks/papers/lplus/efficiency.py --data $(DATA)
	-$(BIN)/python benchmarks/papers/lplus/annealing.py --data $(DATA)
	-$(BIN)/python benchmarks/cuts.py --data $(DATA) --whole --threads 2
	-$(BIN)/python benchmarks/boxes.py --data $(DATA) --whole --threads 2
	-$(BIN)/python benchmarks/papers/gensearch/figures.py --data $(DATA) --seconds 20
	-$(BIN)/python benchmarks/process.py --data $(DATA)
	-$(BIN)/python benchmarks/sweep.py --data $(DATA)
	-$(BIN)/python benchmarks/papers/tau_l/figures.py --data $(DATA)
	-$(BIN)/python benchmarks/local.py --data $(DATA)
	-$(BIN)/python benchmarks/transactions.py --data $(DATA)
	-$(BIN)/python benchmarks/scale.py
	-$(BIN)/python benchmarks/limits.py

# Runs of other numbers than before, until the time is over or something differs; the counts add up in tests/soak.
MINUTES = 10
soak: $(VENV)/.test
	$(BIN)/python -m tests.soak --minutes $(MINUTES) --record

# Inputs are kept in build/fuzzers/corpus, and the next run goes on from there. Without clang nothing is run, and that is
# said. With RECORD=--record the counts add up in tests/fuzz/counts.json, and are written to docs/trust.md.
SECONDS = 60
RECORD =
fuzz: $(VENV)/.build
	$(BIN)/python -m tests.fuzz.native --seconds $(SECONDS) $(RECORD)

# Environments of their own: one with the oldest versions that users may have, one with what they get besides sfumato.
test-oldest:
	$(PYTHON) -m venv build/oldest
	MAKEFLAGS= build/oldest/bin/pip install -q . $$($(PYTHON) packaging/oldest.py) hypothesis pytest pytest-xdist
	build/oldest/bin/python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/typing -W default \
	  --ignore tests/test_docs.py tests

# With DuckDB's extensions as packages of the index, for the newest version of DuckDB that has them there; servers are
# those of the machine (apt install postgresql mariadb-server) and moto's, on loopback. What is absent is skipped, and said.
LAKES = 1.5.5
test-lakes:
	$(PYTHON) -m venv build/lakes
	MAKEFLAGS= build/lakes/bin/pip install -q . duckdb==$(LAKES) 'moto[s3,server]' 'pyiceberg[sql-sqlite]' pandas pyarrow pytest \
	  $(foreach name,httpfs aws azure delta avro iceberg postgres_scanner mysql_scanner sqlite_scanner,duckdb-extension-$(subst _,-,$(name))==$(LAKES))
	build/lakes/bin/python -m pytest -rs tests/engines/elsewhere tests/settings/test_uri.py

# The engine for Spark on a JVM: with threads, on a cluster of two workers, and behind Spark Connect. Needs Java 17.
test-spark:
	$(PYTHON) -m venv build/spark
	MAKEFLAGS= build/spark/bin/pip install -q ".[sql]" "pyspark[connect]>=4.1,<4.2" pytest
	for kind in local cluster connect; do SFUMATO_SPARK=$$kind build/spark/bin/python -m pytest -W default -p no:cacheprovider tests/engines/spark || exit 1; done

# A part of that with threads alone, in less than a minute: the rows, their order, and the plans. Where there is no Java
# 17, it says so and is content.
JAVA = $(shell java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
ON_A_JVM = (same_order and (levels or several) and not nothing) or (written_in_order and levels) or test_plans
test-jvm: $(VENV)/.test
	@if [ "$(or $(JAVA),0)" -ge 17 ]; then $(MAKE) --no-print-directory on-a-jvm; \
	  else echo "There is no Java 17 or newer here: the engine for Spark is not tested on a JVM."; fi
on-a-jvm: build/pyspark
	SFUMATO_SPARK=local PYTHONPATH=build/pyspark $(BIN)/python -m pytest -q -W default -p no:cacheprovider tests/engines/spark -k "$(ON_A_JVM)"
build/pyspark:
	MAKEFLAGS= $(BIN)/pip install -q --no-deps --target $@ "pyspark>=4.1,<4.2" "py4j>=0.10.9"

sbom: $(VENV)/.build
	$(BIN)/pip install -q cyclonedx-bom nanobind
	$(PYTHON) -m venv build/alone
	MAKEFLAGS= build/alone/bin/pip install -q .
	$(BIN)/cyclonedx-py environment build/alone/bin/python --pyproject pyproject.toml --mc-type library --output-reproducible -o build/installed.json
	$(BIN)/python packaging/sbom.py build/installed.json build/sbom.json $$($(BIN)/python -c "import nanobind; print(*nanobind.__path__)")
	@echo "build/sbom.json"

docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict
	@echo "Open build/site/index.html in a browser."

clean:
	rm -rf $(VENV) build demo

$(VENV)/.venv:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { echo \
	  "sfumato needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." \
	  "Name a newer one, as in: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.venv $(SOURCES)
	@echo "Building sfumato in $(VENV): packages from the index, then its C++ core is compiled. That takes about" \
	  "5 minutes on two processors, and is done once."
	$(BIN)/pip install -q .
	@touch $@

$(VENV)/.test: $(VENV)/.venv $(SOURCES)
	MAKEFLAGS= $(BIN)/pip install -q ".[test]"
	@touch $@ $(VENV)/.installed

$(VENV)/.build: $(VENV)/.venv
	$(BIN)/pip install -q "cmake>=3.18" ninja
	@touch $@

$(VENV)/.lint: $(VENV)/.installed
	$(BIN)/pip install -q ".[lint]"
	@touch $@

$(VENV)/.docs: $(VENV)/.venv pyproject.toml
	$(BIN)/pip install -q "mkdocs>=1.6,<2" "pygments>=2.15"
	@touch $@
