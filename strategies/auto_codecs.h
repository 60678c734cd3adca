/*
 * auto_codecs.h - what `codec = auto` stands for: codecs that are worth trying,
 * by what a representation is made of.
 */
#ifndef STRATEGIES_AUTO_CODECS_H
#define STRATEGIES_AUTO_CODECS_H

#include <stdbool.h>
#include <stddef.h>

struct schema;

/* All that it may stand for, as labels: NULL behind the last. */
const char *auto_codec_at(size_t i);

/* Is it worth trying this one of them on samples of this schema? */
bool auto_codec_suits(const char *label, const struct schema *schema);

#endif
