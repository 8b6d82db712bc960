# Makefile - short commands for common tasks.  Every target installs what it
# needs; the build itself is in meson.build.
#
#   make BUILD=dir        build in dir instead of build/
#   make SETUP=no         do not install missing Debian packages
#   make V=1              show the output of Meson and the compiler

BUILD         = build
PREFIX        = /usr/local
LIBDIR        = lib
DESTDIR       =
MESON_OPTIONS =
SETUP         = yes
V             =
COLLECTION   ?=
DOCUMENTS    ?=
BENCH_FLAGS  ?=
PEERS_FLAGS  ?=
ABUSE        ?=
SECONDS      ?= 60
TARGET       ?=
LIMIT        ?=
MEMORY       ?=
CORPORA      ?=
REFERENCE    ?=

SHELL       = /bin/bash
.SHELLFLAGS = -o pipefail -c
setup = $(if $(filter yes,$(SETUP)),scripts/setup,:)
build = ninja -C $(BUILD) $(if $(V),-v,--quiet) $(1) | sed '/no work to do/d'
ready = $(wildcard $(BUILD)/meson-private/coredata.dat)
meson = mkdir -p $(BUILD) && \
	{ meson setup $(if $(ready),--reconfigure) $(1) $(BUILD) \
	    >$(BUILD)/setup.log 2>&1 || { cat $(BUILD)/setup.log; false; }; } \
	$(if $(V),&& cat $(BUILD)/setup.log)

all: configured
	@if [ -t 1 ]; then ninja -C $(BUILD) $(if $(V),-v); \
	else $(call build,all); fi

help:
	@echo 'make            build $(BUILD)/cooc'
	@echo 'make demo       count the words of all Debian package descriptions'
	@echo 'make test       run all tests'
	@echo 'make abuse      run the long tests: damage, faults, kills, oracle ...;'
	@echo '                ABUSE=damage: run one kind; ABUSE=cluster: Slurm, Dask ...'
	@echo 'make portable   build for aarch64 and s390x, test in an emulator'
	@echo 'make coverage   show which lines the tests reach, as a table and pages'
	@echo 'make fresh      run demo and tests on a bare Debian 12, as root'
	@echo 'make fuzz       fuzz every reader and every file of a store;'
	@echo '                SECONDS=60: time per target, TARGET=tokens: one target'
	@echo 'make paper      repeat the experiment of the paper (about an hour), write'
	@echo '                tables and figures to docs/; DOCUMENTS=1000000: count more,'
	@echo '                LIMIT=seconds: per run, CORPORA=dir: add other documents,'
	@echo '                COLLECTION=file: count your own, write to bench/results/'
	@echo 'make speed      measure each job (20 minutes), write to docs/RESULTS.md;'
	@echo '                CORPORA=dir: add documents, DOCUMENTS=n: generate n;'
	@echo '                REFERENCE=commit: only compare with a build of that commit'
	@echo 'make scale      predict the time of a count on many machines (15 minutes),'
	@echo '                write to docs/SCALE.md'
	@echo 'make bench      measure every method on 100,000 generated documents;'
	@echo '                DOCUMENTS=n: generate n, COLLECTION=file: use your own'
	@echo 'make peers      compare with scipy, scikit-learn, GraphBLAS, DuckDB,'
	@echo '                ClickHouse, SQLite and sort; LIMIT=seconds, MEMORY=10G: per run'
	@echo 'make mpi        install Open MPI, build $(BUILD)/cooc-mpi as well'
	@echo 'make mpi-test   run the tests of cooc-mpi'
	@echo 'make speed-mpi  compare two ranks with one (half an hour);'
	@echo '                DOCUMENTS=n: generate n'
	@echo 'make bench-latency COLLECTION=NAME.cooc  measure single queries'
	@echo 'make install    install below PREFIX=$(PREFIX), staged in DESTDIR'
	@echo 'make uninstall  remove the files of the last install'
	@echo 'make clean      remove $(BUILD)/, demo/ and bench/results/'

demo: configured
	@test -x $(BUILD)/cooc || echo 'Building ...' >&2
	@$(call build,all)
	@scripts/demo $(BUILD)/cooc

test: test-packages configured
	@ninja -C $(BUILD) -t query test-programs >/dev/null 2>&1 || \
	    { $(call meson,); }
	@$(call build,all test-programs)
	@tests/run $(BUILD)

abuse: abuse-packages configured
	@ninja -C $(BUILD) -t query abuse-programs >/dev/null 2>&1 || \
	    { $(call meson,); }
	@$(call build,all abuse-programs)
	@TEST_JOBS=1 TEST_TIMEOUT=$${TEST_TIMEOUT:-7200} \
	    tests/run $(BUILD) $(addprefix abuse/,$(ABUSE)) $(if $(ABUSE),,abuse/)

# Reconfigure a build directory that was made before Open MPI was installed.
mpi: mpi-packages configured
	@ninja -C $(BUILD) -t query cooc-mpi >/dev/null 2>&1 || \
	    { $(call meson,-Dmpi=auto); }
	@$(call build,all)
	@test -x $(BUILD)/cooc-mpi || \
	    { echo 'Open MPI was not found; see $(BUILD)/setup.log' >&2; false; }

mpi-test: mpi test-packages
	@tests/run $(BUILD) mpi/

speed-mpi: mpi
	@bench/mpi $(if $(DOCUMENTS),--documents $(DOCUMENTS)) $(BENCH_FLAGS) $(BUILD)

portable: configured
	@$(if $(filter yes,$(SETUP)),scripts/setup build test portable)
	@$(call build,all)
	@BUILD=$(BUILD) scripts/portable

coverage: test-packages
	@$(setup) coverage
	@scripts/coverage

fresh:
	@scripts/fresh

# A separate build with sanitizers and coverage feedback.  pointer-overflow is
# off because it reports NULL + 0, which C2y allows.
fuzz: fuzz-packages
	@CC=clang $(MAKE) -s SETUP=no BUILD=build-fuzz build-fuzz/build.ninja \
	    MESON_OPTIONS="-Dfuzz=true -Dbuildtype=debugoptimized \
	    -Db_lundef=false -Db_sanitize=address,undefined \
	    -Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=all \
	    -fno-sanitize=pointer-overflow -fno-omit-frame-pointer'"
	@ninja -C build-fuzz $(if $(V),-v,--quiet) fuzz-programs | \
	    sed '/no work to do/d'
	@tests/fuzz/run build-fuzz $(SECONDS) $(TARGET)

bench = bench/run $(if $(DOCUMENTS),--documents $(DOCUMENTS)) \
	$(BENCH_FLAGS) $(1) $(BUILD) $(COLLECTION)

bench: bench-packages configured
	@$(call build,all)
	@$(call bench,)

paper: paper-packages configured
	@$(call build,all)
	@bench/paper $(if $(DOCUMENTS),--documents $(DOCUMENTS)) \
	    $(if $(LIMIT),--limit $(LIMIT)) \
	    $(if $(CORPORA),--corpora '$(CORPORA)') \
	    $(BENCH_FLAGS) $(BUILD) $(COLLECTION)

# Reconfigure a build directory that was made before libgraphblas-dev was
# installed.
peers: peers-packages configured
	@ninja -C $(BUILD) -t query bench/peers/graphblas-pairs >/dev/null 2>&1 \
	    || { $(call meson,); }
	@$(call build,all peers)
	@bench/peers/run --page $(if $(LIMIT),--limit $(LIMIT)) \
	    $(if $(MEMORY),--memory $(MEMORY)) $(PEERS_FLAGS) $(BUILD)

# Measure the times, sizes and memory in README and RESULTS.md again.
speed: bench-packages configured
	@$(call build,all)
	@$(if $(REFERENCE),SETUP=$(SETUP) scripts/reference '$(REFERENCE)')
	@bench/speed $(if $(DOCUMENTS),--documents $(DOCUMENTS)) \
	    $(if $(CORPORA),--corpora '$(CORPORA)') \
	    $(if $(REFERENCE),--reference 'build-reference/$(REFERENCE)' \
	        --commit '$(REFERENCE)') $(BENCH_FLAGS) $(BUILD)

scale: configured
	@$(call build,all)
	@bench/scale $(BENCH_FLAGS) $(BUILD)

bench-latency: configured
	@test -n '$(COLLECTION)' || \
	    { echo 'usage: make bench-latency COLLECTION=NAME.cooc' >&2; exit 2; }
	@$(call build,all)
	@$(BUILD)/bench/cooc-latency '$(COLLECTION)'

install: configured
	@$(call meson,-Dprefix=$(PREFIX) -Dlibdir=$(LIBDIR))
	@$(call build,all)
	@DESTDIR='$(DESTDIR)' meson install -C $(BUILD) --no-rebuild | \
	    grep ^Installing
	@test -n '$(DESTDIR)' || test "$$(id -u)" != 0 || ldconfig

uninstall:
	@ninja -C $(BUILD) uninstall

clean:
	rm -rf $(BUILD) demo bench/results

packages:
	@$(setup) build

test-packages:
	@$(setup) build test

abuse-packages:
	@$(setup) build test abuse $(if $(filter-out cluster%,$(ABUSE)),,cluster)

paper-packages:
	@$(setup) build paper

bench-packages:
	@$(setup) build bench

mpi-packages:
	@$(setup) build mpi

fuzz-packages:
	@$(setup) build fuzz

# DuckDB and ClickHouse are not in Debian; if npm cannot install one of them, it
# is skipped.
peers-packages:
	@$(setup) build bench peers
	@for package in @duckdb/node-api@1.5.6-r.1 chdb@3.4.0; do \
	    test -d $(BUILD)/peers-npm/node_modules/$${package%@*} || \
	    ( echo "Installing $${package%@*} ..." >&2; \
	      mkdir -p $(BUILD)/peers-npm && cd $(BUILD)/peers-npm && \
	      { test -e package.json || echo '{"private": true}' >package.json; } && \
	      npm install --no-package-lock --no-audit --no-fund --loglevel error \
	          $$package >&2 ) || true; \
	done

configured: packages
	@$(MAKE) -s $(BUILD)/build.ninja

# Meson finds tests and examples by name, so a new file needs a reconfigure.
$(BUILD)/build.ninja: $(wildcard tests/unit examples)
	@$(call meson,$(MESON_OPTIONS))
	@touch $@

.NOTPARALLEL:
.PHONY: all help demo test abuse mpi mpi-test mpi-packages speed-mpi portable \
	coverage fresh fuzz paper speed scale bench \
	peers bench-latency install uninstall clean configured packages \
	test-packages abuse-packages paper-packages bench-packages fuzz-packages \
	peers-packages
