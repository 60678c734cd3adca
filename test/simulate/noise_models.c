/* noise_models.c - see noise_models.h. */
#include "test/simulate/noise_models.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/statistics.h"

enum { LONG_RUN = 400000, SESSION_RUNS = 2000 };

/* Student's t: a normal over the root of a chi-square over its degrees. */
static double student(struct random *random, unsigned degrees)
{
	const double normal = random_normal(random);
	double sum = 0;

	for (unsigned i = 0; i < degrees; i++) {
		const double x = random_normal(random);

		sum += x * x;
	}
	return normal / sqrt(sum / degrees);
}

static double own(struct noisy_machine *machine)
{
	const struct noise_model *m = machine->model;
	struct random *random = &machine->random;
	double noise = m->own * (m->tails ? student(random, m->tails)
	                                  : random_normal(random));

	if (m->spikes > 0 && random_unit(random) < m->spikes)
		noise -= m->spike_by;
	return noise;
}

/* Draws drift and state from their long-run distributions. */
static void begin(struct noisy_machine *machine)
{
	const struct noise_model *m = machine->model;
	const double both = m->to_slow + m->to_fast;

	machine->drift = m->drift * random_normal(&machine->random);
	machine->is_slow =
	    both > 0 && random_unit(&machine->random) < m->to_slow / both;
}

struct noisy_machine noisy_machine_init(
    const struct noise_model *model, uint64_t seed, uint64_t number)
{
	struct noisy_machine machine = {
		.model = model,
		.random = random_stream(seed, 0, number, 0),
	};

	machine.session = model->session * random_normal(&machine.random);
	begin(&machine);
	return machine;
}

void noisy_machine_next_session(struct noisy_machine *machine)
{
	machine->session =
	    machine->session / 2 + sqrt(0.75) * machine->model->session *
	                               random_normal(&machine->random);
	begin(machine);
}

void noisy_machine_next_round(struct noisy_machine *machine)
{
	const struct noise_model *m = machine->model;
	const double turn = machine->is_slow ? m->to_fast : m->to_slow;

	machine->drift =
	    m->keep * machine->drift + sqrt(1 - m->keep * m->keep) * m->drift *
	                                   random_normal(&machine->random);
	if (turn > 0 && random_unit(&machine->random) < turn)
		machine->is_slow = !machine->is_slow;
	machine->common = machine->drift - (machine->is_slow ? m->slow_by : 0);
}

double noisy_machine_offset(struct noisy_machine *machine)
{
	return machine->model->offset * random_normal(&machine->random);
}

double noisy_machine_run(struct noisy_machine *machine)
{
	return machine->session + machine->common + own(machine);
}

/*
 * Draws from the long-run distribution.  The state is not drawn, but has its
 * share of the values: where a machine is slow half of the time, the median
 * lies between the states.
 */
double noise_model_median(const struct noise_model *model)
{
	struct noisy_machine machine = noisy_machine_init(model, 0, 0);
	const double both = model->to_slow + model->to_fast;
	const double slow = both > 0 ? model->to_slow / both : 0;
	double *values = malloc(LONG_RUN * sizeof(*values));
	double median;

	if (!values)
		return NAN;
	for (size_t i = 0; i < LONG_RUN; i++)
		values[i] = own(&machine) +
		            model->drift * random_normal(&machine.random) -
		            ((double)i < slow * LONG_RUN ? model->slow_by : 0);
	median = median_of(values, LONG_RUN);
	free(values);
	return median;
}

double noisy_machine_median(
    struct noisy_machine *machine, const double *common, size_t rounds)
{
	const size_t count = SESSION_RUNS;
	double *values = malloc(count * sizeof(*values));
	double median;

	if (!values)
		return NAN;
	for (size_t i = 0; i < count; i++)
		values[i] = common[i % rounds] + own(machine);
	median = median_of(values, count);
	free(values);
	return median;
}
