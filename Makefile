# SPDX-License-Identifier: GPL-2.0
# One flat Makefile: `make` builds, `make check` proves, `make demo` shows. V=1 shows the commands.

CLANG      ?= clang
LLVM_STRIP ?= llvm-strip
BPFTOOL    ?= bpftool
PKG_CONFIG ?= pkg-config
PROVE      ?= prove
PREFIX     ?= /usr/local
SBINDIR    ?= $(PREFIX)/sbin
MANDIR     ?= $(PREFIX)/share/man
DOCDIR     ?= $(PREFIX)/share/doc/xdp-cpumap
BASHCOMP   ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMP    ?= $(PREFIX)/share/zsh/site-functions
UNITDIR    ?= $(PREFIX)/lib/systemd/system
# The byte order of the target, as a BPF target: bpfel or bpfeb.
BPF_TARGET ?= $(shell printf '\1\0' | od -An -tu2 | grep -qw 1 && echo bpfel || echo bpfeb)
O          ?= build
VERSION    := 0.1

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(patsubst $(O)/%,%,$(2))')

# ---- flags ----------------------------------------------------------------------------------
WARN      := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
             -Wno-unused-parameter -Wno-missing-field-initializers
WERROR    ?= $(if $(CI),-Werror)
LIBS      := libxdp libbpf libmnl json-c libpcap
CFLAGS    ?= -O2 -g
CPPFLAGS  += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DVERSION='"$(VERSION)"' -Iinclude -Iloader -I$(O)
# No path of the machine that builds gets into what is built: same source, same bytes.
PATH_MAP  := $(foreach dir,$(O) $(abspath $(O)),-ffile-prefix-map=$(dir)=build) -ffile-prefix-map=$(CURDIR)=.
CFLAGS_   := -std=gnu11 $(WARN) $(WERROR) -fstack-protector-strong $(PATH_MAP) $(CFLAGS)
LDLIBS    += $(shell $(PKG_CONFIG) --libs $(LIBS)) -lelf -lz -lm
BPF_FLAGS := -target $(BPF_TARGET) -mcpu=v3 -O2 -g -std=gnu11 -Wall -Wextra -Wno-unused-parameter \
             $(WERROR) -I. -Iinclude $(PATH_MAP)
SANITIZE  := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# ---- what there is --------------------------------------------------------------------------
BPF_OBJS  := $(patsubst bpf/%.bpf.c,$(O)/bpf/%.bpf.o,$(wildcard bpf/*.bpf.c))
SKELS     := $(patsubst bpf/%.bpf.c,$(O)/bpf/%.skel.h,$(wildcard bpf/*.bpf.c)) $(O)/bpf/steer.id.h
SRCS      := $(wildcard loader/*.c loader/*/*.c)
OBJS      := $(SRCS:%.c=$(O)/%.o)
# Unit tests link the whole loader below its verbs, with the sanitizers on.
TEST_OBJS := $(patsubst %.c,$(O)/asan/%.o,$(filter-out loader/main.c loader/cmd/%,$(SRCS)))
UNIT      := $(patsubst %.c,$(O)/%,$(wildcard selftests/unit/*_test.c))
PROG      := $(patsubst %.c,$(O)/%,$(wildcard selftests/prog/*_test.c))
FUZZ      := $(patsubst %.c,$(O)/%,$(wildcard selftests/fuzz/*_fuzz.c))
# What all of these share.
PROG_OBJS := $(patsubst %.c,$(O)/%.o,$(filter-out %_test.c,$(wildcard selftests/prog/*.c)))
# Everything else a test runs: helpers of the net suite, benchmarks.
TOOLS     := $(patsubst %.c,$(O)/%,$(wildcard selftests/tools/*.c))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all deps tests check run-check check-unit check-vm check-vm-all check-systemd fuzz corpus demo run-demo bench-prog lint format install uninstall dist deb clean help always

all: $(O)/xdp-cpumap

help:
	@echo 'make           build $(O)/xdp-cpumap'
	@echo 'make deps      install what building and testing need'
	@echo 'make demo      steer real traffic between two network namespaces, and show where it went'
	@echo 'make check     all tests that need no virtual machine'
	@echo 'make check-vm  the tests on other kernels and boards, under QEMU'
	@echo 'make check-systemd  a Debian that boots with our package, under QEMU'
	@echo 'make fuzz      the parsers against random input, FUZZ_SECONDS=$(FUZZ_SECONDS) for each'
	@echo 'make lint      layout, static analysis, the directions between folders'
	@echo 'make bench-prog  ns per packet of the XDP program'
	@echo 'make install   to $$(DESTDIR)$$(PREFIX), PREFIX=$(PREFIX); make uninstall'
	@echo 'make deb       a Debian package, in $(O)/deb'
	@echo 'make dist      a source tarball of the commit'

deps:
	$(Q)scripts/deps

# ---- the data plane -------------------------------------------------------------------------
$(O)/bpf/%.bpf.o: bpf/%.bpf.c vmlinux.h
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@
	$(Q)$(LLVM_STRIP) -g -x --remove-section=.rel.BTF.ext $@

$(O)/bpf/%.skel.h: $(O)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*) >$@

# A checksum of the programs: an upgrade that brings others lets them take over.
$(O)/bpf/%.id.h: $(O)/bpf/%.bpf.o
	$(call say,ID,$@)
	$(Q)cksum <$< | awk '{ print "#define PROGRAMS_ID " $$1 "u" }' >$@

# ---- the loader -----------------------------------------------------------------------------
$(O)/xdp-cpumap: $(OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS_) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(O)/loader/%.o: loader/%.c | $(SKELS)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) -MMD -MP -c $< -o $@

# ---- tests ----------------------------------------------------------------------------------
$(O)/asan/%.o: %.c | $(SKELS)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_) $(SANITIZE) -MMD -MP -c $< -o $@

$(O)/selftests/unit/%_test: $(O)/asan/selftests/unit/%_test.o $(TEST_OBJS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_) $(SANITIZE) $(LDFLAGS) $^ $(LDLIBS) -lcmocka -o $@

# A fuzzer stands on the pure code alone: clang compiles it anew, for the coverage.
FUZZ_SRCS := $(wildcard loader/lib/text.c loader/lib/say.c loader/lib/cpuset.c loader/lib/prefix.c loader/policy/*.c) \
             selftests/prog/native.c
$(O)/selftests/fuzz/%_fuzz: selftests/fuzz/%_fuzz.c $(FUZZ_SRCS) $(wildcard bpf/*.bpf.h include/cpumap/*.h)
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(CPPFLAGS) -Iselftests -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined \
		-fno-sanitize=alignment -fno-sanitize-recover=all $(filter %.c,$^) $(LDLIBS) -o $@

# This one writes the tables as the loader does.
$(O)/selftests/prog/rule_test: $(patsubst %,$(O)/loader/%.o,plan/ruleset policy/rules policy/cpus \
	lib/text lib/say lib/cpuset lib/prefix)

# And this one reads what they count as `stats` does.
$(O)/selftests/prog/wide_test: $(patsubst %,$(O)/loader/%.o,$(addprefix stats/,snapshot watched host rules \
	view view_slots view_rules fields diagnose render_json) $(addprefix lib/,percpu home netns file json text say cpuset))

$(O)/selftests/prog/%_test: $(O)/selftests/prog/%_test.o $(PROG_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS_) $(LDFLAGS) $^ $(LDLIBS) -lcmocka -o $@

$(O)/selftests/tools/%: $(O)/selftests/tools/%.o $(PROG_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS_) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(O)/selftests/%.o: selftests/%.c | $(SKELS)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Iselftests $(CFLAGS_) -MMD -MP -c $< -o $@

# FUZZ_SECONDS for each fuzzer; what it found stays in $(O)/fuzz for the next time.
FUZZ_SECONDS ?= 20
fuzz: $(FUZZ)
	$(Q)for fuzz in $(FUZZ); do \
		mkdir -p $(O)/fuzz/$${fuzz##*/}; \
		$$fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -print_final_stats=1 \
			-artifact_prefix=$(O)/fuzz/ $(O)/fuzz/$${fuzz##*/} \
			$$(ls -d selftests/fuzz/corpus/$${fuzz##*/} 2>/dev/null) || exit 1; \
	done

# The frames of the rows are what the parser's fuzzer begins with: after a change of the rows.
corpus: $(O)/selftests/tools/make_corpus
	$(Q)rm -rf selftests/fuzz/corpus/parse_fuzz && mkdir -p selftests/fuzz/corpus/parse_fuzz
	$(Q)$< selftests/fuzz/corpus/parse_fuzz

# The two commands of the README install what they need before anything is built.
check: deps
	$(Q)$(MAKE) --no-print-directory run-check

demo:
	$(Q)scripts/deps demo
	$(Q)$(MAKE) --no-print-directory run-demo

run-check: tests
	$(Q)selftests/run

# What needs no root, for who builds a package.
check-unit: $(UNIT)
	$(Q)selftests/run unit

run-demo: all
	$(Q)scripts/demo

tests: all $(UNIT) $(PROG) $(FUZZ) $(TOOLS)

# VM=NAME: one row of selftests/vm/cells. Without it their smoke tests.
check-vm: tests
	$(Q)selftests/vm/run $(or $(VM),smoke)

# Debian with systemd and our package: boots, reloads, upgrades, removal.
check-systemd:
	$(Q)selftests/vm/systemd/run

check-vm-all: tests
	$(Q)selftests/vm/run all

bench-prog: $(O)/selftests/tools/bench_prog
	$(Q)$<

lint:
	$(Q)scripts/lint

format:
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h' | grep -v '^vmlinux.h$$')

# ---- install --------------------------------------------------------------------------------
UNITS     := $(patsubst %,$(O)/%,$(wildcard systemd/*.service))
# FILE=TO=MODE of all that is installed.
to         = $(foreach file,$(1),$(file)=$(2)/$(notdir $(file))=0644)
INSTALLED  = $(O)/xdp-cpumap=$(SBINDIR)/xdp-cpumap=0755 \
             $(call to,$(wildcard man/*.5),$(MANDIR)/man5) $(call to,$(wildcard man/*.8),$(MANDIR)/man8) \
             $(call to,$(UNITS),$(UNITDIR)) \
             $(call to,$(wildcard README.md CHANGELOG.md SECURITY.md docs/*),$(DOCDIR)) \
             $(call to,completions/_xdp-cpumap,$(ZSHCOMP)) \
             completions/xdp-cpumap.bash=$(BASHCOMP)/xdp-cpumap=0644

# Each time, since SBINDIR may be another one.
$(UNITS): $(O)/%: % always
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sed 's|@SBINDIR@|$(SBINDIR)|g' $< >$@

install: all $(UNITS)
	$(call say,INST,$(DESTDIR)$(SBINDIR)/xdp-cpumap)
	$(Q)DESTDIR=$(DESTDIR) scripts/install add $(PREFIX) $(INSTALLED)

uninstall:
	$(Q)DESTDIR=$(DESTDIR) scripts/install remove $(PREFIX) $(INSTALLED)

# What git has, as a tarball; the same bytes for the same commit.
dist:
	$(call say,DIST,$(O)/xdp-cpumap-$(VERSION).tar.gz)
	$(Q)mkdir -p $(O)
	$(Q)git archive --prefix=xdp-cpumap-$(VERSION)/ HEAD | gzip -9n >$(O)/xdp-cpumap-$(VERSION).tar.gz

# Debian packages, in $(O)/deb. DEB_FLAGS: for dpkg-buildpackage.
DEB_FLAGS ?= -us -uc
deb: dist
	$(call say,DEB,$(O)/deb)
	$(Q)rm -rf $(O)/deb && mkdir -p $(O)/deb
	$(Q)tar -C $(O)/deb -xzf $(O)/xdp-cpumap-$(VERSION).tar.gz
	$(Q)cp $(O)/xdp-cpumap-$(VERSION).tar.gz $(O)/deb/xdp-cpumap_$(VERSION).orig.tar.gz
	$(Q)cp -r packaging/debian $(O)/deb/xdp-cpumap-$(VERSION)/debian
	$(Q)cd $(O)/deb/xdp-cpumap-$(VERSION) && env -u O -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage $(DEB_FLAGS)

clean:
	$(Q)rm -rf $(O)

-include $(shell find $(O) -name '*.d' 2>/dev/null)
