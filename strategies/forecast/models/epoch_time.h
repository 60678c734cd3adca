/*
 * epoch_time.h - how long an epoch takes, if fetchers wait for a storage and
 * workers compute: both are simulated chunk by chunk.
 *
 * A bound by the slower of the two is right for long epochs only.  In a short
 * one the workers wait for the first chunk, the last one is computed when
 * nothing is read any more, and chunks are not divided among workers.
 *
 * Fetchers open streams and fetch their chunks as in lib/loader/fetcher.c, as
 * far ahead as there are buffers.  Requests are served as in
 * lib/media/emulated.c.
 */
#ifndef STRATEGIES_FORECAST_MODELS_EPOCH_TIME_H
#define STRATEGIES_FORECAST_MODELS_EPOCH_TIME_H

/* The limits of a storage; 0: not limited. */
struct storage_speed {
	double bandwidth; /* bytes per second of all requests together */
	double stream;    /* bytes per second of one request */
	double latency;   /* seconds of a request */
	double iops;      /* requests per second of all */
	double open;      /* seconds to open a file; files overlap */
	/* Files opened per second, of all; nothing is transferred meanwhile. */
	double opens;
};

struct epoch_work {
	double streams; /* at least 1 */
	double chunks;  /* chunks of each stream; at least 1 */
	/* Each chunk has: */
	double bytes, requests, opens;
	double compute_s; /* time of one worker */
	/* Opening a stream takes, beside its chunks: */
	double stream_requests, stream_opens;
	unsigned fetchers, workers;
	unsigned buffers; /* chunks that are fetched or computed at a time */
};

/* Returns the seconds of an epoch. */
double epoch_time(
    const struct epoch_work *work, const struct storage_speed *speed);
/*
 * Returns by which fraction the epoch takes longer if computing takes longer by
 * the fraction `error`.  Where all wait for the storage, it is 0.
 */
double epoch_time_error(const struct epoch_work *work,
    const struct storage_speed *speed, double error);

#endif
