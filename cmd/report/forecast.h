/*
 * forecast.h - how far off the forecast of a session was, in the head
 * of its report.
 */
#ifndef CMD_REPORT_FORECAST_H
#define CMD_REPORT_FORECAST_H

struct error;
struct grid;
struct report_page;
struct session_record;

/*
 * Lines of the errors, in the median, of samples/s, preparation and storage;
 * where that of samples/s is large, what was not known.  `trials` is the view
 * of trials, of one or more sessions; of another view there is nothing to say.
 */
int report_forecast(const struct report_page *page,
    const struct session_record *record, const struct grid *trials,
    struct error *err);

#endif
