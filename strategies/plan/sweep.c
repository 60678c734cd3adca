/* sweep.c - see sweep.h. */
#include "strategies/plan/sweep.h"

#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/syntax/word_list.h"

static int refuse(
    const struct sweep_range *range, const char *word, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "%s must be %llu to %llu%s, got '%s'", range->name,
	    (unsigned long long)range->least, (unsigned long long)range->most,
	    range->has_auto ? ", or auto" : "", word);
}

static int add(struct sweep *sweep, const char *word,
    const struct sweep_range *range, struct error *err)
{
	uint64_t number;

	if (units_parse_uint(word, &number) || number < range->least ||
	    number > range->most)
		return refuse(range, word, err);
	for (unsigned i = 0; i < sweep->count; i++)
		if (sweep->values[i] == number)
			return 0;
	if (sweep->count == SWEEP_VALUES)
		return error_set(err, ERROR_USAGE, "%s: more than %d numbers",
		    range->name, SWEEP_VALUES);
	sweep->values[sweep->count++] = number;
	return 0;
}

static const char alone[] = "auto stands alone: leave the numbers out";

static int add_word(struct sweep *sweep, const char *word,
    const struct sweep_range *range, struct error *err)
{
	if (!range->has_auto || strcmp(word, "auto") != 0)
		return sweep->is_auto ? error_set(err, ERROR_USAGE, "%s", alone)
		                      : add(sweep, word, range, err);
	if (sweep->count)
		return error_set(err, ERROR_USAGE, "%s", alone);
	sweep->is_auto = true;
	return 0;
}

int sweep_parse(struct sweep *sweep, const char *list,
    const struct sweep_range *range, struct error *err)
{
	struct sweep read = { .count = 0 };
	char word[WORD_LIST_WORD];
	const char *left = list;
	int got;

	while ((got = word_list_next(&left, word, err)) > 0)
		if (add_word(&read, word, range, err))
			return -1;
	if (got < 0)
		return -1;
	if (read.is_auto) {
		sweep->is_auto = true;
		return 0;
	}
	if (!read.count)
		return error_set(
		    err, ERROR_USAGE, "'%s' is an empty list", list);
	*sweep = read;
	return 0;
}

uint64_t sweep_most(const struct sweep *sweep)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < sweep->count; i++)
		if (sweep->values[i] > most)
			most = sweep->values[i];
	return most;
}
