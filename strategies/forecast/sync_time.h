/*
 * sync_time.h - measures how long a storage takes to make a small file safe.
 * This is most of the time of writing many small files, whatever their content.
 */
#ifndef STRATEGIES_FORECAST_SYNC_TIME_H
#define STRATEGIES_FORECAST_SYNC_TIME_H

/*
 * Returns the mean seconds of 4 files in the folder, which are removed at once.
 * If `dir` is NULL, or cannot be written to, it returns 1 ms, usual for an SSD.
 */
double sync_time(const char *dir);

#endif
