/*
 * probe_print.h - what a probe found, for people and for programs.
 */
#ifndef CMD_PROBE_PRINT_H
#define CMD_PROBE_PRINT_H

#include <stdio.h>

struct error;
struct probe;

enum probe_form { PROBE_TEXT, PROBE_MARKDOWN, PROBE_CSV, PROBE_JSON };

/* `of` is what was probed: a folder, or "a storage of ... in a folder". */
int probe_print(const struct probe *probe, const char *of, enum probe_form form,
    FILE *out, struct error *err);

#endif
