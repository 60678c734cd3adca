/*
 * figures.h - the figures of a session, one struct for each trial.  Deciding
 * and comparing read them.  They come from the rows of a result database, or of
 * a report in CSV or JSON; the rows themselves are for printing.
 *
 * Numbers are NAN when they are not known, whole ones 0, texts "".  Texts
 * belong to the rows, which outlive the figures.
 */
#ifndef STRATEGIES_FIGURES_FIGURES_H
#define STRATEGIES_FIGURES_FIGURES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/db/results.h"
#include "lib/measure/storage/cold.h"
#include "strategies/figures/load_figures.h"

struct error;
struct grid;

/* A median of so few runs has no 95 % interval, but their least and most. */
enum { FEW_RUNS = 5 };

enum answer { ANSWER_UNKNOWN, ANSWER_YES, ANSWER_NO };

/* Figures of all hosts of presto profile --together; NAN: one process. */
struct hosts_throughput {
	double hosts, knee; /* numbers of hosts */
	double mb_per_s;
};

/* samples/s; the interval of the median is NAN where there is none. */
struct throughput {
	double median, low, high;
	/* Interval of the ratio to the reference trial, round by round. */
	double relative_low, relative_high;
	double first_epoch;           /* the median of all runs */
	double first_low, first_high; /* its interval; not in a CSV report */
	double runs;                  /* all that were made */
	double counted; /* the number that the median is taken over */
	struct hosts_throughput together;
};

/* An amount of data, and what it takes to prepare, store and read it. */
struct dataset_figures {
	double samples, prep_s, storage_bytes;
	double requests; /* of an epoch */
};

/* The part of its data that a cold trial found in memory just before. */
struct warmth {
	double resident_percent; /* of its data; NAN: not known */
	enum cold cold;          /* COLD_NONE: not a cold trial, or not known */
};

/* The representation in the application cache. */
struct cached_figures {
	const char *place; /* NULL or "": not known */
	double bytes;      /* kept by an application cache */
};

/* Questions about the data that are answered by a word. */
struct figures_answers {
	enum equivalence equivalent; /* to the data of unprocessed */
	enum answer portable;        /* a stock reader reads what is stored */
	enum answer fits_memory;     /* the full dataset, as it is stored */
	enum answer drifts;          /* it may lie outside its interval later */
	enum answer is_far;          /* the dataset is at a URL */
};

/* A trial that a search did not measure. */
struct figures_search {
	bool predicted;             /* its figures are forecasts */
	double bound_samples_per_s; /* what it could reach at most */
	bool ruled_out; /* it cannot win; else the search did not get to it */
};

struct figures {
	int64_t session, trial; /* numbers; 0: none */
	const char *strategy, *split, *store, *codec;
	unsigned threads;
	enum cache_mode cache;
	struct cached_figures cached;
	struct load_figures load; /* what else tells it apart */
	enum trial_state state;
	struct figures_answers answers;
	const char *message; /* why it failed or was skipped */
	const char *bottleneck, *evidence;
	const char *emulated_storage; /* "50 MB/s" */
	struct throughput throughput;
	/* `profiled.samples` are delivered in an epoch, `full.samples` read. */
	struct dataset_figures profiled, full;
	double source_samples; /* read for what was profiled */
	double cpu_us;         /* a sample */
	double psnr_db;        /* of lossy data; INFINITY: no element differs */
	struct warmth warmth;
	struct figures_search search;
};

struct figures_list {
	struct figures *list; /* owned; in the order of the rows */
	size_t count;
};

/* Reads rows with the columns of v_report; those of v_trial are used, too. */
int figures_read(
    struct figures_list *figures, const struct grid *rows, struct error *err);
void figures_release(struct figures_list *figures);

/* The number of the newest session; 0: they have none. */
int64_t figures_newest_session(const struct figures_list *figures);

/* Do both describe the same strategy, loaded in the same way? */
bool figures_same_trial(const struct figures *a, const struct figures *b);
/* The figures of the same trial in a list; NULL: it is not there. */
const struct figures *figures_find(
    const struct figures_list *in, const struct figures *trial);
/* Does a row of any view describe this trial? */
bool figures_are_of(
    const struct figures *figures, const struct grid *view, size_t row);

enum { FIGURES_CACHE = 64 };
/* Writes "system", or "application:resized". */
const char *figures_cache_words(
    const struct figures *figures, char words[FIGURES_CACHE]);

bool figures_is_unprocessed(const struct figures *figures);
/* Are they those of the user's own loader?  Its output is not compared. */
bool figures_is_yours(const struct figures *figures);

/* Nothing is known. */
struct figures figures_none(void);
/* The strategy and the load of a row, and nothing else. */
struct figures figures_read_key(const struct grid *rows, size_t row);

const char *trial_state_word(enum trial_state state);
/* "" when not known. */
const char *cache_word(enum cache_mode cache);
const char *equivalence_word(enum equivalence equivalent);
const char *answer_word(enum answer answer);

/* A number, or `instead` of one that is not known. */
static inline double number_or(double number, double instead)
{
	return isnan(number) ? instead : number;
}

#endif
