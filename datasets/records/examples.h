/*
 * examples.h - views tf.train.Example records as samples.
 *
 * A feature of bytes is a field of encoded bytes. It is a tensor if the bytes
 * are a .npy file, or if features FEATURE/dtype and FEATURE/shape are beside
 * it, as presto's own store writes them. Lists of floats and of integers are
 * tensors of one dimension, float32 and int64.
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
	FEATURE_TENSOR, /* elements; shape and dtype are other features */
	FEATURE_FLOATS,
	FEATURE_INTS,
};

struct examples {
	unsigned count; /* fields */
	struct {
		char feature[FEATURE_MAX];
		enum feature_form form;
	} fields[FIELDS_MAX];
	char label[FEATURE_MAX]; /* "": none */
	char key[FEATURE_MAX];   /* "": the number of the record */
	bool is_label_wanted;    /* a record without label is an error */
};

/* Returns memory for values of `samples` samples of `bytes` bytes in all. */
size_t examples_room(
    const struct examples *examples, uint64_t samples, size_t bytes);
/*
 * Views the sample in a payload; numbers are decoded into `room`, which has
 * enough memory and does not move. Sets count, label and fields, and the key if
 * a feature holds it.
 */
int examples_view(const struct examples *examples, const struct schema *schema,
    struct span payload, struct buf *room, struct sample *sample,
    struct error *err);

#endif
