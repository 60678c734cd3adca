/*
 * load_figures.h - how a trial is loaded, beside its threads and its cache: the
 * numbers that a session may sweep over.
 *
 * They tell trials apart where a session has several trials of a strategy with
 * the same threads and cache; else they are facts of all its trials, and two
 * sessions may differ in them.
 */
#ifndef STRATEGIES_FIGURES_LOAD_FIGURES_H
#define STRATEGIES_FIGURES_LOAD_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct figures;
struct grid;

enum load_number {
	LOAD_NUMBER_FETCHERS,
	LOAD_NUMBER_READ_AHEAD,
	LOAD_NUMBER_SHUFFLE,
	LOAD_NUMBER_BATCH,
	LOAD_NUMBER_SHARDS,  /* of the strategy */
	LOAD_NUMBER_SAMPLES, /* taken from the source */
	LOAD_NUMBERS
};

enum { LOAD_FIGURES_TEXT = 192 };

struct load_figures {
	double numbers[LOAD_NUMBERS]; /* NAN: not known */
	unsigned chosen;              /* bits of enum load_key */
	/* Bits of the numbers that tell it apart. */
	unsigned differs;
};

/* The column of a number in v_report. */
const char *load_number_column(enum load_number number);

struct load_figures load_figures_read(const struct grid *rows, size_t row);
/* Sets `differs` of all figures in a list. */
int load_figures_mark(struct figures *list, size_t count, struct error *err);

/*
 * Are both loads of the same trial, as far as numbers tell trials apart?  What
 * `auto` has found in both does not.
 */
bool load_figures_same(
    const struct load_figures *a, const struct load_figures *b);
/* Are all numbers of the load equal, so that rates compare?  Not the shards. */
bool load_figures_alike(
    const struct load_figures *a, const struct load_figures *b);
/* Has `auto` found this number? */
bool load_figures_found(
    const struct load_figures *load, enum load_number number);

/*
 * Writes what tells the load apart, and what `auto` has found, for people:
 * ", 4 fetchers, 8 shards", or for names: " fetchers=4 shards=8"; returns
 * `text`, which may be empty.
 */
const char *load_figures_words(
    const struct load_figures *load, char text[LOAD_FIGURES_TEXT]);
const char *load_figures_name(
    const struct load_figures *load, char text[LOAD_FIGURES_TEXT]);

#endif
