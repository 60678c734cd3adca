/*
 * transform.h - transforms change single tensors before they are stored.
 * Filters (delta, shuffle) lose nothing and help the compression behind them.
 * Image formats (jpeg, png) compress by themselves.
 *
 * A transform is two steps: the chain runs `encode` last when storing, and
 * `decode` first when loading. It is a `const struct transform_ops` in a file
 * of its own, listed in lib/codecs/transforms.def.
 */
#ifndef LIB_CODECS_TRANSFORM_H
#define LIB_CODECS_TRANSFORM_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/sample/tensor.h"

struct codec;
struct error;
struct schema;
struct step_ops;

struct transform_ops {
	const char *name;
	const char *summary;
	const char *suits;     /* the data that it takes, and that gains most */
	const char *file_step; /* the step that decodes such files */
	bool is_filter;        /* a compression must follow it */
	bool is_lossy;         /* lossy: only the first field is transformed */
	/*
	 * `codec = auto` tries it on these kinds of data (data_kind.h), with
	 * this compression behind it.  NULL: it does not try it.
	 */
	unsigned trial_kinds;
	const char *trial_behind;
	int level_min, level_max, level_default; /* all 0: no levels */

	/*
	 * Sets *stored to the type that a tensor of `type` becomes. ERROR_USAGE
	 * for a type that it does not take: "shuffle is for ..., not uint8".
	 * codec_stored_schema then adds the name of a filter as the suffix.
	 */
	int (*stored)(
	    const struct type *type, struct type *stored, struct error *err);
	/*
	 * The two steps. The options of `encode` are the `const struct codec`.
	 * The options of `decode` are the same, or come from decode_options.
	 */
	const struct step_ops *encode, *decode;
	const void *(*decode_options)(const struct type *type);
};

#define TRANSFORM(name) extern const struct transform_ops transform_##name;
#include "lib/codecs/transforms.def"
#undef TRANSFORM

const struct transform_ops *transform_find(const char *name);
const struct transform_ops *transform_at(size_t i); /* NULL behind the last */

/* Does the codec transform field `field` of this schema? */
bool codec_transforms(
    const struct codec *codec, const struct schema *schema, unsigned field);
/*
 * Sets *stored to the schema of samples of `schema` as they are stored; without
 * a transform it is the same. ERROR_USAGE when it takes none of the fields.
 */
int codec_stored_schema(const struct codec *codec, const struct schema *schema,
    struct schema *stored, struct error *err);

#endif
