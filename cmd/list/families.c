/* families.c - see families.h. */
#include "cmd/list/families.h"

#include <stdio.h>

#include "cmd/program/terminal.h"
#include "datasets/generator.h"
#include "datasets/source.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/pipeline/commute.h"
#include "lib/steps/step.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "lib/syntax/option.h"
#include "strategies/decide/objectives/objective.h"
#include "strategies/search/search.h"

static const char below[] = "        "; /* indent of details */

/* Prints "  NAME    summary". */
static void print_entry(const char *name, const char *summary, const char *more)
{
	char head[64];

	snprintf(head, sizeof(head), "  %-20s ", name);
	terminal_print(stdout, head, "%s%s", summary, more);
}

static void print_missing(const char *name, const char *needs)
{
	print_entry(name, "not in this build: needs ", needs);
}

/* Prints the options of a member, as they are written in a pipeline file. */
static void print_options(const struct option *table)
{
	for (; table && table->name; table++)
		terminal_print(stdout, below, "%s=%s  %s", table->name,
		    table->choices ? table->choices
		    : table->arg   ? table->arg
		                   : "yes|no",
		    table->help);
}

/* Prints the steps that it may change places with. */
static void print_partners(const struct step_ops *step)
{
	struct error ignored = ERROR_INIT;
	struct buf words = BUF_INIT;

	if (commute_words(step->kind, &words, &ignored) == 0 && words.len)
		terminal_print(
		    stdout, below, "passes %s", (const char *)words.data);
	buf_release(&words);
}

static void list_steps(void)
{
	const struct step_ops *step;

	for (size_t i = 0; (step = step_at(i)); i++) {
		if (step->needs) {
			print_missing(step->name, step->needs);
			continue;
		}
		print_entry(step->name, step->summary,
		    !step->random      ? ""
		    : step->is_certain ? " (random unless its options leave "
		                         "nothing to chance)"
		                       : " (random: stays online)");
		terminal_print(
		    stdout, below, "in: %s  out: %s", step->in, step->out);
		print_partners(step);
		print_options(step->options);
	}
}

/* Formats ", levels 1 to 9, default 6", or "" if there are no levels. */
static const char *levels(char text[64], int least, int most, int normal)
{
	*text = '\0';
	if (most > least)
		snprintf(text, 64, ", levels %d to %d, default %d", least, most,
		    normal);
	return text;
}

/* Lists compressions, then filters and image codecs. */
static void list_codecs(void)
{
	const struct codec_ops *codec;
	const struct transform_ops *transform;
	char text[64];

	for (size_t i = 0; (codec = codec_at(i)); i++) {
		print_entry(codec->name, codec->summary,
		    levels(text, codec->level_min, codec->level_max,
		        codec->level_default));
		terminal_print(stdout, below, "for: %s", codec->suits);
		if (codec->unpack)
			terminal_print(stdout, below,
			    "files: %s, unpacked by %s", codec->suffix,
			    codec->unpack);
	}
	for (size_t i = 0; (transform = transform_at(i)); i++) {
		print_entry(transform->name, transform->summary,
		    levels(text, transform->level_min, transform->level_max,
		        transform->level_default));
		terminal_print(stdout, below, "for: %s", transform->suits);
	}
}

static void list_stores(void)
{
	const struct store_ops *store;

	for (size_t i = 0; (store = store_at(i)); i++)
		print_entry(store->name, store->summary, "");
}

/* Lists the values of recommend --objective. */
static void list_objectives(void)
{
	const struct objective_ops *objective;

	for (size_t i = 0; (objective = objective_at(i)); i++)
		print_entry(objective->name, objective->summary,
		    objective->is_default ? " (default)" : "");
}

/* Lists the values of recommend --readable-by. */
static void list_readers(void)
{
	const struct stock_reader *reader;

	for (size_t i = 0; (reader = stock_reader_at(i)); i++)
		terminal_line(
		    stdout, "  %-20s %s", reader->name, reader->summary);
}

/* Lists the values of profile --search. */
static void list_searches(void)
{
	const struct search_ops *search;

	for (size_t i = 0; (search = search_at(i)); i++)
		print_entry(search->name, search->summary,
		    search->is_default ? " (default)" : "");
}

static void list_sources(void)
{
	const struct source_ops *source;

	for (size_t i = 0; (source = source_at(i)); i++) {
		if (source->needs) {
			print_missing(source->name, source->needs);
			continue;
		}
		print_entry(source->name, source->summary, "");
		print_options(source->options);
	}
}

void list_generators(void)
{
	const struct generator_ops *generator;

	for (size_t i = 0; (generator = generator_at(i)); i++) {
		if (generator->needs) {
			print_missing(generator->name, generator->needs);
			continue;
		}
		print_entry(generator->name, generator->summary, "");
		print_options(generator->options);
	}
}

static const struct family families[] = {
	{ .name = "codecs", .list = list_codecs },
	{ .name = "generators", .list = list_generators },
	{ .name = "objectives", .list = list_objectives },
	{ .name = "readers", .list = list_readers },
	{ .name = "searches", .list = list_searches },
	{ .name = "sources", .list = list_sources },
	{ .name = "steps", .list = list_steps },
	{ .name = "stores", .list = list_stores },
};

const struct family *family_at(size_t i)
{
	return i < ARRAY_LEN(families) ? &families[i] : NULL;
}
