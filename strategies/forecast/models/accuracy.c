/* accuracy.c - see accuracy.h. */
#include "strategies/forecast/models/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/forecast_errors.h"
#include "lib/stats/statistics.h"

/* Fewer errors than these do not say what 95 of 100 are. */
enum { ERRORS_LEAST = 20, ERRORS_MOST = 2000 };

/* Spreads that hold 95 of 100 errors on usual machines. */
static const double usual_warm = 0.33, usual_cold = 0.42, usual_storage = 0.05,
                    usual_preparation = 0.45;

/* No calibration makes an interval narrower than the noise of two runs. */
static const double least_spread = 0.02;

void accuracy_init(struct accuracy *accuracy)
{
	*accuracy = (struct accuracy){
		.warm = { .spread = usual_warm },
		.cold = { .spread = usual_cold },
		.storage = { .spread = usual_storage },
		.preparation = { .spread = usual_preparation },
	};
}

struct errors {
	double list[ERRORS_MOST];
	size_t count;
};

/* Takes the errors of a kind, of this machine or of all. */
static void collect(struct errors *errors, const struct forecast_errors *of,
    enum forecast_figure figure, const char *cpu)
{
	errors->count = 0;
	for (size_t i = 0; i < of->count && errors->count < ERRORS_MOST; i++) {
		const struct forecast_error *e = &of->list[i];

		if (e->figure == figure && (!cpu || strcmp(e->cpu, cpu) == 0))
			errors->list[errors->count++] = fabs(e->log_ratio);
	}
}

static void learn_part(struct accuracy_part *part, struct errors *errors,
    const struct forecast_errors *of, enum forecast_figure figure,
    const char *cpu)
{
	enum accuracy_origin origin = ACCURACY_MACHINE;
	size_t place;

	collect(errors, of, figure, cpu);
	if (errors->count < ERRORS_LEAST) {
		collect(errors, of, figure, NULL);
		origin = ACCURACY_ALL;
	}
	if (errors->count < ERRORS_LEAST)
		return;
	values_sort(errors->list, errors->count);
	/* the next value above the quantile: few errors are no proof */
	place = (size_t)ceil(0.95 * (double)(errors->count + 1));
	if (place > errors->count)
		place = errors->count;
	*part = (struct accuracy_part){
		.spread = fmax(errors->list[place - 1], least_spread),
		.count = (unsigned)errors->count,
		.origin = origin,
	};
}

int accuracy_learn(struct accuracy *accuracy, struct results *results,
    const char *cpu, struct error *err)
{
	struct forecast_errors of = FORECAST_ERRORS_INIT;
	struct errors *errors = memory_zeroed(sizeof(*errors), err);
	int rc = -1;

	if (errors && forecast_errors_read(&of, results, err) == 0) {
		learn_part(&accuracy->warm, errors, &of, FORECAST_WARM, cpu);
		learn_part(&accuracy->cold, errors, &of, FORECAST_COLD, cpu);
		learn_part(
		    &accuracy->storage, errors, &of, FORECAST_STORAGE, cpu);
		learn_part(&accuracy->preparation, errors, &of,
		    FORECAST_PREPARATION, cpu);
		rc = 0;
	}
	forecast_errors_release(&of);
	free(errors);
	return rc;
}

struct accuracy_range accuracy_range(
    const struct accuracy_part *part, double value, double error)
{
	const double spread =
	    sqrt(part->spread * part->spread + 4 * error * error);

	struct accuracy_range range = { 0, 0 };

	if (part->spread <= 0)
		return range;
	range.low = value * exp(-spread);
	range.high = value * exp(spread);
	return range;
}
