/* readable.c - see readable.h. */
#include "lib/stores/readable.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/stores/store.h"
#include "lib/syntax/nearest.h"

static bool is(const struct store_ops *store, const char *name)
{
	return strcmp(store->name, name) == 0;
}

/* Uncompressed; jpeg and png count, as formats of their own. */
static bool is_plain(const struct codec *codec)
{
	return codec->ops == &codec_none;
}

/* webdataset uses the tarfile module of Python. */
static bool webdataset_takes(
    const struct store_ops *store, const struct codec *codec)
{
	return is(store, "tar") && codec->ops->python_tar;
}

static bool tensorflow_takes(
    const struct store_ops *store, const struct codec *codec)
{
	return is(store, "tfrecord") && codec->ops->tensorflow;
}

/* numpy reads arrays, and no images. */
static bool numpy_takes(
    const struct store_ops *store, const struct codec *codec)
{
	return !codec->transform && is_plain(codec) &&
	       (is(store, "npy") || is(store, "files"));
}

/* PyTorch reads through a memory map of NumPy, or through webdataset. */
static bool pytorch_takes(
    const struct store_ops *store, const struct codec *codec)
{
	return (is(store, "npy") && is_plain(codec)) ||
	       webdataset_takes(store, codec);
}

/* DALI's reader of .npy takes each file as one sample, so not this store. */
static bool dali_takes(const struct store_ops *store, const struct codec *codec)
{
	return is_plain(codec) && (is(store, "files") || is(store, "tar") ||
	                              is(store, "tfrecord"));
}

/* These formats know all compressions that presto writes there. */
static bool pyarrow_takes(
    const struct store_ops *store, const struct codec *codec)
{
	UNUSED(codec);
	return is(store, "parquet");
}

static bool streaming_takes(
    const struct store_ops *store, const struct codec *codec)
{
	UNUSED(codec);
	return is(store, "mds");
}

static const struct stock_reader readers[] = {
	{
	    .name = "any",
	    .summary = "no particular reader: everything",
	},
	{
	    .name = "dali",
	    .summary = "files, tar and tfrecord with codec none, jpeg or png",
	    .takes = dali_takes,
	},
	{
	    .name = "numpy",
	    .summary = "npy and files with codec none",
	    .takes = numpy_takes,
	},
	{
	    .name = "presto",
	    .summary = "presto's own reader: everything",
	},
	{
	    .name = "pyarrow",
	    .summary = "parquet with codec none, zstd, jpeg or png",
	    .takes = pyarrow_takes,
	},
	{
	    .name = "pytorch",
	    .summary =
	        "npy with codec none, and everything that webdataset reads",
	    .takes = pytorch_takes,
	},
	{
	    .name = "streaming",
	    .summary = "mds with codec none, zstd, jpeg or png",
	    .takes = streaming_takes,
	},
	{
	    .name = "tensorflow",
	    .summary = "tfrecord with codec none, gzip, zlib, jpeg or png",
	    .takes = tensorflow_takes,
	},
	{
	    .name = "webdataset",
	    .summary = "tar with codec none, gzip, jpeg or png",
	    .takes = webdataset_takes,
	},
};

const struct stock_reader *stock_reader_at(size_t i)
{
	return i < ARRAY_LEN(readers) ? &readers[i] : NULL;
}

const struct stock_reader *stock_reader_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		if (strcmp(readers[i].name, name) == 0)
			return &readers[i];
	return NULL;
}

const struct stock_reader *stock_reader_parse(
    const char *name, struct error *err)
{
	const struct stock_reader *reader = stock_reader_find(name);
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	if (reader)
		return reader;
	nearest.see = "presto list readers";
	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		nearest_try(&nearest, readers[i].name);
	error_set(err, ERROR_USAGE, "unknown reader '%s'%s", name,
	    nearest_hint(&nearest, hint));
	return NULL;
}

bool readable_by(const struct stock_reader *reader,
    const struct store_ops *store, const struct codec *codec)
{
	if (!reader)
		return readable_by_any_stock(store, codec);
	if (!reader->takes)
		return true;
	return !(codec->transform && codec->transform->is_filter) &&
	       reader->takes(store, codec);
}

bool readable_by_any_stock(
    const struct store_ops *store, const struct codec *codec)
{
	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		if (readers[i].takes && readable_by(&readers[i], store, codec))
			return true;
	return false;
}
