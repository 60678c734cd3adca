/* store.c - see store.h: the table. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/transform.h"
#include "lib/stores/store.h"
#include "lib/syntax/nearest.h"

static const struct store_ops *const stores[] = {
#define STORE(name) &store_##name,
#include "lib/stores/stores.def"
#undef STORE
};

const struct store_ops *store_at(size_t i)
{
	return i < ARRAY_LEN(stores) ? stores[i] : NULL;
}

const struct store_ops *store_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(stores); i++)
		if (strcmp(stores[i]->name, name) == 0)
			return stores[i];
	return NULL;
}

const struct store_ops *store_parse(const char *name, struct error *err)
{
	const struct store_ops *ops = store_find(name);
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	if (ops)
		return ops;
	for (size_t i = 0; i < ARRAY_LEN(stores); i++)
		nearest_try(&nearest, stores[i]->name);
	error_set(err, ERROR_USAGE, "unknown store '%s'%s", name,
	    nearest_hint(&nearest, hint));
	return NULL;
}

int store_form_init(struct store_form *form, const struct store_ops *ops,
    const struct codec *codec, const struct schema *decoded, struct error *err)
{
	if (ops->takes && !ops->takes(codec->ops))
		return error_set(err, ERROR_USAGE,
		    "%s does not know the compression %s: use %s", ops->name,
		    codec->ops->name, ops->compressions);
	form->ops = ops;
	form->codec = *codec;
	form->decoded = *decoded;
	if (codec_stored_schema(codec, decoded, &form->schema, err))
		return -1;
	return ops->check ? ops->check(&form->schema, err) : 0;
}
