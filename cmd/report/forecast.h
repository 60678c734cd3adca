/* forecast.h - the error of a session's forecast, for the head of a report. */
#ifndef CMD_REPORT_FORECAST_H
#define CMD_REPORT_FORECAST_H

struct error;
struct grid;
struct report_page;
struct session_record;

/*
 * Prints the median errors of samples/s, preparation and storage.  If that of
 * samples/s is large, it also says what the forecast did not know.  `trials` is
 * the view of trials of one or more sessions; for others nothing is printed.
 */
int report_forecast(const struct report_page *page,
    const struct session_record *record, const struct grid *trials,
    struct error *err);

#endif
