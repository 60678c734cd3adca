/* generated_session.c - see generated_session.h. */
#include "test/simulate/generated_session.h"

#include <math.h>
#include <stdlib.h>

#include "test/simulate/noise_models.h"
#include "test/simulate/simulate.h"

enum { SAMPLES = 1000 };

void generated_rates(struct noisy_machine *machine, double truth, size_t trials,
    size_t rounds, double *rates, double *common)
{
	for (size_t round = 0; round < rounds; round++) {
		noisy_machine_next_round(machine);
		for (size_t i = 0; i < trials; i++)
			rates[i * rounds + round] =
			    truth * exp(noisy_machine_run(machine));
		common[round] = machine->common;
	}
}

static struct measured_epoch epoch_of(unsigned run, double rate)
{
	return (struct measured_epoch){
		.run = run,
		.epoch = 1,
		.wall_ns = 1e9 * SAMPLES / rate,
		.first_batch_ns = NAN,
		.samples = SAMPLES,
		.cpu_ns = 1e9 * SAMPLES / rate,
		.bytes_read = NAN,
		.resident_percent = NAN,
		.peak_rss_bytes = NAN,
		.started_ns = NAN,
		.others_ns = NAN,
		.stolen_ns = NAN,
		.reference_ns = NAN,
	};
}

struct measured_session generated_session(
    const double *rates, size_t trials, size_t rounds)
{
	struct measured_session session = {
		.id = 1,
		.samples = SAMPLES,
		.total_samples = SAMPLES,
		.full_samples = SAMPLES,
		.source_bytes = NAN,
		.total_bytes = NAN,
		.memory_bytes = NAN,
		.trials = calloc(trials, sizeof(*session.trials)),
		.trial_count = trials,
		.epochs = calloc(trials * rounds, sizeof(*session.epochs)),
	};

	if (!session.trials || !session.epochs)
		simulate_fail("out of memory");
	for (size_t i = 0; i < trials * rounds; i++)
		session.epochs[i] =
		    epoch_of((unsigned)(i % rounds) + 1, rates[i]);
	for (size_t i = 0; i < trials; i++)
		session.trials[i] = (struct measured_trial){
			.id = (int64_t)i + 1,
			.strategy = (int64_t)i + 1,
			.threads = 1,
			.cache = CACHE_NONE,
			.is_done = true,
			.is_unprocessed = i == 0,
			.has_same_data = true,
			.is_readable = true,
			.prep_s = NAN,
			.storage_bytes = NAN,
			.cache_bytes = NAN,
			.rounds_ns = 1,
			.steps_cpu_ns = NAN,
			.epochs = &session.epochs[i * rounds],
			.epoch_count = rounds,
		};
	return session;
}
