/*
 * probe_print.h - what a probe found, for people and for programs.
 */
#ifndef CMD_PROBE_PRINT_H
#define CMD_PROBE_PRINT_H

#include <stdio.h>

#include "cmd/writers/format.h"

struct error;
struct probe;

/* `of` is what was probed: a folder, or "a storage of ... in a folder". */
int probe_print(const struct probe *probe, const char *of, enum format format,
    FILE *out, struct error *err);

#endif
