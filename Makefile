# nandlife: one non-recursive makefile for GNU make. `make help` lists targets and variables.
# Sources are found by wildcard: a new file under src/ or tests/ needs no edit here.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

VERSION := 0.1.0

# --- what to build with ---------------------------------------------------------------------
ifeq ($(origin CC),default)
CC := gcc
endif
AR ?= ar
PKG_CONFIG ?= pkg-config
INSTALL ?= install
PROVE ?= prove
comma := ,

# Warnings are errors in a checkout; a release archive built by a newer compiler only warns.
WERROR ?= $(if $(wildcard .git),1)

# Each configuration has a folder of its own, so that switching rebuilds nothing; the plain gcc
# build is build/ itself.
CONFIG := $(patsubst -%,%,$(if $(filter-out gcc,$(CC)),-$(notdir $(CC)))$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(COVERAGE),-coverage)$(if $(DEBUG),-debug))
O := build$(if $(CONFIG),/$(CONFIG))

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# --- where things go ------------------------------------------------------------------------
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
LOCALSTATEDIR ?= /var
SBINDIR := $(PREFIX)/sbin
DATADIR := $(PREFIX)/share/nandlife
MANDIR := $(PREFIX)/share/man
DOCDIR := $(PREFIX)/share/doc/nandlife
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
# systemd looks into /usr/local/lib/systemd/system too.
SYSTEMDUNITDIR ?= $(PREFIX)/lib/systemd/system
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d

# --- flags ----------------------------------------------------------------------------------
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wmissing-prototypes -Wvla \
	-Wformat=2 $(if $(WERROR),-Werror)
# gcc's alone; text is cut at its bound on purpose.
GCC_WARNINGS := $(if $(findstring clang,$(CC)),,-Wno-format-truncation)

ifneq ($(SANITIZE)$(COVERAGE)$(DEBUG),)
HARDENING := -fPIE
else
HARDENING := -fPIE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection \
	$(if $(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),-fcf-protection)
endif

OPTIMIZE := $(if $(COVERAGE)$(DEBUG),-O0,-O2)
INSTRUMENT := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
	$(if $(COVERAGE),--coverage)

# libnvme.pc and libsgutils2: the first needs json-c.pc, which Debian's libnvme-dev does not bring
# along; the second has no .pc file in Debian 12.
PKGS := libatasmart libcjson smartcols mount blkid inih zlib libzstd \
	sqlite3 $(if $(wildcard src/serve/*.c),libmicrohttpd)
PKG_CPPFLAGS := $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(PKGS) 2>/dev/null))
LDLIBS := -lnvme -lsgutils2 $(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null) -lm

NL_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Isrc $(PKG_CPPFLAGS) $(CPPFLAGS)
# A product and a sum fused into one rounding would make a simulation differ between machines.
NL_CFLAGS := -std=gnu11 $(OPTIMIZE) -ffp-contract=off -g $(WARNINGS) $(GCC_WARNINGS) $(HARDENING) $(INSTRUMENT) $(CFLAGS)
NL_LDFLAGS := -pie -Wl,-z,relro,-z,now -Wl,--as-needed $(INSTRUMENT) $(LDFLAGS)

# Paths and the version reach one file only, src/cli/build_config.c. The binary in the build folder
# reads the rules of this tree; `make install` links a second one that reads the installed rules.
TREE_CONFIG := -DNANDLIFE_VERSION='"$(VERSION)"' -DNANDLIFE_DRIVE_DB_DIR='"$(CURDIR)/db"' \
	-DNANDLIFE_SYSCONF_DIR='"$(SYSCONFDIR)/nandlife"' -DNANDLIFE_STATE_DIR='"$(LOCALSTATEDIR)/lib/nandlife"'
INST_CONFIG := $(subst $(CURDIR)/db,$(DATADIR)/db,$(TREE_CONFIG))

# --- sources --------------------------------------------------------------------------------
LAYERS := base doc decode db health ftl report sys transport device store act serve cli
PURE_LAYERS := base doc decode db health ftl report

MAIN := src/cli/main.c
SRCS := $(filter-out $(MAIN),$(sort $(wildcard $(LAYERS:%=src/%/*.c))))
HDRS := $(sort $(wildcard src/*/*.h) $(wildcard tests/lib/*.h tests/bench/*.h tests/reviews/*.h))
TESTLIB_SRCS := $(sort $(wildcard tests/lib/*.c))
TEST_SRCS := $(sort $(wildcard tests/unit/test_*.c tests/prop/test_*.c tests/fault/test_*.c))
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/fuzz_*.c))
BENCH_SRCS := $(sort $(wildcard tests/bench/bench_*.c))
BENCHLIB_SRCS := $(filter-out $(BENCH_SRCS),$(sort $(wildcard tests/bench/*.c)))
REVIEW_SRCS := $(sort $(wildcard tests/reviews/*.c))
ALL_SRCS := $(SRCS) $(wildcard $(MAIN)) $(TESTLIB_SRCS) $(TEST_SRCS) $(FUZZ_SRCS) \
	$(wildcard tests/fuzz/replay.c) $(BENCH_SRCS) $(BENCHLIB_SRCS) $(REVIEW_SRCS)

obj = $(patsubst %.c,$(O)/obj/%.o,$(1))
MIGRATIONS := $(sort $(wildcard db/history-*.sql))
LIB := $(O)/libnandlife.a
TESTLIB := $(if $(TESTLIB_SRCS),$(O)/libtests.a)
BIN := $(O)/nandlife
TESTS ?= $(TEST_SRCS:tests/%.c=%)
TEST_BINS := $(addprefix $(O)/tests/,$(foreach t,$(TESTS),$(if $(findstring /,$t),$t,unit/$t)))
REPLAY_BINS := $(patsubst tests/fuzz/%.c,$(O)/replay/%,$(FUZZ_SRCS))
BENCH_BINS := $(patsubst tests/bench/%.c,$(O)/bench/%,$(BENCH_SRCS))
FUZZ_BINS := $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(FUZZ_SRCS))

# --- build ----------------------------------------------------------------------------------
.PHONY: all clean FORCE
all: $(LIB) $(if $(wildcard $(MAIN)),$(BIN))

# Files that hold a list or the flags, rewritten only when it changes: what depends on them is
# rebuilt then and only then.
$(O)/flags: RECORD = $(CC) $(NL_CPPFLAGS) $(NL_CFLAGS) $(NL_LDFLAGS)
$(O)/config: RECORD = $(TREE_CONFIG)
$(O)/installed/config: RECORD = $(INST_CONFIG)
$(O)/sources: RECORD = $(SRCS) $(TESTLIB_SRCS) $(BENCHLIB_SRCS) $(MIGRATIONS)
$(O)/flags $(O)/config $(O)/installed/config $(O)/installed/units $(O)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(RECORD))' | cmp -s - $@ || { \
		$(PKG_CONFIG) --exists --print-errors $(PKGS) || { \
			echo "libraries are missing: run scripts/deps build" >&2; exit 1; }; \
		printf '%s\n' '$(subst ','\'',$(RECORD))' >$@; }

$(O)/obj/tests/%.o: private NL_CPPFLAGS += -Itests
$(O)/obj/tests/fuzz/%.o: private NL_CFLAGS += -Wno-missing-prototypes
$(O)/obj/src/cli/build_config.o: private NL_CPPFLAGS += $(TREE_CONFIG)
$(O)/obj/src/cli/build_config.o: $(O)/config

compile = $(CC) $(NL_CPPFLAGS) $(NL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/obj/%.o: %.c $(O)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(compile)

$(O)/installed/build_config.o: src/cli/build_config.c $(O)/flags $(O)/installed/config
	$(call say,CC,"$< (installed paths)")
	@mkdir -p $(@D)
	$(Q)$(CC) $(NL_CPPFLAGS) $(INST_CONFIG) $(NL_CFLAGS) -MMD -MP -c -o $@ $<

# The migrations of the history database are part of the program.
$(O)/migrations.c: $(MIGRATIONS) scripts/embed-sql $(O)/sources
	$(Q)scripts/embed-sql $(MIGRATIONS) >$@

$(O)/migrations.o: $(O)/migrations.c $(O)/flags
	$(call say,CC,$<)
	$(Q)$(compile)

$(LIB): $(call obj,$(SRCS)) $(O)/migrations.o $(O)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsT $@ $(filter %.o,$^)

$(O)/libtests.a: $(call obj,$(TESTLIB_SRCS)) $(O)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsT $@ $(filter %.o,$^)

$(O)/libbench.a: $(call obj,$(BENCHLIB_SRCS)) $(O)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsT $@ $(filter %.o,$^)

link = $(CC) $(NL_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^)

$(BIN): $(call obj,$(MAIN)) $(LIB)
	$(call say,LD,$@)
	$(Q)$(link) $(LDLIBS)

$(O)/installed/nandlife: $(call obj,$(MAIN)) $(O)/installed/build_config.o $(LIB)
	$(call say,LD,$@)
	$(Q)$(link) $(LDLIBS)

$(O)/tests/%: $(O)/obj/tests/%.o $(TESTLIB) $(LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(link) $(LDLIBS) -lcmocka

$(O)/replay/%: $(O)/obj/tests/fuzz/%.o $(O)/obj/tests/fuzz/replay.o $(TESTLIB) $(LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(link) $(LDLIBS)

$(O)/bench/%: $(O)/obj/tests/bench/%.o $(O)/libbench.a $(LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(link) $(LDLIBS)

# The closed loop shares its simulated drives with the unit tests.
$(O)/bench/bench_project: $(O)/obj/tests/bench/bench_project.o $(TESTLIB) $(LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(link) $(LDLIBS) -lcmocka

$(O)/reviews: $(call obj,$(REVIEW_SRCS)) $(LIB)
	$(call say,LD,$@)
	$(Q)$(link) $(LDLIBS)

$(O)/fuzz/%: $(O)/obj/tests/fuzz/%.o $(TESTLIB) $(LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(link) -fsanitize=fuzzer $(LDLIBS)

-include $(patsubst %.c,$(O)/obj/%.d,$(ALL_SRCS)) $(O)/installed/build_config.d $(O)/migrations.d
.SECONDARY:

clean:
	rm -rf build

# --- tests ----------------------------------------------------------------------------------
.PHONY: unit tests replay golden bless
# prove runs each program as it is; cmocka writes TAP. TESTS="test_units test_json" picks some.
export UBSAN_OPTIONS ?= print_stacktrace=1
unit: tests
	CMOCKA_MESSAGE_OUTPUT=TAP $(PROVE) --exec '' $(TEST_BINS)

tests: $(TEST_BINS)

golden: all
	NANDLIFE=$(CURDIR)/$(BIN) $(PROVE) --exec '' tests/cli/run tests/completions

bless: all
	NANDLIFE=$(CURDIR)/$(BIN) tests/cli/run --bless

# A fuzz target without libFuzzer: its seeds and a bounded number of mutations, with sanitizers if
# SANITIZE is set.
replay: $(REPLAY_BINS)
	$(PROVE) --exec '' $(REPLAY_BINS)

# libFuzzer, FUZZ_SECONDS a target; FUZZ="fuzz_x" picks some. What it finds lands in build/fuzz-found/,
# the corpus it grows in build/fuzz-corpus/.
.PHONY: fuzz fuzz-bins
FUZZ_SECONDS ?= 60
FUZZ ?= $(FUZZ_SRCS:tests/fuzz/%.c=%)
FUZZ_CONFIG := CC=clang SANITIZE=fuzzer-no-link,address,undefined
FUZZ_DIR := build/clang-fuzzer-no-link-address-undefined/fuzz
fuzz-bins: $(addprefix $(O)/fuzz/,$(FUZZ))
fuzz:
	scripts/deps build fuzz
	$(MAKE) $(FUZZ_CONFIG) fuzz-bins
	@set -e; for target in $(FUZZ); do \
		mkdir -p build/fuzz-found build/fuzz-corpus/$$target; \
		echo "$$target: $(FUZZ_SECONDS) s"; \
		$(FUZZ_DIR)/$$target -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 \
			-print_final_stats=0 -verbosity=0 -artifact_prefix=build/fuzz-found/$$target- \
			build/fuzz-corpus/$$target tests/fuzz/seeds/$$target; \
	done

# Coverage by layer, held against tests/coverage.ratchet; `make cov BLESS=1` raises the ratchet.
.PHONY: cov
cov:
	find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	$(MAKE) COVERAGE=1 unit golden
	scripts/coverage build/coverage/obj/src tests/coverage.ratchet $(if $(BLESS),--bless)

# --- lint -----------------------------------------------------------------------------------
.PHONY: lint lint-format lint-text lint-banned lint-layers lint-headers lint-purity lint-cppcheck \
	lint-tidy lint-shell lint-man lint-interface lint-selftest
lint: lint-format lint-text lint-banned lint-layers lint-headers lint-purity lint-shell lint-man \
	lint-interface lint-selftest lint-cppcheck lint-tidy
	@echo "lint: nothing to complain about"

lint-format:
	$(Q)clang-format --dry-run -Werror $(ALL_SRCS) $(HDRS)

lint-text lint-banned lint-shell:
	$(Q)tests/lint/$(@:lint-%=%)

lint-layers:
	$(Q)LAYERS="$(LAYERS)" tests/lint/layers

lint-headers:
	$(Q)tests/lint/headers '-std=gnu11 $(NL_CPPFLAGS) $(WARNINGS)' $(HDRS)

PURE_OBJS := $(call obj,$(filter $(PURE_LAYERS:%=src/%/%),$(SRCS)))
lint-purity: $(PURE_OBJS)
	$(Q)tests/lint/purity $(PURE_OBJS)

lint-man:
	$(Q)set -e; for page in $(wildcard man/*.[1-8]); do mandoc -T lint -W warning $$page; done

# The parser's option rows, the man pages and the completions say the same.
lint-interface: all
	$(Q)NANDLIFE=$(BIN) tests/lint/interface

# cppcheck knows no __VA_OPT__ (faulty.c), nor the cleanup attribute: leaks are the leak sanitizer's.
lint-cppcheck:
	@mkdir -p build/lint/cppcheck
	$(Q)cppcheck --quiet --enable=warning,performance,portability --inline-suppr --std=c11 \
		--platform=unix64 --error-exitcode=1 --cppcheck-build-dir=build/lint/cppcheck -j 2 \
		--suppress=missingInclude --suppress=memleak --suppress=syntaxError:src/sys/faulty.c -D__linux__ -Isrc src

lint-selftest:
	$(Q)$(PROVE) --exec '' tests/lint/selftest

# A stamp a source: it is checked again when the object is rebuilt, so when a header changed too.
TIDY_SRCS := $(filter-out src/cli/build_config.c,$(ALL_SRCS))
lint-tidy: $(TIDY_SRCS:%.c=$(O)/lint/%.tidy)

$(O)/lint/%.tidy: %.c $(O)/obj/%.o .clang-tidy tests/.clang-tidy
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- -std=gnu11 -O2 $(NL_CPPFLAGS) -Itests $(filter-out -Werror,$(WARNINGS)) \
		$(if $(findstring /fuzz/,$<),-Wno-missing-prototypes) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

# The completions and the option lists of the manual pages, from the binary's own rows.
.PHONY: generate
generate: all
	NANDLIFE=$(BIN) scripts/generate

# --- the jobs of a newcomer and of CI ---------------------------------------------------------
.PHONY: demo check e2e bench bench-forecast bench-project corpus
demo:
	scripts/deps build
	+$(MAKE) --no-print-directory -j$(shell nproc) all
	scripts/demo $(BIN)

check:
	scripts/deps build test lint fuzz corpus browser e2e
	+NANDLIFE=$(BIN) scripts/check

e2e: all
	$(PROVE) --exec '' --timer tests/e2e/run

# Reports in headless Chromium; PAGES="healthy malice" picks some, KEEP=dir keeps the pictures.
.PHONY: browser
browser: all
	NANDLIFE=$(CURDIR)/$(BIN) $(PROVE) --exec '' --timer tests/browser/run \
		$(if $(KEEP)$(PAGES),:: $(if $(KEEP),--keep $(KEEP)) $(PAGES))

bench: all $(BENCH_BINS)
	$(O)/bench/bench_ftl
	tests/bench/run $(BIN)

# Two generators of drives, and the whole way from their dumps to the answer; all run even if one
# misses its targets.
bench-forecast: all $(O)/bench/bench_forecast
	@missed=0; \
	$(O)/bench/bench_forecast --generator by-day || missed=1; \
	$(O)/bench/bench_forecast --generator by-event || missed=1; \
	tests/bench/forecast_end_to_end $(BIN) $(O)/bench/bench_forecast || missed=1; \
	exit $$missed

# Simulated drives with hidden parameters: their logs, the fit, and what they do under a changed
# condition. SEED=2 DRIVES=50 for others.
bench-project: $(O)/bench/bench_project
	$(O)/bench/bench_project --seed $(or $(SEED),1) --drives $(or $(DRIVES),200) $(if $(V),--verbose)

# Presets against what reviews measured; REVIEWS="pny six" picks some.
.PHONY: reviews
reviews: all $(O)/reviews
	$(O)/reviews $(REVIEWS)

corpus: all
	tests/corpus/run $(BIN) ../shared/corpus

# --- install --------------------------------------------------------------------------------
# systemd's units name the installed program; they are installed, not enabled.
UNITS := $(notdir $(wildcard packaging/systemd/*))
$(O)/installed/units: RECORD = $(SBINDIR)
$(UNITS:%=$(O)/installed/%): $(O)/installed/%: packaging/systemd/% $(O)/installed/units
	$(call say,GEN,$@)
	$(Q)sed 's|@SBINDIR@|$(SBINDIR)|' $< >$@

# One row a file, source:destination:mode, so that uninstall removes exactly what install put.
.PHONY: install uninstall
row = $(addsuffix :$(3),$(foreach f,$(1),$(f):$(2)/$(notdir $(f))))
INSTALL_ROWS := \
	$(call row,$(O)/installed/nandlife,$(SBINDIR),755) \
	$(call row,$(wildcard db/*.json),$(DATADIR)/db,644) \
	$(call row,$(wildcard db/presets/*.json),$(DATADIR)/db/presets,644) \
	$(foreach n,1 5 7 8,$(call row,$(wildcard man/*.$n),$(MANDIR)/man$n,644)) \
	completions/nandlife.bash:$(BASHCOMPDIR)/nandlife:644 \
	completions/_nandlife:$(ZSHCOMPDIR)/_nandlife:644 \
	completions/nandlife.fish:$(FISHCOMPDIR)/nandlife.fish:644 \
	$(call row,$(UNITS:%=$(O)/installed/%),$(SYSTEMDUNITDIR),644) \
	$(call row,LICENSE README.md CHANGELOG.md,$(DOCDIR),644)
OWN_DIRS := $(DATADIR)/db/presets $(DATADIR)/db $(DATADIR) $(DOCDIR)

field = $(word $(2),$(subst :, ,$(1)))
define newline


endef

install: $(foreach r,$(INSTALL_ROWS),$(call field,$r,1))
	$(foreach r,$(INSTALL_ROWS),$(INSTALL) -D -m $(call field,$r,3) $(call field,$r,1) $(DESTDIR)$(call field,$r,2)$(newline)	)

uninstall:
	$(foreach r,$(INSTALL_ROWS),rm -f $(DESTDIR)$(call field,$r,2)$(newline)	)
	-$(foreach d,$(OWN_DIRS),rmdir $(DESTDIR)$d 2>/dev/null;) true

# --- help -----------------------------------------------------------------------------------
.PHONY: help
help:
	@sed -n 's/^#| \{0,1\}//p' $(firstword $(MAKEFILE_LIST))
#| Targets
#|   all          build/nandlife (the default)
#|   demo         install what is missing, build, show health and life of every SSD here
#|   check        install what is missing, build, run every test
#|   unit         unit tests; TESTS="test_units ..." picks some
#|   golden       golden cases of tests/cli; bless rewrites their expectations
#|   replay       fuzz targets on their seeds and fixed mutations
#|   fuzz         libFuzzer; FUZZ="fuzz_x ..." FUZZ_SECONDS=60
#|   generate     completions and option lists of the manual pages, from the option rows
#|   lint         format, layers, purity, headers, clang-tidy, cppcheck, shellcheck
#|   cov          coverage by layer; BLESS=1 sets the ratchet
#|   browser      reports in headless Chromium: layout, contrast, requests
#|   e2e          emulated drives in a virtual machine
#|   corpus       agreement with real reports in ../shared/corpus
#|   bench        speed and size, as ratios
#|   bench-forecast  forecasts of synthetic drives against their known end
#|   bench-project  the FTL fit of simulated drives against their hidden truth; SEED=1 DRIVES=200
#|   reviews      drives by name against what reviews of them measured; REVIEWS="pny six"
#|   install      also uninstall; PREFIX=/usr/local DESTDIR= SYSTEMDUNITDIR=
#|   clean
#| Variables
#|   CC=clang  SANITIZE=address,undefined  COVERAGE=1  DEBUG=1  each a build folder of its own
#|   WERROR=1 (the default in a checkout)  V=1
