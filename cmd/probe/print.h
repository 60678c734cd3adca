/* print.h - prints the figures of a probe, for people and for programs. */
#ifndef CMD_PROBE_PRINT_H
#define CMD_PROBE_PRINT_H

#include <stdio.h>

#include "cmd/writers/format.h"

struct error;
struct probe;

/* `of` names what was probed: a folder, or "a storage of ... in a folder". */
int probe_print(const struct probe *probe, const char *of, enum format format,
    FILE *out, struct error *err);

#endif
