/*
 * bench.h - two ways to do the same work, timed in turn: presto's, and another
 * one beside it.
 *
 * The other one is a limit, or a library. A limit is a bare loop that does what
 * presto must do at least, in its best form: a ratio above 1 is noise, or shows
 * that the loop is none. A library does the same for other programs; presto may
 * be faster.
 *
 * A round times both in short slices, turn about: what disturbs the machine
 * disturbs both.  A row has the round whose ratio is the median, or the mean of
 * the two in the middle.  The lowest and the highest ratio of all rounds tell
 * how sure it is.
 *
 * Rows go to the standard output, a JSON object a line.  What fails ends the
 * program with a message.
 */
#ifndef TEST_BENCH_BENCH_H
#define TEST_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

struct error;

enum { BENCH_NAME = 64 };

/* What every benchmark is called with: PHOTOS WORK ROUNDS. */
struct bench_args {
	const char *photos; /* a folder of JPEG files */
	const char *work;   /* a folder for what is stored meanwhile */
	unsigned rounds;
};

void bench_args_read(struct bench_args *args, int argc, char **argv);

struct bench_side {
	/* Does the work so many times; returns how much it was: bytes ... */
	double (*run)(void *arg, unsigned times);
	void *arg;
	bool is_library;  /* of the other side: no limit */
	const char *form; /* of the other side: how it works; NULL: as always */
};

/* What is told of amount and time. */
struct bench_unit {
	const char *name;
	double scale; /* "MB/s": 1e-6; "ns": 1e9 */
	bool is_cost; /* time per amount, not amount per time */
	bool of_cpu;  /* the time of all threads: for what waits for nothing */
};

extern const struct bench_unit bench_samples_per_s, bench_mb_per_s, bench_ns;
extern const struct bench_unit bench_samples_per_cpu_s;

struct bench_row {
	char name[BENCH_NAME];
	struct bench_unit unit;
	double presto, limit, ratio;
	double low, high; /* ratios of other rounds */
	bool is_library;
	const char *form; /* of the limit; NULL: there is one only */
};

/* Measures both sides, after a round that warms up and finds how many times
 * each has to be run to take long enough. */
void bench_compare(struct bench_row *row, unsigned rounds,
    const struct bench_side *presto, const struct bench_side *limit);
void bench_print(const struct bench_row *row);
/* Prints the row of the highest ratio once more, under this name. */
void bench_print_highest(
    const char *name, const struct bench_row *rows, size_t count);

/* Runs it once, three times where that is short; returns the least time. */
double bench_least_seconds(const struct bench_side *side);

/* The same in one: name and unit, measured and printed. */
void bench_run(const char *name, const struct bench_unit *unit, unsigned rounds,
    const struct bench_side *presto, const struct bench_side *limit);

/*
 * Runs `work` with each of `count` arguments of `size` bytes, in as many
 * threads; with one in the caller's.  Size 0: all share one argument.
 */
void bench_threads(
    void *(*work)(void *arg), void *args, size_t size, unsigned count);

/* This thread, and those it makes from now on, on one core, or on all again. */
void bench_pin(bool one_core);

/* "bench: ..." and the end. */
void bench_die(const struct error *err);
/* malloc, or the end. */
void *bench_alloc(size_t bytes);

#endif
