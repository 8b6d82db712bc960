# Makefile - the front door.  Every target sets up what it needs; the real
# build is Meson's: see meson.build.
#
#   make BUILD=dir        build elsewhere than in build/
#   make SETUP=no         do not look for missing Debian packages
#   make V=1              show what Meson and the compiler say

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
	@echo 'make test       run every test'
	@echo 'make abuse      the long tests: damage, faults, kills, oracle ...;'
	@echo '                ABUSE=damage runs one kind'
	@echo 'make portable   build for aarch64 and s390x, test in an emulator'
	@echo 'make coverage   which lines the tests reach: a table and pages'
	@echo 'make fresh      demo and test on a bare Debian 12, as root'
	@echo 'make fuzz       feed every reader and file with hostile bytes;'
	@echo '                SECONDS=60 each, TARGET=tokens one of them'
	@echo 'make paper      the experiment of the paper again, which takes long:'
	@echo '                tables and figures into docs/; DOCUMENTS=1000000 for more,'
	@echo '                LIMIT=seconds, CORPORA=dir of other kinds of documents,'
	@echo '                COLLECTION=file on your own, into bench/results/'
	@echo 'make speed      what each job takes, into docs/RESULTS.md (20 minutes);'
	@echo '                CORPORA=dir, DOCUMENTS=n; REFERENCE=commit compares with a'
	@echo '                build of that commit instead, in turns'
	@echo 'make bench      measure every method on 100,000 made-up documents;'
	@echo '                DOCUMENTS=n on n, COLLECTION=file on your own'
	@echo 'make peers      count with scipy, scikit-learn, GraphBLAS, DuckDB,'
	@echo '                SQLite and sort as well; LIMIT=s and MEMORY=10G each'
	@echo 'make bench-latency COLLECTION=NAME.cooc  time single questions'
	@echo 'make install    install below PREFIX=$(PREFIX), staged in DESTDIR'
	@echo 'make uninstall  remove what the last install put there'
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

portable: configured
	@$(if $(filter yes,$(SETUP)),scripts/setup build test portable)
	@$(call build,all)
	@BUILD=$(BUILD) scripts/portable

coverage: test-packages
	@$(setup) coverage
	@scripts/coverage

fresh:
	@scripts/fresh

# A build of its own, in which every branch is watched.  (That nothing may be
# added to NULL, not even 0, is a rule that C itself has given up.)
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

# A build directory from before libgraphblas-dev was there looks again.
peers: peers-packages configured
	@ninja -C $(BUILD) -t query bench/peers/graphblas-pairs >/dev/null 2>&1 \
	    || { $(call meson,); }
	@$(call build,all peers)
	@bench/peers/run --page $(if $(LIMIT),--limit $(LIMIT)) \
	    $(if $(MEMORY),--memory $(MEMORY)) $(PEERS_FLAGS) $(BUILD)

# What README and RESULTS.md say of time, size and memory, again.
speed: bench-packages configured
	@$(call build,all)
	@$(if $(REFERENCE),scripts/reference '$(REFERENCE)')
	@bench/speed $(if $(DOCUMENTS),--documents $(DOCUMENTS)) \
	    $(if $(CORPORA),--corpora '$(CORPORA)') \
	    $(if $(REFERENCE),--reference 'build-reference/$(REFERENCE)' \
	        --commit '$(REFERENCE)') $(BENCH_FLAGS) $(BUILD)

bench-latency: configured
	@test -n '$(COLLECTION)' || \
	    { echo 'type: make bench-latency COLLECTION=NAME.cooc' >&2; exit 2; }
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
	@$(setup) build test abuse

paper-packages:
	@$(setup) build paper

bench-packages:
	@$(setup) build bench

fuzz-packages:
	@$(setup) build fuzz

# DuckDB is not in Debian; without it the rest is measured.
peers-packages:
	@$(setup) build bench peers
	@test -d $(BUILD)/peers-npm/node_modules/@duckdb/node-api || \
	    { echo 'Installing @duckdb/node-api ...' >&2; \
	      mkdir -p $(BUILD)/peers-npm && cd $(BUILD)/peers-npm && \
	      echo '{"private": true}' >package.json && \
	      npm install --no-package-lock --no-audit --no-fund --loglevel error \
	          @duckdb/node-api@1.5.6-r.1 >&2; } || true

configured: packages
	@$(MAKE) -s $(BUILD)/build.ninja

# Tests and examples are found by name, so a new one needs a new look.
$(BUILD)/build.ninja: $(wildcard tests/unit examples)
	@$(call meson,$(MESON_OPTIONS))
	@touch $@

.NOTPARALLEL:
.PHONY: all help demo test abuse portable coverage fresh fuzz paper speed bench \
	peers bench-latency install uninstall clean configured packages \
	test-packages abuse-packages paper-packages bench-packages fuzz-packages \
	peers-packages
