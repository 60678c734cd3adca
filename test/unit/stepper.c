/* stepper.c - see stepper.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static int set_options(struct stepper *stepper, struct error *err)
{
	const struct step_ops *ops = stepper->ops;
	char *rest = NULL, *word;

	strtok_r(stepper->text, " ", &rest);
	while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
		char *value = strchr(word, '=');

		assert_non_null(value);
		assert_non_null(ops->options);
		*value = '\0';
		if (option_set(
		        ops->options, stepper->options, word, value + 1, err))
			return -1;
	}
	return ops->check ? ops->check(stepper->options, err) : 0;
}

/* Finds the step and sets its options. */
static int prepare(
    struct stepper *stepper, const char *words, struct error *err)
{
	const size_t name = strcspn(words, " ");
	char step[64] = "";

	*stepper = (struct stepper){ .text = strdup(words) };
	assert_non_null(stepper->text);
	assert_true(name < sizeof(step));
	memcpy(step, words, name);
	stepper->ops = step_find(step);
	assert_non_null(stepper->ops);
	stepper->options = calloc(1, stepper->ops->options_size + 1);
	stepper->priv = calloc(1, stepper->ops->priv_size + 1);
	assert_non_null(stepper->options);
	assert_non_null(stepper->priv);
	if (stepper->ops->defaults)
		memcpy(stepper->options, stepper->ops->defaults,
		    stepper->ops->options_size);
	return set_options(stepper, err);
}

int stepper_open(struct stepper *stepper, const char *words,
    const struct type *in, struct error *err)
{
	if (prepare(stepper, words, err))
		return -1;
	assert_non_null(stepper->ops->bind);
	return stepper->ops->bind(
	    stepper->priv, stepper->options, in, &stepper->out, err);
}

int stepper_open_sample(struct stepper *stepper, const char *words,
    const struct schema *in, unsigned fields, struct error *err)
{
	if (prepare(stepper, words, err))
		return -1;
	assert_non_null(stepper->ops->sample);
	stepper->schema = *in;
	return stepper->ops->sample->bind(
	    stepper->priv, stepper->options, in, fields, &stepper->schema, err);
}

int stepper_begin(struct stepper *stepper, uint64_t seed,
    const struct sample *in, uint64_t *count, struct error *err)
{
	struct random random = random_stream(seed, 0, 0, 0);

	*count = 1;
	return stepper->ops->sample->begin(
	    stepper->priv, &random, in, count, err);
}

int stepper_make(struct stepper *stepper, uint64_t seed,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	struct random random = random_stream(seed, 0, 0, (uint32_t)i + 1);

	out->count = stepper->schema.count;
	out->label = in->label;
	if (stepper->ops->sample->make(stepper->priv, &random, in, i, out, err))
		return -1;
	for (unsigned f = 0; f < stepper->schema.count; f++)
		if (tensor_check(
		        &out->fields[f], &stepper->schema.fields[f].type, err))
			return error_prefix(
			    err, "%s", stepper->schema.fields[f].name);
	return 0;
}

int stepper_run(struct stepper *stepper, uint64_t seed, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	struct random random = random_stream(seed, 0, 0, 0);

	if (!stepper->ops->run)
		return tensor_copy(out, in, err);
	if (stepper->ops->run(stepper->priv, &random, in, out, err))
		return -1;
	return tensor_check(out, &stepper->out, err);
}

void stepper_close(struct stepper *stepper)
{
	if (stepper->ops && stepper->ops->release)
		stepper->ops->release(stepper->priv);
	free(stepper->priv);
	free(stepper->options);
	free(stepper->text);
	*stepper = (struct stepper){ .ops = NULL };
}

void stepper_once(const char *words, const struct type *type,
    const struct tensor *in, struct tensor *out)
{
	struct error err = ERROR_INIT;
	struct stepper stepper;

	test_ok(stepper_open(&stepper, words, type, &err), &err);
	test_ok(stepper_run(&stepper, 1, in, out, &err), &err);
	stepper_close(&stepper);
}

struct type stepper_image_type(enum dtype dtype, int64_t channels)
{
	return (struct type){
		.dtype = dtype,
		.layout = LAYOUT_HWC,
		.shape = { 3, { -1, -1, channels } },
	};
}

struct type stepper_planes_type(enum dtype dtype, int64_t channels)
{
	return (struct type){
		.dtype = dtype,
		.layout = LAYOUT_CHW,
		.shape = { 3, { channels, -1, -1 } },
	};
}

void stepper_noise(struct tensor *tensor, enum dtype dtype, int64_t height,
    int64_t width, int64_t channels)
{
	const struct shape shape = { 3, { height, width, channels } };
	struct random random = random_stream(7, 0, 0, 0);
	struct error err = ERROR_INIT;

	test_ok(tensor_reshape(tensor, dtype, &shape, &err), &err);
	if (dtype != DTYPE_F32) {
		random_fill(&random, tensor->data, tensor->bytes);
		return;
	}
	for (size_t i = 0; i < shape_elements(&shape); i++)
		((float *)tensor->data)[i] =
		    (float)(random_unit(&random) * 300 - 20);
}
