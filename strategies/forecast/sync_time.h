/*
 * sync_time.h - how long a storage takes until a small file is safe on it: what
 * writing many of them comes to, whatever is in them.
 */
#ifndef STRATEGIES_FORECAST_SYNC_TIME_H
#define STRATEGIES_FORECAST_SYNC_TIME_H

/*
 * Seconds, of a few files in the folder, which are removed at once; a common
 * value where none can be made, or for NULL.
 */
double sync_time(const char *dir);

#endif
