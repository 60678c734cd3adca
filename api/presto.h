/*
 * presto.h - presto's loader for training programs, and steps of your own.
 *
 *	struct presto_dataset *data = presto_open("train", NULL, &err);
 *	struct presto_loader *loader = presto_loader_new(data, &options, &err);
 *
 *	while ((got = presto_loader_next(loader, &batch, &err)) > 0) {
 *		presto_batch_field(batch, 0, &x);
 *		train(x.data, presto_batch_labels(batch));
 *		presto_batch_free(batch);
 *	}
 *	presto_loader_free(loader);
 *	presto_close(data);
 *
 * C17; link with `pkg-config --libs presto`.  See libpresto(3).
 *
 * Errors.  A function that can fail returns -1 or NULL and fills in the
 * presto_error, which may be NULL; else it leaves it as it is.  Nothing is
 * printed, and no signal is touched but where libpresto(3) says so.
 *
 * Structs that begin with their size grow at the end only, so that programs go
 * on working with a later library.  The caller sets the size, also where the
 * library fills in the rest, as PRESTO_..._INIT does.
 *
 * Threads.  There is no global state.  A dataset is constant and may be shared
 * by loaders in any threads.  A loader belongs to one thread at a time, but for
 * presto_loader_interrupt.  Batches may be read and freed by any thread.
 *
 * Processes.  A loader has threads, which a fork does not copy: the child's
 * calls of presto_loader_next fail and say so.  Open and make loaders in the
 * process that uses them.
 */
#ifndef PRESTO_H
#define PRESTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define PRESTO_DIMS_MAX 9 /* 8 of a sample, and one more of a batch */

/* ---- errors ---- */

enum presto_code {
	PRESTO_OK,
	PRESTO_FAILED,      /* data, memory or the operating system */
	PRESTO_USAGE,       /* a mistake in a pipeline file or an argument */
	PRESTO_INTERRUPTED, /* by presto_loader_interrupt */
};

struct presto_error {
	enum presto_code code;
	char text[1024]; /* names file and line, or the sample */
};

const char *presto_version(void); /* "0.1.0"; constant */

/* ---- tensors ---- */

/* The values are part of the ABI. */
enum presto_dtype {
	PRESTO_U8 = 1,
	PRESTO_I8,
	PRESTO_U16,
	PRESTO_I16,
	PRESTO_U32,
	PRESTO_I32,
	PRESTO_U64,
	PRESTO_I64,
	PRESTO_F16,
	PRESTO_F32,
	PRESTO_F64,
};

/* Dims are slowest first; -1: it differs from sample to sample. */
struct presto_type {
	enum presto_dtype dtype;
	unsigned rank;
	int64_t dims[PRESTO_DIMS_MAX];
};

/* Row-major and contiguous. */
struct presto_tensor {
	struct presto_type type; /* all dims are known */
	void *data; /* whoever fills in the tensor says who owns it */
	size_t bytes;
};

/* ---- datasets ---- */

struct presto_dataset;
struct presto_step;

struct presto_open_options {
	size_t size; /* sizeof(struct presto_open_options) */
	/* "SECTION.KEY=VALUE", as --set has them; NULL behind the last. */
	const char *const *settings;
	/*
	 * Steps that pipeline files may name like presto's own; an array that
	 * ends with size = 0.  They must live as long as the dataset.
	 */
	const struct presto_step *steps;
	/*
	 * The interpreter of python steps where section [python] names none;
	 * NULL: python3 in PATH.
	 */
	const char *python;
};

#define PRESTO_OPEN_OPTIONS_INIT                                     \
	{                                                            \
		sizeof(struct presto_open_options), NULL, NULL, NULL \
	}

/*
 * Opens a pipeline file, a plan of `presto recommend --plan`, or a folder that
 * `presto materialize` wrote: then the steps that remain to be run come from
 * there.  The address of workers of `presto serve`, "presto://host:4242", opens
 * what they serve, without settings or steps.  `options`: NULL for none.
 */
struct presto_dataset *presto_open(const char *path,
    const struct presto_open_options *options, struct presto_error *err);
void presto_close(struct presto_dataset *dataset); /* after its loaders */

/*
 * Samples of one epoch, with those that on_error = skip may leave out and that
 * filters may drop; 0: not known before they were made.
 */
uint64_t presto_samples(const struct presto_dataset *dataset);
/* measure.seed of the file or folder, for presto_loader_options.seed. */
uint64_t presto_seed(const struct presto_dataset *dataset);
/*
 * The version of a folder that `presto materialize` wrote, which begins with 1
 * and grows with each --update; 0: other data.  Processes that read a dataset
 * together must agree on it: settings "dataset.version=N".
 */
uint64_t presto_dataset_version(const struct presto_dataset *dataset);
/* What a loader delivers. */
unsigned presto_field_count(const struct presto_dataset *dataset);
/*
 * Sets *name, which the dataset owns, and *type, that of one sample: 0, or -1
 * if there is no such field.  An encoded field (a file's bytes) is U8 of one
 * unknown dim.
 */
int presto_field(const struct presto_dataset *dataset, unsigned field,
    const char **name, struct presto_type *type);
/* The name of the class with this label; NULL: it has none. */
const char *presto_class_name(
    const struct presto_dataset *dataset, int64_t label);

/* ---- loaders ---- */

struct presto_loader;
struct presto_batch;

/*
 * The order.  Samples come in an order that depends on the dataset, `shuffle`,
 * `seed` and the epoch only, not on threads: batch n of an epoch is the same in
 * each loader with the same options.
 *
 * The ranks.  Rank r of `world_size` gets the r-th of world_size equal sections
 * of that order, such that each sample is delivered once by all ranks together.
 * Without drop_last, sections may differ by a sample, so ranks may differ by a
 * batch.  With drop_last, all ranks get equally many batches and all of these
 * are full, so that up to world_size * batch_size - 1 samples of an epoch are
 * left out.  Where a step makes several samples of one, their number is not
 * known before, and drop_last is refused for several ranks.
 *
 * A sample that on_error = skip leaves out makes its batch shorter.
 */
struct presto_loader_options {
	size_t size;         /* sizeof(struct presto_loader_options) */
	unsigned batch_size; /* samples */
	bool shuffle;        /* in another order in each epoch */
	bool drop_last;      /* leave out a batch that is not full */
	uint64_t seed;       /* of the order, and of random steps */
	unsigned rank, world_size;
	/* Both must be 0 for a service, whose workers have their own. */
	unsigned threads;  /* workers; 0: one for each usable core */
	unsigned fetchers; /* 0: as many, at least 16 from a server */
	/*
	 * A presto_loader_next that waits longer fails with PRESTO_INTERRUPTED,
	 * so that the caller can look for signals; 0: it waits.
	 */
	unsigned wait_ms;
};

#define PRESTO_LOADER_OPTIONS_INIT                                             \
	{                                                                      \
		sizeof(struct presto_loader_options), 64, 0, 0, 0, 0, 1, 0, 0, \
		    0                                                          \
	}

struct presto_loader *presto_loader_new(const struct presto_dataset *dataset,
    const struct presto_loader_options *options, struct presto_error *err);
void presto_loader_free(struct presto_loader *loader); /* NULL is fine */

/*
 * Batches that an epoch has; 0: not known before they were made.  A filter
 * behind the data that is read makes batches shorter: positions, ranks and this
 * number are those of the samples before it, and a batch that lost all its
 * samples is counted but not delivered.
 */
uint64_t presto_loader_batches(const struct presto_loader *loader);

/*
 * The next batch, which the caller gives back: 1; 0 at the end of the epoch,
 * after which the next call begins the next epoch; -1.  Memory that batches
 * hold is recycled when they are given back; a caller that keeps them gets new
 * memory for each.
 */
int presto_loader_next(struct presto_loader *loader,
    struct presto_batch **batch, struct presto_error *err);
/*
 * Makes a presto_loader_next that waits, or the next one, fail at once with
 * PRESTO_INTERRUPTED.  Nothing is lost: the call after it goes on.  Any thread
 * may call it; a signal handler may, too.
 */
void presto_loader_interrupt(struct presto_loader *loader);

/* Where a loader is: what was taken by presto_loader_next counts as done. */
struct presto_state {
	size_t size;       /* sizeof(struct presto_state) */
	uint64_t epoch;    /* the first is 0 */
	uint64_t position; /* batches of this epoch that were taken */
	uint64_t order;    /* fingerprint of dataset and options */
};

#define PRESTO_STATE_INIT                            \
	{                                            \
		sizeof(struct presto_state), 0, 0, 0 \
	}

void presto_loader_save(
    const struct presto_loader *loader, struct presto_state *state);
/*
 * Goes on there.  PRESTO_USAGE if the state is that of another order: the
 * dataset, batch_size, shuffle, seed, rank, world_size or drop_last differ.
 */
int presto_loader_restore(struct presto_loader *loader,
    const struct presto_state *state, struct presto_error *err);
/* Goes to the beginning of an epoch. */
int presto_loader_seek(
    struct presto_loader *loader, uint64_t epoch, struct presto_error *err);

/* Sums since the loader was made. */
struct presto_statistics {
	size_t size;                      /* sizeof(struct presto_statistics) */
	uint64_t samples, batches, bytes; /* delivered */
	uint64_t skipped;  /* samples that failed, on_error = skip */
	uint64_t wait_ns;  /* that presto_loader_next waited */
	uint64_t busy_ns;  /* between its calls: what the caller took */
	uint64_t filtered; /* samples that filters dropped */
};

#define PRESTO_STATISTICS_INIT                                        \
	{                                                             \
		sizeof(struct presto_statistics), 0, 0, 0, 0, 0, 0, 0 \
	}

void presto_loader_statistics(
    const struct presto_loader *loader, struct presto_statistics *statistics);

/* ---- batches ---- */

/* A batch may outlive its loader and its dataset. */
void presto_batch_free(struct presto_batch *batch); /* NULL is fine */
size_t presto_batch_samples(const struct presto_batch *batch);
/*
 * The field of all samples as one tensor, samples slowest: 0; -1 if there is no
 * such field, its samples differ in shape, or there is no memory.  The caller
 * may write into it.  Where the type of the field has a dim of -1, the tensor
 * is a copy, made at the first call.
 */
int presto_batch_field(const struct presto_batch *batch, unsigned field,
    struct presto_tensor *tensor);
/* The field of one sample: 0, or -1 if there is none. */
int presto_batch_sample(const struct presto_batch *batch, size_t sample,
    unsigned field, struct presto_tensor *tensor);
/* [samples]; -1: it has none.  The caller may write into it. */
int64_t *presto_batch_labels(const struct presto_batch *batch);
/* The key, which is not terminated, and its length. */
const char *presto_batch_key(
    const struct presto_batch *batch, size_t sample, size_t *length);

/* ---- steps ---- */

struct presto_step_info {
	size_t size; /* sizeof(struct presto_step_info) */
	const char *name, *summary, *takes, *gives;
	bool random;
	const char *needs; /* a library that this build lacks; else NULL */
};

#define PRESTO_STEP_INFO_INIT                                            \
	{                                                                \
		sizeof(struct presto_step_info), NULL, NULL, NULL, NULL, \
		    false, NULL                                          \
	}

/* Step number i of this build, all constant: 0, or -1 behind the last. */
int presto_step_at(unsigned i, struct presto_step_info *info);

/*
 * A step of your own: in a program, by presto_open_options; in a shared
 * library for `NAME = library FILE.so:STEP OPTIONS`, which exports
 * presto_steps_v1, see below.
 *
 * Types.  The bytes of a file are U8 of one unknown dim.  So a step that takes
 * such bytes and gives U8 of one dim gives a file of the same kind, unless its
 * line says another suffix.  A result with the rank of its input has the same
 * layout of height, width and channels.  One with 1, 3 or 4 as the last of 3
 * dims is taken for HxWxC.
 *
 * Threads.  An instance is used by one thread at a time, and several instances
 * at the same time.
 */
#define PRESTO_STEP_ABI 1

enum presto_step_flags {
	PRESTO_RANDOM = 1,     /* draws: it stays online */
	PRESTO_LOSSY = 2,      /* its result is not the same data */
	PRESTO_ONE_THREAD = 4, /* all instances are called by one thread */
};

/* Functions of presto for an instance; valid as long as that. */
struct presto_host {
	size_t size;
	void *self;
	/* Makes room in `out` for the type, with all dims known: 0 or -1. */
	int (*reshape)(void *self, struct presto_tensor *out,
	    const struct presto_type *type);
	/*
	 * 64 random bits, by seed, epoch, sample and step: a random step uses
	 * nothing else.
	 */
	uint64_t (*draw)(void *self);
	/*
	 * Says what is wrong with a sample, an option or a type; returns -1.
	 * The rest of the message is presto's: "step library: invert: ...".
	 */
	int (*fail)(void *self, const char *format, ...);
};

struct presto_step {
	size_t size;  /* sizeof(struct presto_step), equal in all elements */
	unsigned abi; /* PRESTO_STEP_ABI */
	unsigned flags;
	const char *name; /* [a-z0-9_]+ */
	const char *summary;
	const char *takes, *gives; /* "image (HxWxC)" */
	/* Part of the fingerprint of what is stored: change it with results. */
	const char *version;
	/*
	 * "top=0", "mode=fast": options and defaults; "size": it must be given.
	 * NULL behind the last.
	 */
	const char *const *options;
	/*
	 * Makes an instance, one for each thread.  values[i] is that of
	 * options[i].  Sets *out, with dims of -1 where they depend on the
	 * sample.  NULL: it failed, and host->fail has said why.
	 */
	void *(*create)(const struct presto_host *host,
	    const char *const *values, const struct presto_type *in,
	    struct presto_type *out);
	/*
	 * host->reshape(out), then fill it; 0, or host->fail().  Elements are
	 * aligned.  `in` must not be changed.
	 */
	int (*run)(void *instance, const struct presto_tensor *in,
	    struct presto_tensor *out);
	void (*destroy)(void *instance); /* may be NULL */
};

/* A library of steps defines this; an element with size = 0 is the last. */
extern const struct presto_step presto_steps_v1[];

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif
