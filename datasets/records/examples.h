/*
 * examples.h - which features of tf.train.Example records are the fields, the
 * label and the key of a sample: the options `fields`, `label` and `key`, and
 * what the first record has.
 *
 * A feature of one run of bytes is a field of encoded bytes; of bytes that are
 * a .npy file, or that have features FEATURE/dtype and FEATURE/shape beside
 * them, as presto's own store writes them, a tensor.  Lists of floats and of
 * integers are tensors of one dimension, float32 and int64.
 */
#ifndef DATASETS_RECORDS_EXAMPLES_H
#define DATASETS_RECORDS_EXAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/files/field_names.h"
#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct error;

enum { FEATURE_MAX = FIELD_NAMES_MAX };

enum feature_form {
	FEATURE_BYTES,  /* encoded, or a .npy file */
	FEATURE_TENSOR, /* with its shape and dtype beside it */
	FEATURE_FLOATS,
	FEATURE_INTS,
};

struct examples {
	unsigned count; /* of fields */
	struct {
		char feature[FEATURE_MAX];
		enum feature_form form;
	} fields[FIELDS_MAX];
	char label[FEATURE_MAX]; /* "": none */
	char key[FEATURE_MAX];   /* "": the number of the record */
	bool is_label_wanted;    /* a record without it is an error */
};

/* Reads the options, each of which may be NULL; ERROR_USAGE quotes it. */
int examples_parse(struct examples *examples, struct schema *schema,
    const char *fields, const char *label, const char *key, struct error *err);
/* Takes fields that are not given, and all types, from the first record. */
int examples_learn(struct examples *examples, struct schema *schema,
    struct span payload, struct error *err);
/* Bytes of memory that so many samples need, of so many bytes together. */
size_t examples_room(
    const struct examples *examples, uint64_t samples, size_t bytes);
/*
 * The sample in a payload: views into it, and into `room`, which has enough
 * memory and does not move.  Sets the key where a feature is it, and count,
 * label and fields.
 */
int examples_view(const struct examples *examples, const struct schema *schema,
    struct span payload, struct buf *room, struct sample *sample,
    struct error *err);

#endif
