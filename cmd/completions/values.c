/* values.c - see values.h. */
#include "cmd/completions/values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "datasets/generator.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/snippets/snippet.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "lib/syntax/option.h"
#include "strategies/decide/rank.h"

static void add(struct values *values, const char *word)
{
	const size_t used = strlen(values->words);

	snprintf(values->words + used, sizeof(values->words) - used, "%s%s",
	    used ? " " : "", word);
}

/* ---- families ---- */

static void add_caches(struct values *values)
{
	for (unsigned i = 0; i < CACHE_COUNT; i++)
		add(values, cache_name((enum cache_mode)i));
}

/* Filters are left out: they need a compression after them. */
static void add_codecs(struct values *values)
{
	add(values, "auto");
	for (size_t i = 0; codec_at(i); i++)
		add(values, codec_at(i)->name);
	for (size_t i = 0; transform_at(i); i++)
		if (!transform_at(i)->is_filter)
			add(values, transform_at(i)->name);
}

static void add_commands(struct values *values)
{
	for (size_t i = 0; cmd_at(i); i++)
		add(values, cmd_at(i)->name);
}

static void add_frameworks(struct values *values)
{
	for (size_t i = 0; framework_at(i); i++)
		add(values, framework_name(framework_at(i)));
}

static void add_generators(struct values *values)
{
	for (size_t i = 0; generator_at(i); i++)
		if (!generator_at(i)->needs)
			add(values, generator_at(i)->name);
}

static void add_objectives(struct values *values)
{
	for (size_t i = 0; objective_at(i); i++)
		add(values, objective_at(i)->name);
}

static void add_readers(struct values *values)
{
	for (size_t i = 0; stock_reader_at(i); i++)
		add(values, stock_reader_at(i)->name);
}

static void add_stores(struct values *values)
{
	for (size_t i = 0; store_at(i); i++)
		add(values, store_at(i)->name);
}

/* ---- options ---- */

/* Options whose values are the members of a family. */
static const struct {
	const char *name;
	bool is_list;
	void (*add)(struct values *values);
} families[] = {
	{ "cache", true, add_caches },
	{ "codec", true, add_codecs },
	{ "for", false, add_frameworks },
	{ "objective", false, add_objectives },
	{ "readable-by", false, add_readers },
	{ "store", true, add_stores },
};

/* Adds the literal words of "SEED|no": "no".  Capitals are placeholders. */
static void add_choices(struct values *values, const char *choices)
{
	char text[VALUES_WORDS], *rest = text, *word;

	snprintf(text, sizeof(text), "%s", choices);
	while ((word = strtok_r(rest, "|", &rest)))
		if (islower((unsigned char)*word))
			add(values, word);
}

struct values values_of_option(const struct option *option)
{
	struct values values = { .is_list = false };

	if (option->type == OPTION_CHOICE)
		add_choices(&values, option->choices);
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		if (strcmp(option->name, families[i].name) != 0 ||
		    option->type == OPTION_CHOICE)
			continue;
		values.is_list = families[i].is_list;
		families[i].add(&values);
	}
	if (option->arg && strchr(option->arg, '|'))
		add_choices(&values, option->arg);
	values.files = option->arg && strncmp(option->arg, "FILE", 4) == 0;
	values.folders = option->arg && strcmp(option->arg, "DIR") == 0;
	return values;
}

/* ---- operands ---- */

static void add_operand(struct values *values, const char *word)
{
	if (strcmp(word, "COMMAND") == 0)
		add_commands(values);
	else if (strcmp(word, "KIND") == 0)
		add_generators(values);
	else if (strcmp(word, "DIR") == 0)
		values->folders = true;
	else if (span_ends_with(span_text(word), ".conf"))
		values->pipelines = true;
	else if (islower((unsigned char)*word))
		add(values, word);
	else
		values->files = true;
}

struct values values_of_operands(const struct cmd *cmd)
{
	struct values values = { .is_list = false };
	char usage[VALUES_WORDS], *rest = usage, *word;

	snprintf(usage, sizeof(usage), "%s", cmd->usage);
	while ((word = strtok_r(rest, " []|", &rest)))
		if (strcmp(word, "...") != 0)
			add_operand(&values, word);
	return values;
}
