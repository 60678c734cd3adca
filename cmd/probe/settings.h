/* settings.h - options of presto probe that folders and URLs share. */
#ifndef CMD_PROBE_SETTINGS_H
#define CMD_PROBE_SETTINGS_H

struct error;
struct medium;
struct option_texts;
struct probe_plan;

/* Parses --threads; NULL: 1 and the number of cores. */
int probe_read_threads(
    struct probe_plan *plan, const char *list, struct error *err);
/* Opens the medium, with an emulated storage if --set asks for it. */
struct medium *probe_open_medium(
    const struct option_texts *sets, struct error *err);

#endif
