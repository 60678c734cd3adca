/* grid.c - see recommend.h: the ranking as a table for programs. */
#include <math.h>
#include <stddef.h>

#include "cmd/recommend/recommend.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/decide/rank.h"

enum { ROWS_FOR_PEOPLE = 10 };

enum field_kind {
	TEXT,
	WHOLE,
	REAL,
	COUNT,
	FLAG,
	DEMAND_FLAG,
	CACHE,
	EQUIVALENCE,
	ANSWER
};

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset; /* in struct candidate */
};

#define FIELD(kind_of, word, member)                         \
	{                                                    \
		.name = (word), .kind = (kind_of),           \
		.offset = offsetof(struct candidate, member) \
	}

#define NUMBER(word, number) FIELD(WHOLE, word, trial.load.numbers[number])

static const struct field fields[] = {
	FIELD(TEXT, "strategy", trial.strategy),
	FIELD(TEXT, "split", trial.split),
	FIELD(TEXT, "store", trial.store),
	FIELD(TEXT, "codec", trial.codec),
	FIELD(COUNT, "threads", trial.threads),
	FIELD(CACHE, "cache", trial.cache),
	FIELD(REAL, "throughput", trial.throughput.median),
	FIELD(REAL, "throughput_low", trial.throughput.low),
	FIELD(REAL, "throughput_high", trial.throughput.high),
	FIELD(REAL, "prep_s", trial.profiled.prep_s),
	FIELD(WHOLE, "storage_bytes", trial.profiled.storage_bytes),
	FIELD(REAL, "full_prep_s", full.prep_s),
	FIELD(WHOLE, "full_storage_bytes", full.storage_bytes),
	FIELD(WHOLE, "break_even_epochs", break_even_epochs),
	FIELD(TEXT, "bottleneck", trial.bottleneck),
	FIELD(REAL, "score", worth.score),
	FIELD(COUNT, "rank", rank),
	FIELD(FLAG, "tied", tied),
	FIELD(FLAG, "pareto", pareto),
	FIELD(FLAG, "meets_constraints", meets),
	FIELD(REAL, "total_s", total_s),
	FIELD(REAL, "cost", cost),
	FIELD(EQUIVALENCE, "equivalent", trial.answers.equivalent),
	FIELD(ANSWER, "portable", trial.answers.portable),
	FIELD(TEXT, "bottleneck_evidence", trial.evidence),
	FIELD(REAL, "full_throughput", full.throughput),
	FIELD(FLAG, "outgrows_memory", full.outgrows_memory),
	FIELD(DEMAND_FLAG, "sufficient", sufficient),
	FIELD(REAL, "covers", covers),
	FIELD(TEXT, "emulated_storage", trial.emulated_storage),
	FIELD(TEXT, "unranked", unranked),
	FIELD(REAL, "full_throughput_low", full.low),
	FIELD(REAL, "full_throughput_high", full.high),
	FIELD(REAL, "loss", loss),
	FIELD(ANSWER, "drift", trial.answers.drifts),
	FIELD(REAL, "psnr_db", trial.psnr_db),
	FIELD(TEXT, "cache_place", trial.cached.place),
	NUMBER("source_samples", LOAD_NUMBER_SAMPLES),
	NUMBER("shards", LOAD_NUMBER_SHARDS),
	NUMBER("fetchers", LOAD_NUMBER_FETCHERS),
	NUMBER("read_ahead", LOAD_NUMBER_READ_AHEAD),
	NUMBER("shuffle", LOAD_NUMBER_SHUFFLE),
	NUMBER("batch", LOAD_NUMBER_BATCH),
	FIELD(REAL, "hosts", trial.throughput.together.hosts),
	FIELD(REAL, "total_mb_per_s", trial.throughput.together.mb_per_s),
	FIELD(REAL, "knee_hosts", trial.throughput.together.knee),
};

static void set_number(
    struct grid *grid, size_t column, enum field_kind kind, double number)
{
	if (kind == WHOLE && fabs(number) <= 0x1p53)
		grid_set_integer(grid, column, llround(number));
	else
		grid_set_real(grid, column, number);
}

static int set_text(
    struct grid *grid, size_t column, const char *text, struct error *err)
{
	return text && *text ? grid_set_text(grid, column, text, err) : 0;
}

static int set_field(struct grid *grid, size_t column,
    const struct candidate *candidate, struct error *err)
{
	const struct field *field = &fields[column];
	const void *at = (const char *)candidate + field->offset;

	switch (field->kind) {
	case TEXT:
		return set_text(grid, column, *(const char *const *)at, err);
	case CACHE:
		return set_text(grid, column,
		    cache_word(*(const enum cache_mode *)at), err);
	case EQUIVALENCE:
		return set_text(grid, column,
		    equivalence_word(*(const enum equivalence *)at), err);
	case ANSWER:
		return set_text(
		    grid, column, answer_word(*(const enum answer *)at), err);
	case WHOLE:
	case REAL:
		set_number(grid, column, field->kind, *(const double *)at);
		break;
	case COUNT: /* 0: none */
		if (*(const unsigned *)at)
			grid_set_integer(grid, column, *(const unsigned *)at);
		break;
	case DEMAND_FLAG: /* left empty without accelerators */
		if (!isnan(candidate->covers))
			grid_set_flag(grid, column, *(const bool *)at);
		break;
	case FLAG:
		grid_set_flag(grid, column, *(const bool *)at);
		break;
	}
	return 0;
}

static int add_candidate(
    struct grid *grid, const struct candidate *candidate, struct error *err)
{
	if (grid_add_row(grid, err))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (set_field(grid, i, candidate, err))
			return -1;
	return 0;
}

static uint64_t count_rows(const struct recommend_page *page)
{
	if (page->top)
		return page->top;
	return page->format == FORMAT_TEXT || page->format == FORMAT_MARKDOWN
	           ? ROWS_FOR_PEOPLE
	           : UINT64_MAX;
}

int recommend_grid(const struct ranking *ranking,
    const struct recommend_page *page, struct grid *grid, struct error *err)
{
	const uint64_t top = count_rows(page);

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (grid_add_column(grid, fields[i].name, err))
			return -1;
	for (size_t i = 0; i < ranking->count && grid->row_count < top; i++) {
		const struct candidate *c = &ranking->list[i];

		if (page->pareto && !c->pareto)
			continue;
		if (add_candidate(grid, c, err))
			return -1;
	}
	return 0;
}
