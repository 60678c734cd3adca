/* auto_codecs.h - codecs that `codec = auto` tries, by the kind of data. */
#ifndef STRATEGIES_PLAN_AUTO_CODECS_H
#define STRATEGIES_PLAN_AUTO_CODECS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/codecs/codec.h"

struct schema;

/* Writes the label of codec i of `auto`.  False: there are fewer. */
bool auto_codec_at(size_t i, char label[CODEC_LABEL]);

/* Is this codec of `auto` worth trying on samples of this schema? */
bool auto_codec_suits(const char *label, const struct schema *schema);

#endif
