# Makefile - the front door.  Every target sets up what it needs; the real
# build is Meson's: see meson.build.
#
#   make BUILD=dir        build elsewhere than in build/
#   make SETUP=no         do not look for missing Debian packages
#   make V=1              show what Meson and the compiler say

BUILD         = build
PREFIX        = /usr/local
DESTDIR       =
MESON_OPTIONS =
SETUP         = yes
V             =
COLLECTION    =
BENCH_FLAGS   =

SHELL       = /bin/bash
.SHELLFLAGS = -o pipefail -c
setup = $(if $(filter yes,$(SETUP)),scripts/setup,:)
build = ninja -C $(BUILD) $(if $(V),-v,--quiet) $(1) | sed '/no work to do/d'
ready = $(wildcard $(BUILD)/meson-private/coredata.dat)

all: configured
	@if [ -t 1 ]; then ninja -C $(BUILD) $(if $(V),-v); \
	else $(call build,all); fi

help:
	@echo 'make            build $(BUILD)/cooc'
	@echo 'make demo       count the words of all Debian package descriptions'
	@echo 'make test       run every test'
	@echo 'make bench      measure; COLLECTION=file measures on your own'
	@echo 'make install    install below PREFIX=$(PREFIX), staged in DESTDIR'
	@echo 'make uninstall  remove what the last install put there'
	@echo 'make clean      remove $(BUILD)/, demo/ and bench/results/'

demo: configured
	@test -x $(BUILD)/cooc || echo 'Building ...' >&2
	@$(call build,all)
	@scripts/demo $(BUILD)/cooc

test: test-packages configured
	@ninja -C $(BUILD) -t query test-programs >/dev/null 2>&1 || \
	    meson setup --reconfigure $(BUILD) >/dev/null
	@$(call build,all test-programs)
	@tests/run $(BUILD)

bench: configured
	@$(call build,all)
	@bench/run $(BENCH_FLAGS) $(BUILD)/cooc $(COLLECTION)

install: configured
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@$(call build,all)
	@DESTDIR='$(DESTDIR)' meson install -C $(BUILD) --no-rebuild

uninstall:
	@ninja -C $(BUILD) uninstall

clean:
	rm -rf $(BUILD) demo bench/results

packages:
	@$(setup) build

test-packages:
	@$(setup) build test

configured: packages
	@$(MAKE) -s $(BUILD)/build.ninja

# Tests and examples are found by name, so a new one needs a new look.
$(BUILD)/build.ninja: $(wildcard tests/unit examples)
	@mkdir -p $(BUILD)
	@meson setup $(if $(ready),--reconfigure) $(MESON_OPTIONS) $(BUILD) \
	    >$(BUILD)/setup.log 2>&1 || { cat $(BUILD)/setup.log; exit 1; }
	@$(if $(V),cat $(BUILD)/setup.log,:)
	@touch $@

.NOTPARALLEL:
.PHONY: all help demo test bench install uninstall clean \
	packages test-packages configured
