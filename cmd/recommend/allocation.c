/* allocation.c - prints what the cores and the storage can reach. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/session_data.h"
#include "cmd/writers/json.h"
#include "lib/base/units.h"
#include "strategies/decide/advice.h"
#include "strategies/whatif/allocation.h"

enum { PART = 160 };

/* A smaller gain is not mentioned. */
static const double least_gain = 0.005;
/* Other programs are mentioned if they take so much of a core. */
static const double others_told = 0.05;

bool recommend_allocate(const struct session_data *data,
    const struct candidate *winner, double cores, struct allocation *allocation)
{
	const struct trial_work *work =
	    session_work_of(&data->work, &winner->trial);

	return work && allocation_make(allocation, work, cores);
}

/* ---- people ---- */

/* "measured 1 801, 93 %; other programs took 0.3 cores" */
static void print_measured(const struct allocation *a, char text[PART])
{
	char rate[UNITS_TEXT], others[PART / 2] = "";

	units_number(a->measured, rate);
	if (a->others_cores >= others_told)
		snprintf(others, sizeof(others),
		    "; other programs took %.2g cores", a->others_cores);
	if (isnan(a->reached))
		snprintf(text, PART, "measured %s on other cores", rate);
	else
		snprintf(text, PART, "measured %s, %.0f %%%s", rate,
		    100 * a->reached, others);
}

/* "one more core +50 %; the storage allows 12 000" */
static void say_cpu(const struct findings *f, const char *measured)
{
	const struct allocation *a = f->allocation;
	char rate[UNITS_TEXT], more[PART], storage[PART] = "";

	if (a->core_gain >= least_gain)
		snprintf(more, sizeof(more), "one more core adds %.0f %%",
		    100 * a->core_gain);
	else
		snprintf(more, sizeof(more), "one more core adds nothing");
	if (isfinite(a->storage_samples_per_s))
		snprintf(storage, sizeof(storage), "; the storage allows %s",
		    units_number(a->storage_samples_per_s, rate));
	recommend_say(f, "allocation",
	    "%.4g %s at most %s samples/s by CPU (%s); %s%s", a->cores,
	    a->cores > 1 ? "cores give" : "core gives",
	    units_number(a->cpu_samples_per_s, rate), measured, more, storage);
}

static void say_storage(const struct findings *f, const char *measured)
{
	const struct allocation *a = f->allocation;
	char rate[UNITS_TEXT], cpu[UNITS_TEXT];

	recommend_say(f, "allocation",
	    "the storage gives at most %s samples/s (%s); a storage twice as "
	    "fast adds %.0f %%, more cores add nothing; %.4g %s %s by CPU",
	    units_number(a->storage_samples_per_s, rate), measured,
	    100 * a->storage_gain, a->cores,
	    a->cores > 1 ? "cores would give" : "core would give",
	    units_number(a->cpu_samples_per_s, cpu));
}

static void say_threads(const struct findings *f)
{
	const struct allocation *a = f->allocation;
	char ahead[UNITS_TEXT];

	recommend_say(f, "threads",
	    "%u %s and %u %s reach that, with %s %s prefetched; cores for each "
	    "part: fetch %.2f, decode %.2f, steps %.2f, batch %.2f",
	    a->workers, a->workers == 1 ? "worker" : "workers", a->fetchers,
	    a->fetchers == 1 ? "fetcher" : "fetchers",
	    units_number(ceil(a->read_ahead_samples), ahead),
	    a->read_ahead_samples > 1 ? "samples" : "sample",
	    a->activity_cores[ACTIVITY_FETCH],
	    a->activity_cores[ACTIVITY_DECODE],
	    a->activity_cores[ACTIVITY_STEPS],
	    a->activity_cores[ACTIVITY_BATCH]);
}

void recommend_say_allocation(const struct findings *f)
{
	const struct allocation *a = f->allocation;
	char measured[PART];

	if (!a || f->page->brief)
		return;
	print_measured(a, measured);
	if (a->is_storage)
		say_storage(f, measured);
	else
		say_cpu(f, measured);
	say_threads(f);
}

/* ---- programs ---- */

void recommend_add_allocation(const struct findings *f, struct json_doc *doc)
{
	const struct allocation *a = f->allocation;
	struct json_t *at, *groups;

	if (!a) {
		json_add_text(doc, doc->root, "allocation", NULL);
		return;
	}
	at = json_add_object(doc, doc->root, "allocation");
	json_add_number(doc, at, "cores", a->cores);
	json_add_number(doc, at, "most_samples_per_s", a->samples_per_s);
	json_add_number(doc, at, "cpu_samples_per_s", a->cpu_samples_per_s);
	json_add_number(doc, at, "storage_samples_per_s",
	    isfinite(a->storage_samples_per_s) ? a->storage_samples_per_s
	                                       : NAN);
	json_add_text(doc, at, "limit", a->is_storage ? "storage" : "cpu");
	json_add_number(doc, at, "measured_samples_per_s", a->measured);
	json_add_number(doc, at, "reached", a->reached);
	json_add_number(doc, at, "others_cores", a->others_cores);
	json_add_number(doc, at, "gain_one_more_core", a->core_gain);
	json_add_number(doc, at, "gain_twice_the_storage", a->storage_gain);
	json_add_uint(doc, at, "workers", a->workers);
	json_add_uint(doc, at, "fetchers", a->fetchers);
	json_add_number(
	    doc, at, "read_ahead_samples", ceil(a->read_ahead_samples));
	groups = json_add_object(doc, at, "group_cores");
	for (unsigned g = 0; g < ACTIVITIES; g++)
		json_add_number(
		    doc, groups, activity_names[g], a->activity_cores[g]);
}
