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
SEED ?= 1
VERSION := 0.1.0

# Libraries are listed in libraries.txt.  Where an optional one is not installed,
# the files that need it are left out, and missing.c in their folder refuses, by
# the library's name, what they would have done.  WITHOUT="libhdf5 libxml2" builds
# as if these were not installed.
LIBRARIES = $(shell scripts/libraries $(1))
TEST_PACKAGES := cmocka
FOUND := $(foreach p,$(call LIBRARIES,optional $(WITHOUT)),\
    $(shell pkg-config --exists $(p) && echo $(p)))
PACKAGES := $(call LIBRARIES,required) $(FOUND)
UNKNOWN := $(filter-out $(if $(WITHOUT),$(call LIBRARIES,optional-names)),$(WITHOUT))
ifneq ($(strip $(UNKNOWN)),)
$(error WITHOUT: libraries.txt has no optional library $(UNKNOWN))
endif
LEFT_OUT := $(call LIBRARIES,left-out $(FOUND))
WITH := $(call LIBRARIES,defines $(FOUND))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wformat=2 \
    -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
    -Wwrite-strings -Wcast-qual -Wpointer-arith -Wconversion
DEBUG ?= -g
CFLAGS ?= -O2 $(DEBUG) -fstack-protector-strong -D_FORTIFY_SOURCE=2
LDFLAGS ?=
BASE_CFLAGS := -std=c17 -D_POSIX_C_SOURCE=200809L -DPRESTO_VERSION='"$(VERSION)"' \
    -ffp-contract=off -fvisibility=hidden -fPIC -pthread -I. -I$(BUILD) \
    $(WITH) $(shell pkg-config --cflags $(PACKAGES))
# Some libraries are loaded when they are needed, since they need many others:
# see cmd/page/png.c, lib/signal/hdf5_library.c, lib/media/http/curl_library.c
# and lib/service/tls.c.
LOADED := librsvg-2.0 hdf5 libcurl libssl
LIBS := -Wl,--as-needed \
    $(shell pkg-config --libs $(filter-out $(LOADED),$(PACKAGES))) -pthread -lm

LIB_ROOMS := api lib strategies datasets
LIB_SOURCES := $(sort $(filter-out $(LEFT_OUT),\
    $(shell find $(LIB_ROOMS) -name '*.c')))
API_SOURCES := $(filter api/%,$(LIB_SOURCES))
CMD_SOURCES := $(sort $(filter-out $(LEFT_OUT),$(shell find cmd -name '*.c')))
UNIT_SOURCES := $(sort $(filter-out $(LEFT_OUT),$(wildcard test/unit/test_*.c)))
UNIT_SHARED := $(sort $(filter-out test/unit/test_% $(LEFT_OUT),\
    $(wildcard test/unit/*.c)))
BENCH_SOURCES := $(sort $(filter-out $(LEFT_OUT),\
    $(wildcard test/bench/bench_*.c)))
BENCH_SHARED := $(sort $(filter-out test/bench/bench_%,$(wildcard test/bench/*.c)) \
    test/unit/lmdb_maker.c test/unit/http_serve.c)
FUZZ_SOURCES := $(sort $(filter-out $(LEFT_OUT),$(wildcard test/fuzz/fuzz_*.c)))
SIMULATE_SOURCES := $(sort $(wildcard test/simulate/*.c))

object = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB_OBJECTS := $(call object,$(LIB_SOURCES))
CMD_OBJECTS := $(call object,$(CMD_SOURCES))
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(UNIT_SOURCES))
# Those of `make bench`; scripts/compare-loaders runs bench_fill.
BENCHES := $(filter-out %/bench_fill,$(patsubst %.c,$(BUILD)/%,$(BENCH_SOURCES)))
FUZZERS := $(patsubst %.c,$(BUILD)/%,$(FUZZ_SOURCES))

# For missing.c of each folder, and for the record of the libraries' versions.
$(BUILD)/%/missing.o: LIBRARY_CFLAGS = '-DMISSING_LIBRARIES=$(call \
    LIBRARIES,missing $(patsubst %/,%,$(dir $<)) $(FOUND))'
$(BUILD)/lib/measure/libraries.o: LIBRARY_CFLAGS = \
    '-DLIBRARY_VERSIONS=$(call LIBRARIES,versions $(FOUND))'
$(BUILD)/lib/signal/hdf5_library.o: LIBRARY_CFLAGS = \
    '-DHDF5_LIBRARY="$(shell scripts/soname H5open "$(CC)" \
    $$(pkg-config --libs hdf5))"'
$(BUILD)/lib/media/http/curl_library.o: LIBRARY_CFLAGS = \
    '-DCURL_LIBRARY="$(shell scripts/soname curl_easy_init "$(CC)" \
    $$(pkg-config --libs libcurl))"'
$(BUILD)/lib/service/tls.o: LIBRARY_CFLAGS = \
    '-DSSL_LIBRARY="$(shell scripts/soname SSL_new "$(CC)" \
    $$(pkg-config --libs libssl))"'

Q = $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)	$@')

## all: the program, the library, and the archive of everything but commands, in build/ (default)
all: $(BUILD)/presto $(BUILD)/libpresto.so $(BUILD)/libpresto.a

$(BUILD)/%.o: %.c Makefile libraries.txt
	$(call say,CC)
	@[ -d $(@D) ] || mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(LIBRARY_CFLAGS) $(WARNINGS) $(CFLAGS) -MMD -MP \
	    -c -o $@ $<

# The schema is kept as SQL, and compiled in: as numbers, since C compilers
# need not take a string of its length.
$(BUILD)/lib/db/%.inc: lib/db/%.sql
	$(call say,SQL)
	@mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g' > $@

SCHEMA := $(patsubst %.sql,$(BUILD)/%.inc,$(wildcard lib/db/*.sql))
$(BUILD)/lib/db/migrate.o $(BUILD)/test/unit/sql.o: $(SCHEMA)

# What every HTML page has, likewise.
$(BUILD)/cmd/html/%.inc: cmd/html/%
	$(call say,OD)
	@mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g' > $@

ASSETS := $(patsubst %,$(BUILD)/%.inc,\
    $(wildcard $(addprefix cmd/html/*.,css js html)))
$(BUILD)/cmd/html/assets.o: $(ASSETS)

# The programs that run python steps and loaders of the user's own, likewise.
$(BUILD)/%.py.inc: %.py
	$(call say,OD)
	@mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g' > $@

$(BUILD)/lib/python/program.o: $(BUILD)/lib/python/worker.py.inc \
    $(BUILD)/lib/python/user_code.py.inc
$(BUILD)/strategies/trial/user_loader.o: \
    $(BUILD)/strategies/trial/user_loader.py.inc

$(BUILD)/libpresto.a: $(LIB_OBJECTS)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# What presto.h declares, and nothing else: the map has no other names, and the
# objects hide all that the header does not show.  It stays when it is closed,
# as its handler of SIGBUS does.
SONAME := libpresto.so.1
$(BUILD)/$(SONAME): $(call object,$(API_SOURCES)) $(BUILD)/libpresto.a \
    api/libpresto.map
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) \
	    -Wl,-z,defs,-z,nodelete,--version-script=api/libpresto.map -o $@ \
	    $(filter-out %.map,$^) $(LIBS)
$(BUILD)/libpresto.so: $(BUILD)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

# The commands without main, so that tests can take what they test.
$(BUILD)/cmd.a: $(filter-out $(BUILD)/cmd/main.o,$(CMD_OBJECTS))
	$(call say,AR)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/presto: $(CMD_OBJECTS) $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The program with every step 10 % slower, for tests of comparisons.
$(BUILD)/test/slower/presto: $(call object,test/slower/slower.c) $(CMD_OBJECTS) \
    $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--wrap=chain_next \
	    -Wl,--wrap=chain_admit -o $@ $^ $(LIBS)

# Libraries to preload, which disturb calls of the program: test/faults/fault.h.
# They are built without sanitizers whatever the program has.
FAULTS := $(BUILD)/test/faults/calls.so $(BUILD)/test/faults/memory.so
$(BUILD)/test/faults/%.so: test/faults/%.c test/faults/fault.c \
    test/faults/fault.h Makefile
	$(call say,LD)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(WARNINGS) -O2 -shared -o $@ \
	    $(filter %.c,$^) -ldl

# A hundred programs are linked to test: by the linker that takes least.
FAST_LINKER := $(firstword $(foreach l,lld gold,\
    $(shell command -v ld.$(l) >/dev/null && echo -fuse-ld=$(l))))

TEST_CFLAGS := $(shell pkg-config --cflags $(TEST_PACKAGES))
# Some tests call libraries themselves that presto loads.
CALLED := $(filter hdf5 libcurl,$(FOUND))
CALLED_LIBS := -Wl,--as-needed $(if $(CALLED),$(shell pkg-config --libs $(CALLED)))
TEST_LIBS := $(shell pkg-config --libs $(TEST_PACKAGES)) $(CALLED_LIBS)

$(BUILD)/test/unit/%.o: BASE_CFLAGS += $(TEST_CFLAGS)

# An archive, so that a test is linked with what it needs alone.
$(BUILD)/test/unit/shared.a: $(call object,$(UNIT_SHARED))
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/test/unit/test_%: $(BUILD)/test/unit/test_%.o \
    $(BUILD)/test/unit/shared.a $(BUILD)/cmd.a $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(FAST_LINKER) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) $(LIBS)

$(BUILD)/test/unit/test_allocations: LDFLAGS += -Wl,--wrap=malloc \
    -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=aligned_alloc
$(BUILD)/test/unit/test_cold: LDFLAGS += -Wl,--wrap=sync_file_range \
    -Wl,--wrap=fdatasync -Wl,--wrap=posix_fadvise \
    -Wl,--wrap=page_cache_shows -Wl,--wrap=page_cache_drop_names \
    -Wl,--wrap=layers_add
$(BUILD)/test/unit/test_durable: LDFLAGS += -Wl,--wrap=fsync \
    -Wl,--wrap=temporary_publish -Wl,--wrap=path_rename
$(BUILD)/test/unit/test_hdf5_load: LDFLAGS += -Wl,--wrap=dlopen \
    -Wl,--wrap=dlsym
$(BUILD)/test/unit/test_lock: LDFLAGS += -Wl,--wrap=pread -Wl,--wrap=pwrite \
    -Wl,--wrap=lstat -Wl,--wrap=fcntl
$(BUILD)/test/unit/test_machine: LDFLAGS += -Wl,--wrap=getrusage
$(BUILD)/test/unit/test_out_of_memory: LDFLAGS += -Wl,--wrap=malloc \
    -Wl,--wrap=calloc -Wl,--wrap=realloc
$(BUILD)/test/unit/test_packer: LDFLAGS += -Wl,--wrap=chain_new
$(BUILD)/test/unit/test_private: LDFLAGS += -Wl,--wrap=getpwuid
$(BUILD)/test/unit/test_queue: LDFLAGS += -Wl,--wrap=pthread_cond_signal \
    -Wl,--wrap=pthread_cond_broadcast
$(BUILD)/test/unit/test_results: LDFLAGS += -Wl,--wrap=access
$(BUILD)/test/unit/test_results_move: LDFLAGS += -Wl,--wrap=buf_printf
$(BUILD)/test/unit/test_session: LDFLAGS += -Wl,--wrap=own_folder_empty
$(BUILD)/test/unit/test_trial: LDFLAGS += -Wl,--wrap=usage_read
$(BUILD)/test/unit/test_verified: LDFLAGS += -Wl,--wrap=store_open \
    -Wl,--wrap=memory_room_check_load

$(BUILD)/test/bench/bench_%: $(BUILD)/test/bench/bench_%.o \
    $(call object,$(BENCH_SHARED)) $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(CALLED_LIBS) $(LIBS)

# The loader once more, with no question whether it is traced: bench_trace has
# it beside the other, so of its names only these are seen.
UNTRACED := $(patsubst %.c,$(BUILD)/untraced/%.o,lib/pipeline/chain.c lib/pipeline/fuse.c \
    lib/pipeline/field_steps.c $(filter-out %/cache.c,$(sort $(wildcard lib/loader/*.c))) \
    test/bench/load.c)
$(BUILD)/untraced/%.o: BASE_CFLAGS += -DWITHOUT_TRACE \
    $(foreach f,init release samples,-Dload_$(f)=untraced_load_$(f))
$(BUILD)/untraced/%.o: %.c Makefile
	$(call say,CC)
	@[ -d $(@D) ] || mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(WARNINGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/untraced/all.o: $(UNTRACED)
	$(call say,LD)
	$(Q)$(CC) -r -o $@ $^
	$(Q)objcopy --wildcard --keep-global-symbol='untraced_*' $@

$(BUILD)/test/bench/bench_trace: $(BUILD)/untraced/all.o

# What a compiler warns of does not need linking.
test-objects: $(call object,$(UNIT_SHARED) $(UNIT_SOURCES) $(BENCH_SHARED) \
    $(BENCH_SOURCES) $(FUZZ_SOURCES) $(SIMULATE_SOURCES) test/slower/slower.c \
    $(wildcard test/faults/*.c) $(wildcard test/scale/*.c) $(PYTHON_SOURCES))

# ---- Python ----

# The module presto, as the wheel has it: setup.py packs what is built here.
PYTHON ?= python3
PYTHON_SOURCES := $(sort $(wildcard python/module/*.c))
EXTENSION := $(BUILD)/python/presto/_presto.abi3.so
PYTHON_FILES := $(addprefix $(BUILD)/,$(sort $(shell find python/presto \
    -name '*.py' -o -name '*.pyi' -o -name py.typed)))
## python: the Python package, in build/python; PYTHON=python3 has the headers
python: $(EXTENSION) $(PYTHON_FILES)

# Tables of Python hold functions as void *, and literals as char *.
$(BUILD)/python/module/%.o: WARNINGS := \
    $(filter-out -Wpedantic -Wwrite-strings,$(WARNINGS))
$(BUILD)/python/module/%.o: LIBRARY_CFLAGS = -isystem $(shell $(PYTHON) -c \
    'import sysconfig; print(sysconfig.get_path("include"))')

# It has all of the library in it, and shows nothing of that.
$(EXTENSION): $(call object,$(PYTHON_SOURCES)) \
    $(BUILD)/libpresto.a python/module/exports.map
	$(call say,LD)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $(filter %.o %.a,$^) \
	    -Wl,--version-script=python/module/exports.map $(LIBS)

$(PYTHON_FILES): $(BUILD)/%: %
	$(call say,CP)
	@mkdir -p $(@D)
	$(Q)cp $< $@

## check-python: test the Python package, and what it packs as a wheel
check-python: python $(BUILD)/presto
	$(Q)PYTHONPATH=$(abspath $(BUILD)/python) PYTHONDONTWRITEBYTECODE=1 \
	    PRESTO=$(abspath $(BUILD)/presto) PRESTO_BUILT=$(BUILD) \
	    $(PYTHON) -m unittest discover -q -s test/python

# ---- tests ----

# Tests by their names: T is a part of them.
T ?=
named = $(strip $(foreach t,$(1),$(if $(findstring $(T),$(t)),$(t))))
CLI_TESTS := $(sort $(patsubst test/cli/%.sh,%,$(wildcard test/cli/*/*.sh)))
T_UNIT = $(strip $(if $(T),\
    $(addprefix $(BUILD)/test/unit/,$(call named,$(notdir $(UNIT_TESTS))))))
T_CLI = $(if $(T),$(call named,$(CLI_TESTS)))
## test: the unit and command-line tests with T in their names: make test T=rank
test: $(T_UNIT) $(if $(T_CLI),$(BUILD)/presto $(BUILD)/libpresto.so \
    $(BUILD)/test/slower/presto)
	@[ -n "$(T_UNIT)$(T_CLI)" ] || \
	    { echo 'make test: no test is named so: T=$(T)'; exit 1; }
	@printf '%s\n' $(patsubst $(BUILD)/test/unit/%,%,$(T_UNIT)) $(T_CLI)
	$(if $(T_UNIT),$(Q)scripts/run-unit $(T_UNIT))
	$(if $(T_CLI),$(Q)test/cli/run $(BUILD)/presto $(T_CLI))

## unit: build the unit tests
unit: $(UNIT_TESTS)

## check-unit: run the unit tests
check-unit: $(UNIT_TESTS)
	$(Q)scripts/run-unit $(UNIT_TESTS)

## check-cli: run the program as its users do, against golden files
check-cli: $(BUILD)/presto $(BUILD)/libpresto.so $(BUILD)/test/slower/presto
	$(Q)test/cli/run $(BUILD)/presto
# All but what tests a shell script, with builds of its own, and what installs.
check-cli-presto: $(BUILD)/presto
	$(Q)test/cli/run $(BUILD)/presto \
	    $(filter-out api ci,$(notdir $(patsubst %/,%,$(wildcard test/cli/*/))))

## check-man: compare the manual with -h; run its examples and the README's
check-man: check-pages check-readme
check-pages: $(BUILD)/presto
	$(Q)scripts/check-man $(BUILD)/presto
check-readme: $(BUILD)/presto
	$(Q)scripts/check-readme $(BUILD)/presto

## check-page: look at the page of a report in a browser
check-page: $(BUILD)/presto
	$(Q)scripts/check-page $(BUILD)/presto

## picture: draw doc/throughput.svg, the picture of the README
picture: $(BUILD)/presto
	$(Q)scripts/draw-picture $(BUILD)/presto

## check-faults: kill the program and let calls fail, at a few of many points
check-faults: $(BUILD)/presto $(FAULTS)
	$(Q)scripts/soak --sample -j 2 --seed $(SEED) --presto $(BUILD)/presto \
	    --libraries $(BUILD)/test/faults
## soak-far: 200 runs over HTTP and 200 to S3 with random faults, in a quarter of an hour
soak-far: $(BUILD)/presto
	$(Q)rm -rf $(BUILD)/soak-far && mkdir -p $(BUILD)/soak-far
	$(Q)$(BUILD)/presto generate photos --count 24 --set width=200 --seed 3 \
	    --out $(BUILD)/soak-far/photos >/dev/null
	$(Q)printf '%s\n' '[dataset]' 'source = folder' 'path = photos' 'match = *.jpg' \
	    '[pipeline]' 'decoded = jpeg_decode' >$(BUILD)/soak-far/raw.conf
	$(Q)$(BUILD)/presto materialize $(BUILD)/soak-far/raw.conf --shards 3 \
	    --strategy raw/tar/none --shuffle no --out $(BUILD)/soak-far/packed >/dev/null
	$(Q)test/far/soak_http.py $(BUILD)/presto $(BUILD)/soak-far/packed --seed $(SEED)
	$(Q)test/far/soak_s3 $(BUILD)/presto 200 $(SEED)

## faults: the libraries of scripts/soak, which does it at all points
faults: $(BUILD)/presto $(FAULTS)

## check-tree: who may include whom, who prints, how long functions are
check-tree:
	$(Q)scripts/check-deps
	$(Q)scripts/check-printing
	$(Q)scripts/check-size

# -g1: a report needs lines, and no more; variables would make the build longer.
SANITIZE_CFLAGS := -O1 -g1 -fno-omit-frame-pointer
## check-asan: unit and command-line tests, but for the CI script's, under AddressSanitizer and UBSan
check-asan:
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/asan \
	    CFLAGS="$(SANITIZE_CFLAGS) -fsanitize=address,undefined \
	    -fno-sanitize-recover=undefined" check-unit check-cli-presto

TSAN_TESTS := $(BUILD)/tsan/test/unit/test_cache \
    $(BUILD)/tsan/test/unit/test_chain \
    $(BUILD)/tsan/test/unit/test_http_objects \
    $(BUILD)/tsan/test/unit/test_lent \
    $(BUILD)/tsan/test/unit/test_loader \
    $(BUILD)/tsan/test/unit/test_mapping \
    $(BUILD)/tsan/test/unit/test_api \
    $(BUILD)/tsan/test/unit/test_ordered \
    $(BUILD)/tsan/test/unit/test_prepare $(BUILD)/tsan/test/unit/test_trial \
    $(BUILD)/tsan/test/unit/test_probe $(BUILD)/tsan/test/unit/test_python \
    $(BUILD)/tsan/test/unit/test_s3_upload
## check-tsan: what runs in threads, under ThreadSanitizer
check-tsan:
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan \
	    CFLAGS="$(SANITIZE_CFLAGS) -fsanitize=thread" \
	    $(TSAN_TESTS) $(BUILD)/tsan/presto
	$(Q)scripts/run-unit $(TSAN_TESTS)
	$(Q)test/cli/run $(BUILD)/tsan/presto \
	    profile/too_little_room_skips_a_strategy

ARM64 := aarch64-linux-gnu
ARM64_TESTS := $(addprefix $(BUILD)/arm64/test/unit/test_,codec codecs \
    deflate_walk transforms steps image_steps graph_steps signal_steps \
    spectral_steps augment resample half hash png_fast jpeg tfrecord store_npy)
# What these tests need is built, and no more: a test that needs another room says
# so when it is linked.
ARM64_ROOMS := $(addprefix lib/,base files process syntax stats sample media \
    image audio codecs web tokens graph signal python own steps formats stores)
## check-arm64: codecs and steps, built for arm64 and run by qemu
check-arm64:
	$(Q)PKG_CONFIG_LIBDIR=/usr/lib/$(ARM64)/pkgconfig:/usr/share/pkgconfig \
	    $(MAKE) --no-print-directory BUILD=$(BUILD)/arm64 CC=$(ARM64)-gcc \
	    AR=$(ARM64)-ar FAST_LINKER= LIB_ROOMS="$(ARM64_ROOMS)" CMD_SOURCES= \
	    $(ARM64_TESTS)
	$(Q)RUN_WITH=qemu-aarch64 scripts/run-unit $(ARM64_TESTS)

## check: the unit and command-line tests
check: check-unit check-cli check-scale check-tree

# Clang works on these for 16 s at -O1, and the targets hardly run them.
KERNELS_CFLAGS :=
$(BUILD)/lib/audio/kernels_%.o: override CFLAGS += $(KERNELS_CFLAGS)
MAKE_FUZZ = $(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=$(CLANG) \
    CFLAGS="$(SANITIZE_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined \
    -fno-sanitize-recover=undefined" KERNELS_CFLAGS=-O0 SECONDS=$(SECONDS)
## fuzz: every fuzz target for SECONDS seconds (clang)
fuzz:
	+$(Q)$(MAKE_FUZZ) run-fuzzers
## fuzzers: build the fuzz targets
fuzzers:
	+$(Q)$(MAKE_FUZZ) build-fuzzers
build-fuzzers: $(FUZZERS)

# What no target needs is not built for them, which is 30 s of clang.  A target
# that needs more of it says so when it is linked: then name it here.
FUZZ_NEEDS := $(addprefix strategies/,whatif/accelerators.c whatif/demand.c plan/auto_codecs.c plan/cache_list.c \
    orders/orders.c orders/orders_cost.c plan/enumerate.c plan/plan_modes.c plan/sweep.c \
    plan/strategies.c whatif/offload.c plan/plan.c plan/stored_order.c figures/figures.c figures/load_figures.c \
    plan/strategy.c whatif/virtual_nodes.c whatif/virtual_nodes_search.c \
    parts/job_file.c parts/part_file.c parts/place.c parts/sealed.c \
    planfile/plan_file.c planfile/plan_print.c planfile/plan_rows.c) \
    lib/loader/demand_report.c $(addprefix lib/measure/,libraries.c event_log.c archive_version.c memory.c stopwatch.c system.c virtual.c mount.c storage/cold.c)
FUZZ_LEAVES := $(filter-out $(FUZZ_NEEDS),$(filter api/% strategies/% lib/measure/% \
    datasets/generators/% lib/loader/% lib/db/results_% $(addprefix lib/,\
    signal/hdf5_writer.c audio/sound_writer.c tokens/bpe_train.c),$(LIB_SOURCES)))
FUZZ_CMD := cmd/writers/report_columns.c cmd/report/read.c cmd/writers/csv.c \
    cmd/writers/json.c
FUZZ_OBJECTS := $(call object,$(filter-out $(FUZZ_LEAVES),$(LIB_SOURCES)) \
    $(FUZZ_CMD))
$(BUILD)/fuzzed.a: $(FUZZ_OBJECTS)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

run-fuzzers: $(FUZZERS)
	$(Q)scripts/run-fuzzers $(SECONDS) $(FUZZERS)

$(BUILD)/test/fuzz/%: $(BUILD)/test/fuzz/%.o $(BUILD)/fuzzed.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(FAST_LINKER) $(LDFLAGS) -o $@ $^ $(LIBS)

## bench: paths against their bare loops, ROUNDS times, into build/bench.json
bench: $(BENCHES) $(BUILD)/presto
	$(Q)scripts/run-bench $(BUILD) $(BENCHES)

SIMULATE := $(BUILD)/test/simulate/simulate
$(SIMULATE): $(call object,$(SIMULATE_SOURCES)) $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

## simulate: count wrong answers on generated sessions, as one table
simulate: $(SIMULATE)
	$(Q)$(SIMULATE)

SCALE := $(BUILD)/test/scale/scale
$(SCALE): $(BUILD)/test/scale/scale.o $(BUILD)/libpresto.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

## scale: memory and time of plans, manifests and loaders with SAMPLES in SHARDS
scale: SAMPLES ?= 1000000000
scale: SHARDS ?= 1000000
scale: $(SCALE) $(BUILD)/presto
	$(Q)$(SCALE) $(BUILD)/presto $(SAMPLES) $(SHARDS)
# The bounds of `make scale`; with more than 4,096 shards the loader opens late.
check-scale: $(SCALE) $(BUILD)/presto
	$(Q)$(SCALE) $(BUILD)/presto 1000000 5000

## coverage: line coverage of the unit and command-line tests
coverage:
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage \
	    CFLAGS="-O0 -g --coverage" check-unit check-cli
	$(Q)gcovr --root . --object-directory $(BUILD)/coverage \
	    --filter 'api/|lib/|strategies/|datasets/|cmd/' --fail-under-line 75

# ---- style ----

STYLED := $(sort $(shell find api cmd lib python strategies datasets examples test \
    -name '*.c' -o -name '*.h'))

# Clang's own warnings of the program come with clang-tidy's, which reads it
# anyway; only the tests are read here.
CLANG_WARNINGS := -Werror -Wmissing-variable-declarations \
    -Wno-string-concatenation
## lint: clang with all warnings as errors, clang-tidy, cppcheck, shellcheck
lint: fmt-check lint-clang $(SCHEMA) $(ASSETS) \
    $(BUILD)/lib/python/worker.py.inc $(BUILD)/lib/python/user_code.py.inc \
    $(BUILD)/strategies/trial/user_loader.py.inc
	$(Q)scripts/lint "$(filter-out -DPRESTO_VERSION%,$(BASE_CFLAGS))" \
	    "$(WARNINGS) $(CLANG_WARNINGS)"

lint-clang:
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/lint CC=$(CLANG) \
	    CFLAGS="-fsyntax-only $(CLANG_WARNINGS)" test-objects

## fmt: format all sources
fmt:
	$(Q)clang-format -i $(STYLED)

## fmt-check: fail where fmt would change something
fmt-check:
	$(Q)clang-format --dry-run -Werror $(STYLED)

# ---- installing ----

BINDIR := $(DESTDIR)$(PREFIX)/bin
LIBDIR := $(DESTDIR)$(PREFIX)/lib
INCLUDEDIR := $(DESTDIR)$(PREFIX)/include
MANDIR := $(DESTDIR)$(PREFIX)/share/man
SHAREDIR := $(DESTDIR)$(PREFIX)/share/presto
MAN_PAGES := $(sort $(wildcard man/*.[1-8]))
BASHDIR := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISHDIR := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

# The program writes its completions.  Where it was built for another machine,
# HOST_PRESTO names a presto of the same version that runs here.
HOST_PRESTO ?= $(BUILD)/presto
COMPLETIONS := $(addprefix $(BUILD)/completions/presto.,bash fish zsh)
$(COMPLETIONS): $(BUILD)/completions/presto.%: $(BUILD)/presto
	$(call say,GEN)
	@mkdir -p $(@D)
	$(Q)$(HOST_PRESTO) completions $* > $@

## install: the program, the library, manual, completions and the gate for CI, below DESTDIR and PREFIX
install: $(BUILD)/presto $(COMPLETIONS) install-library
	install -d $(BINDIR) $(SHAREDIR)
	install -m 755 $(BUILD)/presto $(BINDIR)/presto
	install -m 755 scripts/presto-ci-gate $(BINDIR)/presto-ci-gate
	install -m 644 datasets/ci.conf $(SHAREDIR)/ci.conf
	for page in $(MAN_PAGES); do \
	    install -d $(MANDIR)/man$${page##*.}; \
	    install -m 644 $$page $(MANDIR)/man$${page##*.}/; done
	install -d $(BASHDIR) $(FISHDIR) $(ZSHDIR)
	install -m 644 $(BUILD)/completions/presto.bash $(BASHDIR)/presto
	install -m 644 $(BUILD)/completions/presto.fish $(FISHDIR)/presto.fish
	install -m 644 $(BUILD)/completions/presto.zsh $(ZSHDIR)/_presto

## install-library: the library, its header and presto.pc alone
install-library: $(BUILD)/$(SONAME)
	install -d $(LIBDIR)/pkgconfig $(INCLUDEDIR)
	install -m 644 api/presto.h $(INCLUDEDIR)/presto.h
	install -m 644 $(BUILD)/$(SONAME) $(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(LIBDIR)/libpresto.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	    api/presto.pc.in > $(LIBDIR)/pkgconfig/presto.pc
	chmod 644 $(LIBDIR)/pkgconfig/presto.pc

## uninstall: what install has put there
uninstall:
	rm -f $(BINDIR)/presto $(BINDIR)/presto-ci-gate $(SHAREDIR)/ci.conf
	rm -f $(INCLUDEDIR)/presto.h $(LIBDIR)/libpresto.so $(LIBDIR)/$(SONAME) \
	    $(LIBDIR)/pkgconfig/presto.pc
	rm -f $(BASHDIR)/presto $(FISHDIR)/presto.fish $(ZSHDIR)/_presto
	for page in $(MAN_PAGES); do \
	    rm -f $(MANDIR)/man$${page##*.}/$${page##*/}; done

## dist: presto-VERSION.tar.zst of what is committed
dist:
	git archive --prefix=presto-$(VERSION)/ HEAD | \
	    zstd -q -19 -f -o presto-$(VERSION).tar.zst

## help: this list
help:
	@sed -n 's/^## //p' Makefile

## clean: remove build/
clean:
	rm -rf $(BUILD)

.PHONY: all python check-python test unit test-objects check check-unit check-cli check-cli-presto check-man check-pages \
    check-readme check-page soak-far picture check-faults faults check-tree check-asan check-tsan check-arm64 fuzz fuzzers build-fuzzers run-fuzzers bench simulate scale check-scale \
    coverage lint lint-clang fmt fmt-check install install-library uninstall dist help clean

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
