/*
 * transform.h - what a codec does to single tensors, before they are stored:
 * filters (delta, shuffle), which lose nothing and make what a compression
 * behind them finds more of, and image formats (jpeg, png), which compress by
 * themselves.
 *
 * A transform is a pair of steps that the chain runs as its last link when
 * storing and as its first when loading.  It is a `const struct
 * transform_ops` in a file of its own, listed in lib/codecs/transforms.def.
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
	const char *suits; /* which data it takes, and which of it gains */
	bool is_filter;    /* a compression stands behind it */
	bool is_lossy;     /* it works on the first field only */
	int level_min, level_max, level_default; /* all 0: it has no levels */

	/*
	 * Sets *stored to what a tensor of this type becomes, or says that it
	 * does not take it (ERROR_USAGE): "shuffle is for ..., not uint8".
	 * codec_stored_schema then adds the name of a filter as its suffix.
	 */
	int (*stored)(
	    const struct type *type, struct type *stored, struct error *err);
	/*
	 * The steps: their options are the `const struct codec`, but those of
	 * `decode` what decode_options gives, if it is there, for a type.
	 */
	const struct step_ops *encode, *decode;
	const void *(*decode_options)(const struct type *type);
};

#define TRANSFORM(name) extern const struct transform_ops transform_##name;
#include "lib/codecs/transforms.def"
#undef TRANSFORM

const struct transform_ops *transform_find(const char *name);
const struct transform_ops *transform_at(size_t i); /* NULL behind the last */

/* Is field `field` of this schema one that the codec transforms? */
bool codec_transforms(
    const struct codec *codec, const struct schema *schema, unsigned field);
/*
 * What samples of `schema` become: itself where there is no transform.
 * ERROR_USAGE when there is no field that the codec's transform takes.
 */
int codec_stored_schema(const struct codec *codec, const struct schema *schema,
    struct schema *stored, struct error *err);

#endif
