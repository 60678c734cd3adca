/* cost.c - prints the cost, and when another strategy would win. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "lib/base/units.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/sensitivity.h"
#include "strategies/whatif/prices.h"

enum { LINE = 768, MONEY = 32, SPANS_SHOWN = 4 };

/* ---- money ---- */

static const char *money(
    const struct findings *f, double amount, char text[MONEY])
{
	const char *currency = f->request->prices->currency;

	snprintf(
	    text, MONEY, "%.4g%s%s", amount, *currency ? " " : "", currency);
	return text;
}

static void add_part(
    const struct findings *f, char line[LINE], const char *name, double amount)
{
	const size_t used = strlen(line);
	char text[MONEY];

	if (amount > 0)
		snprintf(line + used, LINE - used, "%s%s %s", used ? ", " : "",
		    name, money(f, amount, text));
}

void recommend_say_cost(const struct findings *f)
{
	const struct bill *bill = &f->advice->bill;
	const double base = bill_total(&f->advice->unprocessed_bill);
	char parts[LINE] = "", instead[LINE] = "", text[MONEY];

	if (isnan(bill_total(bill)))
		return;
	add_part(f, parts, "preparation", bill->preparation);
	add_part(f, parts, "storage", bill->storage);
	add_part(f, parts, "egress", bill->egress);
	add_part(f, parts, "requests", bill->requests);
	add_part(f, parts, "compute", bill->compute);
	add_part(f, parts, "accelerators", bill->accelerators);
	add_part(f, parts, "of which waiting", bill->waiting);
	if (base >= 0 && f->advice->unprocessed != f->advice->winner)
		snprintf(instead, sizeof(instead), "; unprocessed %s",
		    money(f, base, text));
	recommend_say(f, "cost", "%s for a month of %.6g epochs%s%s%s%s",
	    money(f, bill_total(bill), text), f->request->epochs,
	    *parts ? " (" : "", parts, *parts ? ")" : "", instead);
}

/* ---- other winners ---- */

typedef const char *print_end(double end, char text[UNITS_TEXT]);

static const char *print_epochs(double epochs, char text[UNITS_TEXT])
{
	snprintf(text, UNITS_TEXT, "%.0f", epochs);
	return text;
}

static const char *print_fraction(double fraction, char text[UNITS_TEXT])
{
	snprintf(text, UNITS_TEXT, "%.2f", fraction);
	return text;
}

/* Only then the cache is worth mentioning. */
static bool caches_differ(const struct sensitivity_axis *axis)
{
	const struct sensitivity_span *first = NULL;

	for (size_t i = 0; i < axis->count; i++) {
		const struct sensitivity_span *span = &axis->spans[i];

		if (!span->strategy)
			continue;
		if (!first)
			first = span;
		if (span->cache != first->cache)
			return true;
	}
	return false;
}

/* "raw/tar/none below 14, resized/tar/none from 14 on" */
static void add_span(char line[LINE], const struct sensitivity_axis *axis,
    size_t at, print_end *print)
{
	const struct sensitivity_span *span = &axis->spans[at];
	char who[LINE / 4];
	const size_t used = strlen(line);
	const bool last = at + 1 == axis->count && !axis->is_cut;
	char end[UNITS_TEXT];

	if (span->strategy && caches_differ(axis))
		snprintf(who, sizeof(who), "%s (cache %s)", span->strategy,
		    cache_word(span->cache));
	else
		snprintf(who, sizeof(who), "%s",
		    span->strategy ? span->strategy : "nothing");
	if (at == 0)
		snprintf(line + used, LINE - used, "%s below %s", who,
		    print(axis->spans[1].from, end));
	else
		snprintf(line + used, LINE - used, ", %s from %s%s", who,
		    print(span->from, end), last ? " on" : "");
}

static size_t count_winners(const struct sensitivity_axis *axis)
{
	size_t count = 0;

	for (size_t i = 0; i < axis->count; i++)
		count += axis->spans[i].strategy != NULL;
	return count;
}

/* Shows the first spans and the last. */
static void say_axis(const struct findings *f, const char *name,
    const char *how, const struct sensitivity_axis *axis, print_end *print)
{
	char line[LINE] = "";

	if (count_winners(axis) < 2)
		return;
	for (size_t i = 0; i < axis->count; i++) {
		const size_t used = strlen(line);
		const bool last = i + 1 == axis->count && !axis->is_cut;

		if (i < SPANS_SHOWN || last)
			add_span(line, axis, i, print);
		else if (i == SPANS_SHOWN)
			snprintf(line + used, LINE - used, ", ...");
	}
	recommend_say(f, name, "%s: %s", how, line);
}

void recommend_say_sensitivity(const struct findings *f)
{
	const struct sensitivity *s = f->sensitivity;

	if (!s)
		return;
	say_axis(f, "epochs", s->epochs_by->least, &s->epochs, print_epochs);
	say_axis(f, "disk", "best that fits", &s->storage, units_bytes);
	if (!f->request->objective->uses_weights)
		return;
	say_axis(f, "weights", "best by the weight of preparation", &s->prep,
	    print_fraction);
	say_axis(f, "weights", "best by the weight of storage",
	    &s->storage_weight, print_fraction);
	say_axis(f, "weights", "best by the weight of throughput",
	    &s->throughput, print_fraction);
}
