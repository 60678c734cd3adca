/*
 * auto_codecs.h - what `codec = auto` stands for: codecs that are worth trying,
 * by what a representation is made of.
 */
#ifndef STRATEGIES_PLAN_AUTO_CODECS_H
#define STRATEGIES_PLAN_AUTO_CODECS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/codecs/codec.h"

struct schema;

/* The i-th codec that it may stand for, by its label.  False: no more. */
bool auto_codec_at(size_t i, char label[CODEC_LABEL]);

/* Is it worth trying this one of them on samples of this schema? */
bool auto_codec_suits(const char *label, const struct schema *schema);

#endif
