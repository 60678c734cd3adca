/*
 * accuracy.h - how far forecasts are off, for their intervals.
 *
 * A result database keeps each forecast beside what was then measured.  The
 * errors of this machine are taken, or those of all machines where it has too
 * few, or else values that hold on the machines on which presto was tried
 * (scripts/forecast-accuracy).  An interval reaches as far as 95 of 100 of
 * these errors. Forecasts that had no interval are not counted: an earlier
 * presto made them.
 */
#ifndef STRATEGIES_FORECAST_MODELS_ACCURACY_H
#define STRATEGIES_FORECAST_MODELS_ACCURACY_H

struct error;
struct results;

enum accuracy_origin { ACCURACY_USUAL, ACCURACY_MACHINE, ACCURACY_ALL };

struct accuracy_part {
	/* 95 of 100 errors, as |ln(measured / predicted)|; 0: as usual. */
	double spread;
	unsigned count; /* number of errors; 0: it is as usual */
	enum accuracy_origin origin;
};

struct accuracy {
	struct accuracy_part warm, cold; /* throughput, by where data is */
	struct accuracy_part storage, preparation;
};

/* Sets the usual values. */
void accuracy_init(struct accuracy *accuracy);
/* Learns from the errors of a database; `cpu` is this machine's. */
int accuracy_learn(struct accuracy *accuracy, struct results *results,
    const char *cpu, struct error *err);

/* An interval around a forecast, given a further error as a fraction. */
struct accuracy_range {
	double low, high;
};
struct accuracy_range accuracy_range(
    const struct accuracy_part *part, double value, double error);

#endif
