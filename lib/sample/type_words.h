/*
 * type_words.h - writes and parses the type of a field: "float32 chw
 * 3x224x224", "int64 plain scalar", "uint8 encoded ? jpg".
 */
#ifndef LIB_SAMPLE_TYPE_WORDS_H
#define LIB_SAMPLE_TYPE_WORDS_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

enum { TYPE_WORDS = SHAPE_TEXT + 64 };

const char *type_words(const struct type *type, char words[TYPE_WORDS]);
int type_words_parse(struct span words, struct type *type); /* 0 or -1 */
/* Writes or parses the layout alone: "hwc". */
const char *layout_word(enum layout layout);
int layout_word_parse(const char *text, enum layout *layout); /* 0 or -1 */
/* Parses the shape alone: "3x224x224", "?x4", "scalar". */
int shape_words_parse(struct span words, struct shape *shape);

#endif
