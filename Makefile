# Makefile - builds, tests and installs presto.  `make help` lists the targets.
# Sources are found by wildcard: adding a file never needs an edit here.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

BUILD ?= build
PREFIX ?= /usr/local
CC = gcc
CLANG ?= clang
SECONDS ?= 30
VERSION := 0.1.0

PACKAGES := libjpeg libzstd liblz4 libdeflate zlib libarchive sqlite3 inih \
    jansson libxxhash
TEST_PACKAGES := cmocka libpng

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wformat=2 \
    -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
    -Wwrite-strings -Wcast-qual -Wpointer-arith -Wconversion
CFLAGS ?= -O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2
LDFLAGS ?=
BASE_CFLAGS := -std=c17 -D_POSIX_C_SOURCE=200809L -DPRESTO_VERSION='"$(VERSION)"' \
    -fvisibility=hidden -fPIC -pthread -I. -I$(BUILD) \
    $(shell pkg-config --cflags $(PACKAGES))
LIBS := $(shell pkg-config --libs $(PACKAGES)) -pthread -lm

LIB_SOURCES := $(sort $(shell find lib strategies datasets -name '*.c'))
CMD_SOURCES := $(sort $(shell find cmd -name '*.c'))
UNIT_SOURCES := $(sort $(wildcard test/unit/test_*.c))
UNIT_SHARED := $(sort $(filter-out test/unit/test_%,$(wildcard test/unit/*.c)))
BENCH_SOURCES := $(sort $(wildcard test/bench/*.c))
FUZZ_SOURCES := $(sort $(wildcard test/fuzz/fuzz_*.c))

object = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB_OBJECTS := $(call object,$(LIB_SOURCES))
CMD_OBJECTS := $(call object,$(CMD_SOURCES))
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(UNIT_SOURCES))
BENCHES := $(patsubst %.c,$(BUILD)/%,$(BENCH_SOURCES))
FUZZERS := $(patsubst %.c,$(BUILD)/%,$(FUZZ_SOURCES))

Q = $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)	$@')

## all: the program and the libraries, in build/ (default)
all: $(BUILD)/presto $(BUILD)/libpresto.a $(BUILD)/libpresto.so

$(BUILD)/%.o: %.c Makefile
	$(call say,CC)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(WARNINGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The schema is kept as SQL, and compiled in: as numbers, since C compilers
# need not take a string of its length.
$(BUILD)/lib/db/schema.inc: lib/db/schema.sql
	$(call say,SQL)
	@mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g' > $@

$(BUILD)/lib/db/migrate.o: $(BUILD)/lib/db/schema.inc

$(BUILD)/libpresto.a: $(LIB_OBJECTS)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/libpresto.so: $(LIB_OBJECTS)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ $(LIBS)

$(BUILD)/presto: $(CMD_OBJECTS) $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

TEST_CFLAGS := $(shell pkg-config --cflags $(TEST_PACKAGES))
TEST_LIBS := $(shell pkg-config --libs $(TEST_PACKAGES))

$(BUILD)/test/unit/%.o: BASE_CFLAGS += $(TEST_CFLAGS)

$(BUILD)/test/unit/test_%: $(BUILD)/test/unit/test_%.o \
    $(call object,$(UNIT_SHARED)) $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) $(LIBS)

$(BUILD)/test/bench/%: $(BUILD)/test/bench/%.o $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

## unit: build the unit tests
unit: $(UNIT_TESTS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
