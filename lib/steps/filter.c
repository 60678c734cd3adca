/*
 * filter.c - drops samples by a rule.
 * in:  one or more fields of any type
 * out: the same samples, without those that do not fit the rule
 *
 * The rule looks at the size of a field, at its dimensions, or at the label or
 * the key; with several fields, each of them must fit.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/units.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

/* In the order of the words of option `by`. */
enum rule {
	RULE_HEIGHT,
	RULE_KEY,
	RULE_LABEL,
	RULE_LENGTH,
	RULE_SIZE,
	RULE_WIDTH,
	RULE_NONE,
};

struct options {
	unsigned by;
	const char *min, *max;
	double fraction;
	uint64_t seed;
};

static const struct option options[] = {
	OPTION_WORDS("by", struct options, by,
	    "height|key|label|length|size|width",
	    "property that the rule looks at: a dimension of an image, the "
	    "key, the label, elements of the first dimension, or bytes"),
	{
	    .name = "fraction",
	    .type = OPTION_REAL,
	    .offset = offsetof(struct options, fraction),
	    .arg = "X",
	    .help = "fraction of the samples to keep, for by=key: drawn by a "
	            "hash of the key",
	    .min = 1e-9,
	    .max = 1,
	},
	OPTION(TEXT, "max", 0, struct options, max, "N",
	    "largest value of samples that are kept (default: any)"),
	OPTION(TEXT, "min", 0, struct options, min, "N",
	    "least value of samples that are kept (default: any)"),
	OPTION(UINT, "seed", 0, struct options, seed, "N",
	    "seed of the hash, for by=key: another one keeps other samples"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.by = RULE_NONE,
};

struct filter {
	enum rule rule;
	int64_t min, max;
	uint64_t most; /* by=key: hashes up to this one are kept */
	uint64_t seed;
	unsigned fields;          /* set of the fields to look at */
	unsigned dim[FIELDS_MAX]; /* the dimension that the rule looks at */
};

/* ---- options ---- */

/* Reads a bound: a whole number, of bytes "10kB" as well. */
static int read_bound(const char *name, const char *text, enum rule rule,
    int64_t *value, struct error *err)
{
	const bool negative = rule == RULE_LABEL && *text == '-';
	uint64_t n = 0;
	int rc;

	rc = rule == RULE_SIZE ? units_parse_bytes(text, &n)
	                       : units_parse_uint(text + negative, &n);
	if (rc || n > INT64_MAX)
		return error_set(err, ERROR_USAGE,
		    "%s must be a whole number%s, got '%s'", name,
		    rule == RULE_SIZE ? " of bytes, such as 10kB" : "", text);
	*value = negative ? -(int64_t)n : (int64_t)n;
	return 0;
}

static int read_bounds(
    const struct options *want, int64_t *min, int64_t *max, struct error *err)
{
	*min = INT64_MIN;
	*max = INT64_MAX;
	if ((want->min && read_bound("min", want->min, want->by, min, err)) ||
	    (want->max && read_bound("max", want->max, want->by, max, err)))
		return -1;
	if (*min > *max)
		return error_set(err, ERROR_USAGE,
		    "min must not be larger than max, got %s and %s", want->min,
		    want->max);
	return 0;
}

static int check_key(const struct options *want, struct error *err)
{
	if (want->min || want->max)
		return error_set(err, ERROR_USAGE,
		    "by=key takes fraction and seed, not min or max");
	if (want->fraction <= 0)
		return error_set(err, ERROR_USAGE,
		    "by=key takes fraction=X, the part of the samples to "
		    "keep");
	return 0;
}

static int filter_check(const void *given, struct error *err)
{
	const struct options *want = given;
	int64_t min, max;

	if (want->by == RULE_NONE)
		return error_set(err, ERROR_USAGE,
		    "by must be given: height, key, label, length, size or "
		    "width");
	if (want->by == RULE_KEY)
		return check_key(want, err);
	if (want->fraction > 0 || want->seed)
		return error_set(
		    err, ERROR_USAGE, "fraction and seed are for by=key");
	if (!want->min && !want->max)
		return error_set(err, ERROR_USAGE,
		    "min or max must be given: the values that are kept");
	return read_bounds(want, &min, &max, err);
}

/* ---- binding ---- */

/* Finds the dimension that the rule looks at. */
static int find_dim(
    enum rule rule, const struct type *type, unsigned *dim, struct error *err)
{
	*dim = 0;
	if (rule == RULE_LENGTH && type->shape.count == 0)
		return type_refuse(type, "rows of elements", err);
	if (rule != RULE_HEIGHT && rule != RULE_WIDTH)
		return 0;
	if (type->layout != LAYOUT_HWC && type->layout != LAYOUT_CHW)
		return type_refuse(type, "a decoded image", err);
	*dim = rule == RULE_WIDTH ? 1 : 0;
	if (type->layout == LAYOUT_CHW)
		++*dim;
	return 0;
}

static int filter_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct options *want = given;
	struct filter *filter = priv;

	UNUSED(out);
	filter->rule = want->by;
	filter->fields = fields;
	filter->seed = want->seed;
	if (want->by != RULE_KEY &&
	    read_bounds(want, &filter->min, &filter->max, err))
		return -1;
	/* 2^64 itself is no uint64_t: fraction 1 keeps all. */
	filter->most = want->fraction >= 1
	                   ? UINT64_MAX
	                   : (uint64_t)(want->fraction * 0x1p64);
	for (unsigned f = 0; f < in->count; f++)
		if ((fields & 1u << f) &&
		    find_dim(
		        want->by, &in->fields[f].type, &filter->dim[f], err))
			return -1;
	return 0;
}

/* ---- samples ---- */

static bool is_within(const struct filter *filter, int64_t value)
{
	return value >= filter->min && value <= filter->max;
}

static bool fits(const struct filter *filter, const struct sample *in)
{
	if (filter->rule == RULE_LABEL)
		return is_within(filter, in->label);
	if (filter->rule == RULE_KEY)
		return filter->most == UINT64_MAX ||
		       hash_bytes(in->key.data, in->key.len, filter->seed) <
		           filter->most;
	for (unsigned f = 0; f < in->count; f++) {
		const struct tensor *field = &in->fields[f];

		if (!(filter->fields & 1u << f))
			continue;
		if (!is_within(filter, filter->rule == RULE_SIZE
		                           ? (int64_t)field->bytes
		                           : field->shape.dims[filter->dim[f]]))
			return false;
	}
	return true;
}

static int filter_begin(void *priv, struct random *random,
    const struct sample *in, uint64_t *count, struct error *err)
{
	UNUSED(random);
	UNUSED(err);
	*count = fits(priv, in);
	return 0;
}

static const struct sample_ops sample = {
	.drops = true,
	.bind = filter_bind,
	.begin = filter_begin,
	.make = whole_make_same,
};

static enum step_kind filter_kind(const void *given)
{
	const struct options *want = given;

	if (want->by == RULE_LABEL || want->by == RULE_KEY)
		return KIND_LOOK_LABEL;
	return want->by == RULE_SIZE ? KIND_LOOK : KIND_LOOK_DIMS;
}

const struct step_ops step_filter = {
	.name = "filter",
	.summary = "drop samples by size, dimensions, label or key",
	.in = "any",
	.out = "the same samples, without those that are dropped",
	.kind = KIND_LOOK,
	.find_kind = filter_kind,
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = filter_check,
	.priv_size = sizeof(struct filter),
	.sample = &sample,
};
