/*
 * invert.c - steps for presto: `invert`, the negative of an image, and `noise`,
 * an image with other noise in each epoch.  Both take uint8 of any shape.
 */
#include <presto.h>
#include <stdlib.h>

struct step {
	const struct presto_host *host;
	int value; /* of its option */
};

/* Reads an option that must be 0 to 255. */
static struct step *make_step(const struct presto_host *host, const char *name,
    const char *value, const struct presto_type *in, struct presto_type *out)
{
	char *end;
	const long number = strtol(value, &end, 10);
	struct step *step;

	if (in->dtype != PRESTO_U8) {
		host->fail(host->self, "takes uint8");
		return NULL;
	}
	if (end == value || *end || number < 0 || number > 255) {
		host->fail(
		    host->self, "%s must be 0 to 255, got '%s'", name, value);
		return NULL;
	}
	step = malloc(sizeof(*step));
	if (!step) {
		host->fail(host->self, "out of memory");
		return NULL;
	}
	step->host = host;
	step->value = (int)number;
	*out = *in;
	return step;
}

static void *invert_create(const struct presto_host *host,
    const char *const *values, const struct presto_type *in,
    struct presto_type *out)
{
	return make_step(host, "top", values[0], in, out);
}

static int invert_run(
    void *instance, const struct presto_tensor *in, struct presto_tensor *out)
{
	const struct step *step = instance;
	const unsigned char *from = in->data;
	unsigned char *to;

	if (step->host->reshape(step->host->self, out, &in->type))
		return -1;
	to = out->data;
	for (size_t i = 0; i < in->bytes; i++)
		to[i] = (unsigned char)(step->value - from[i]);
	return 0;
}

static void *noise_create(const struct presto_host *host,
    const char *const *values, const struct presto_type *in,
    struct presto_type *out)
{
	return make_step(host, "strength", values[0], in, out);
}

/* All chance comes from host->draw: the same in each run with the same seed. */
static int noise_run(
    void *instance, const struct presto_tensor *in, struct presto_tensor *out)
{
	const struct step *step = instance;
	const unsigned range = (unsigned)step->value + 1;
	const unsigned char *from = in->data;
	unsigned char *to;

	if (step->host->reshape(step->host->self, out, &in->type))
		return -1;
	to = out->data;
	for (size_t i = 0; i < in->bytes; i++) {
		const unsigned more =
		    (unsigned)(step->host->draw(step->host->self) % range);

		to[i] = (unsigned char)(from[i] + more > 255 ? 255
		                                             : from[i] + more);
	}
	return 0;
}

static const char *const invert_options[] = { "top=255", NULL };
static const char *const noise_options[] = { "strength=16", NULL };

const struct presto_step presto_steps_v1[] = {
	{
	    .size = sizeof(struct presto_step),
	    .abi = PRESTO_STEP_ABI,
	    .name = "invert",
	    .summary = "make the negative of an image",
	    .takes = "uint8",
	    .gives = "the same",
	    .version = "1",
	    .options = invert_options,
	    .create = invert_create,
	    .run = invert_run,
	    .destroy = free,
	},
	{
	    .size = sizeof(struct presto_step),
	    .abi = PRESTO_STEP_ABI,
	    .flags = PRESTO_RANDOM,
	    .name = "noise",
	    .summary = "add noise to an image",
	    .takes = "uint8",
	    .gives = "the same",
	    .version = "1",
	    .options = noise_options,
	    .create = noise_create,
	    .run = noise_run,
	    .destroy = free,
	},
	{ 0 },
};
