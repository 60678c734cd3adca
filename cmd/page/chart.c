/* chart.c - see chart.h. */
#include "cmd/page/chart.h"

#include <stdio.h>
#include <string.h>

#include "cmd/page/facts.h"
#include "lib/base/array.h"

enum { WIDE = 920, NARROW = 348 };

static const struct chart_ops *const charts[] = {
#define CHART(name) &chart_##name,
#include "cmd/page/charts.def"
#undef CHART
};

const struct chart_ops *chart_at(size_t i)
{
	return i < ARRAY_LEN(charts) ? charts[i] : NULL;
}

int chart_draw(const struct chart_ops *ops, const struct facts *facts,
    const struct chart_form *form, FILE *out, struct error *err)
{
	char description[CHART_TEXT], heading[CHART_TEXT];
	struct chart chart = {
		.svg = { .out = out,
		    .id = form->id,
		    .width = form->is_narrow ? NARROW : WIDE },
		.about = { .title = ops->title,
		    .description = description,
		    .css = form->css,
		    .heading = form->css ? heading : NULL,
		    .class = form->is_narrow ? "narrow" : "wide" },
		.facts = facts,
		.is_narrow = form->is_narrow,
		.has_links = form->has_links,
	};

	snprintf(heading, sizeof(heading), "%s: %s",
	    facts->session.info.pipeline, ops->title);
	ops->describe(facts, description);
	return ops->draw(&chart, err);
}

size_t chart_strategies(const struct facts *facts)
{
	size_t count = 0, rows = 0;

	while (count < facts->strategy_count && count < CHART_STRATEGIES) {
		rows += facts->strategies[count].count;
		if (count > 0 && rows > CHART_ROWS)
			break;
		count++;
	}
	return count;
}

size_t chart_strategy(const struct facts *facts, size_t i)
{
	const size_t count = chart_strategies(facts);

	if (i + 1 < count || count == facts->strategy_count)
		return i;
	for (size_t k = i; k < facts->strategy_count; k++)
		if (strcmp(facts->strategies[k].name, "unprocessed") == 0)
			return k;
	return i;
}

bool chart_shows(const struct facts *facts, size_t strategy)
{
	for (size_t i = 0; i < chart_strategies(facts); i++)
		if (chart_strategy(facts, i) == strategy)
			return true;
	return false;
}

const char *chart_link(
    const struct chart *chart, size_t strategy, char text[32])
{
	if (!chart->has_links)
		return NULL;
	snprintf(text, 32, "#strategy-%zu", strategy + 1);
	return text;
}
