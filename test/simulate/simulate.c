/*
 * simulate.c - runs the sections in two threads, and prints their table: a part
 * for each section, with a line for each model of noise.
 *
 *	simulate [SECTION|all [SESSIONS [SEED]]]
 *
 * It exits with 1 if a cell is beyond its goal.
 */
#include "test/simulate/simulate.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "test/simulate/noise_models.h"

enum { THREADS = 2, MODELS = ARRAY_LEN(noise_models) };

static const struct simulate_section *const sections[] = {
#define SECTION(name) &simulate_##name,
#include "test/simulate/sections.def"
#undef SECTION
};

enum { SECTIONS = ARRAY_LEN(sections) };

struct simulation {
	const char *only;  /* a section; NULL: all */
	unsigned sessions; /* 0: as each section has by default */
	uint64_t seed;
	pthread_mutex_t lock; /* of `next` */
	size_t next;          /* job: a section and a model */
	double cells[SECTIONS][MODELS][SIMULATE_COLUMNS];
};

void simulate_fail(const char *why)
{
	fprintf(stderr, "simulate: %s\n", why);
	exit(1);
}

static bool wants(const struct simulation *simulation, size_t section)
{
	return !simulation->only ||
	       strcmp(simulation->only, sections[section]->name) == 0;
}

static void *work(void *arg)
{
	struct simulation *simulation = arg;

	for (;;) {
		const struct simulate_section *section;
		size_t job, model;

		pthread_mutex_lock(&simulation->lock);
		job = simulation->next++;
		pthread_mutex_unlock(&simulation->lock);
		if (job >= SECTIONS * MODELS)
			return NULL;
		section = sections[job / MODELS];
		model = job % MODELS;
		if (wants(simulation, job / MODELS))
			section->run(&noise_models[model],
			    simulation->sessions ? simulation->sessions
			                         : section->sessions,
			    simulation->seed,
			    simulation->cells[job / MODELS][model]);
	}
}

static void run_all(struct simulation *simulation)
{
	pthread_t threads[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, simulation))
			simulate_fail("no thread");
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Prints a cell; true if it is beyond its goal. */
static bool print_cell(const struct simulate_column *column,
    const struct noise_model *model, double value)
{
	const bool fails =
	    column->fails && !isnan(value) && column->fails(model, value);

	if (isnan(value))
		printf(" |");
	else
		printf(" %s%.*f%s%s |", fails ? "**" : "", column->decimals,
		    value, column->unit ? column->unit : "", fails ? "**" : "");
	return fails;
}

static void print_head(const struct simulate_section *section)
{
	printf("| %s |", section->name);
	for (const struct simulate_column *c = section->columns; c->title; c++)
		printf(" %s |", c->title);
	printf("\n|---|");
	for (const struct simulate_column *c = section->columns; c->title; c++)
		printf("--:|");
	printf("\n");
}

static void print_meanings(
    const struct simulation *simulation, const struct simulate_section *section)
{
	printf("\n%u sessions of each model, seed %llu.\n",
	    simulation->sessions ? simulation->sessions : section->sessions,
	    (unsigned long long)simulation->seed);
	for (const struct simulate_column *c = section->columns; c->title; c++)
		if (c->meaning)
			printf("- %s: %s\n", c->title, c->meaning);
	printf("\n");
}

/* Prints a part of the table; returns the number of cells beyond goals. */
static unsigned print_section(
    const struct simulation *simulation, size_t section)
{
	const struct simulate_column *columns = sections[section]->columns;
	unsigned failed = 0;

	print_head(sections[section]);
	for (size_t i = 0; i < MODELS; i++) {
		const struct noise_model *model = &noise_models[i];

		printf("| %s |", model->name);
		for (size_t k = 0; columns[k].title; k++)
			failed += print_cell(&columns[k], model,
			    simulation->cells[section][i][k]);
		printf("\n");
	}
	print_meanings(simulation, sections[section]);
	return failed;
}

static void read_arguments(struct simulation *simulation, int argc, char **argv)
{
	size_t i = 0;

	if (argc > 4)
		simulate_fail(
		    "usage: simulate [SECTION|all [SESSIONS [SEED]]]");
	if (argc > 1 && strcmp(argv[1], "all") != 0) {
		while (i < SECTIONS && strcmp(argv[1], sections[i]->name) != 0)
			i++;
		if (i == SECTIONS)
			simulate_fail("no section has this name");
		simulation->only = argv[1];
	}
	if (argc > 2)
		simulation->sessions = (unsigned)strtoul(argv[2], NULL, 10);
	if (argc > 3)
		simulation->seed = strtoull(argv[3], NULL, 10);
}

int main(int argc, char **argv)
{
	static struct simulation simulation = {
		.seed = 1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	unsigned failed = 0;

	read_arguments(&simulation, argc, argv);
	run_all(&simulation);
	for (size_t i = 0; i < SECTIONS; i++)
		if (wants(&simulation, i))
			failed += print_section(&simulation, i);
	if (failed)
		printf("%u cells are beyond their goals, in bold.\n", failed);
	return failed > 0;
}
