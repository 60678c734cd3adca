/* print.c - see recommend.h: ranks, advises, and prints it. */
#include <math.h>
#include <string.h>

#include "cmd/html/frame.h"
#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/next.h"
#include "cmd/report/session_data.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/order.h"
#include "strategies/decide/rank.h"
#include "strategies/decide/sensitivity.h"
#include "strategies/search/searched.h"
#include "strategies/whatif/allocation.h"
#include "strategies/whatif/offload.h"

static int make_command(struct buf *out, const struct session_data *data,
    const struct candidate *winner, struct error *err)
{
	if (candidate_is_unprocessed(winner))
		return 0;
	return recommend_next(out, data, &winner->trial, err);
}

/* " --cache none,system": the modes of the session, and a cold one. */
static int add_cold(
    struct buf *out, const struct session_data *data, struct error *err)
{
	bool has[CACHE_COUNT] = { false };

	has[CACHE_NONE] = true;
	for (size_t i = 0; i < data->figures.count; i++)
		if (data->figures.list[i].cache != CACHE_UNKNOWN)
			has[data->figures.list[i].cache] = true;
	if (buf_printf(out, err, " --cache %s", cache_name(CACHE_NONE)))
		return -1;
	for (unsigned i = 0; i < CACHE_COUNT; i++)
		if (has[i] && i != CACHE_NONE &&
		    buf_printf(out, err, ",%s", cache_name((enum cache_mode)i)))
			return -1;
	return 0;
}

static int make_settle(struct buf *out, const struct session_data *data,
    const struct advice *advice, struct error *err)
{
	if (!*advice->open)
		return 0;
	if (next_measure(out, data, err))
		return -1;
	return advice->needs_cold ? add_cold(out, data, err) : 0;
}

/* Makes both commands, each ending with a zero byte. */
static int make_commands(struct findings *f, const struct session_data *data,
    struct buf *next, struct buf *settle, struct error *err)
{
	if (make_command(next, data, f->advice->winner, err) ||
	    make_settle(settle, data, f->advice, err))
		return -1;
	f->command = (const char *)next->data;
	f->settle = (const char *)settle->data;
	return 0;
}

/* Prints a page of its own, in the style of a report. */
static int print_page(const struct findings *f, struct error *err)
{
	FILE *out = f->page->out;
	int rc;

	frame_begin("recommendation", out);
	fputs("<header>\n<p class=\"brand\">presto recommend</p>\n"
	      "<h1>Recommendation</h1>\n</header>\n<main>\n"
	      "<section id=\"recommendation\">\n",
	    out);
	rc = recommend_text(f, err);
	fputs("</section>\n</main>\n", out);
	frame_end("presto " PRESTO_VERSION, NULL, out);
	return rc;
}

static int print_findings(const struct findings *f, struct error *err)
{
	switch (f->page->format) {
	case FORMAT_JSON:
		return recommend_json(f, err);
	case FORMAT_CSV:
		return format_write(FORMAT_CSV, f->rows, f->page->out, err);
	case FORMAT_HTML:
		return f->page->alone ? print_page(f, err)
		                      : recommend_text(f, err);
	default:
		return recommend_text(f, err);
	}
}

/* For the winner, and for unprocessed if that is another. */
static void find_offload(struct findings *f, const struct session_data *data,
    struct offload_plan plans[2])
{
	const struct candidate *winner = f->advice->winner;
	const struct candidate *base = f->advice->unprocessed;
	const struct offload_site *site = f->page->site;

	if (recommend_offload(data, winner, site, &plans[0]))
		f->offload = &plans[0];
	if (base && base != winner &&
	    recommend_offload(data, base, site, &plans[1]))
		f->offload_unprocessed = &plans[1];
}

static int check_conclusive(const struct findings *f, struct error *err)
{
	if (!f->page->alone || !f->advice->is_inconclusive)
		return 0;
	return error_set(err, ERROR_INCONCLUSIVE,
	    "inconclusive: %s; measure for longer: %s", f->advice->open,
	    f->settle);
}

int recommend_session(const struct session_data *data,
    const struct request *request, const struct recommend_page *page,
    struct error *err)
{
	struct ranking ranking = RANKING_INIT;
	struct grid rows = GRID_INIT;
	struct buf command = BUF_INIT, settle = BUF_INIT;
	struct request full = *request;
	struct sensitivity sensitivity;
	struct allocation allocation;
	struct offload_plan plans[2];
	struct advice advice;
	struct findings f = { .page = page,
		.ranking = &ranking,
		.advice = &advice,
		.request = &full,
		.rows = &rows,
		.told = &data->warnings,
		.options = data->options };
	int rc = -1;

	session_data_complete(data, &full);
	f.searched_for_another = data->decision.objective &&
	                         (full.reader != data->reader ||
	                             !searched_for(&full, &data->decision));
	if (!page->brief && page->format != FORMAT_CSV)
		f.sensitivity = &sensitivity;
	if (ranking_make(&ranking, &data->figures, &full, err) ||
	    (f.sensitivity &&
	        sensitivity_make(&sensitivity, &data->figures, &full, err)) ||
	    recommend_grid(&ranking, page, &rows, err))
		goto done;
	advice_make(&advice, &ranking, &full, &data->surroundings);
	if (make_commands(&f, data, &command, &settle, err))
		goto done;
	if (recommend_allocate(data, advice.winner, page->cores, &allocation))
		f.allocation = &allocation;
	if (page->site)
		find_offload(&f, data, plans);
	rc = print_findings(&f, err);
	if (rc == 0)
		rc = recommend_check_sufficient(&f, err);
	if (rc == 0)
		rc = check_conclusive(&f, err);
done:
	buf_release(&command);
	buf_release(&settle);
	grid_release(&rows);
	ranking_release(&ranking);
	return rc;
}

int recommend_print(
    struct results *results, int64_t session, FILE *out, struct error *err)
{
	const struct request request = request_default();
	const struct recommend_page page = {
		.brief = true, .cores = NAN, .out = out
	};
	struct session_data data = SESSION_DATA_INIT;
	int rc = session_data_from_results(&data, results, session, err);

	if (rc == 0)
		rc = recommend_session(&data, &request, &page, err);
	session_data_release(&data);
	return rc;
}

int recommend_default(const struct session_data *data,
    struct recommend_choice *choice, struct error *err)
{
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	int rc;

	request.session = data->session;
	session_data_complete(data, &request);
	rc = ranking_make(&ranking, &data->figures, &request, err);
	if (rc == 0) {
		const struct candidate *winner = &ranking.list[0];

		snprintf(
		    choice->label, RESULTS_LABEL, "%s", winner->trial.strategy);
		choice->shards = recommend_shards(&winner->trial);
		choice->is_settled = !(winner->loss >= gain_decisive);
	}
	ranking_release(&ranking);
	return rc;
}

int recommend_winner(struct results *results, int64_t session,
    struct recommend_choice *choice, struct error *err)
{
	struct session_data data = SESSION_DATA_INIT;
	int rc = session_data_from_results(&data, results, session, err);

	if (rc == 0)
		rc = recommend_default(&data, choice, err);
	session_data_release(&data);
	return rc;
}
