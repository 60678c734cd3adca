/* readme.c - see readme.h. */
#include "lib/snippets/readme.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/folder/description.h"
#include "lib/media/medium.h"
#include "lib/snippets/snippet.h"
#include "lib/stores/sink.h"
#include "lib/syntax/markdown.h"

static const struct field *first_field(const struct description *description)
{
	return &description->manifest.form.schema.fields[0];
}

static bool is_encoded(const struct description *description)
{
	return first_field(description)->type.layout == LAYOUT_ENCODED;
}

static int read_tar(
    const struct description *description, struct buf *text, struct error *err)
{
	return buf_printf(text, err,
	    "import glob\n\nimport webdataset as wds\n\n"
	    "shards = sorted(glob.glob(\"shard-*.tar%s\"))\n"
	    "for sample in wds.WebDataset(shards, shardshuffle=False, "
	    "empty_check=False):\n"
	    "    print({name: len(data) for name, data in sample.items()})\n",
	    description->manifest.form.codec.ops->suffix);
}

static int read_tfrecord(
    const struct description *description, struct buf *text, struct error *err)
{
	const struct codec_ops *codec = description->manifest.form.codec.ops;

	return buf_printf(text, err,
	    "import glob\n\nimport tensorflow as tf\n\n"
	    "shards = sorted(glob.glob(\"shard-*.tfrecord%s\"))\n"
	    "for record in tf.data.TFRecordDataset(shards, \"%s\"):\n"
	    "    sample = tf.train.Example.FromString(record.numpy())\n"
	    "    print(sample.features.feature[\"key\"].bytes_list.value[0])\n",
	    codec->suffix, codec->tensorflow);
}

static int read_npy(
    const struct description *description, struct buf *text, struct error *err)
{
	const bool is_one = description->manifest.form.schema.count == 1;

	return buf_printf(text, err,
	    "import glob\n\nimport numpy as np\n\n"
	    "for keys in sorted(glob.glob(\"shard-*.keys.txt\")):\n"
	    "    rows = np.load(keys.replace(\"keys.txt\", \"%s%snpy\"), "
	    "mmap_mode=\"r\")\n"
	    "    print(keys, rows.shape, rows.dtype)\n",
	    is_one ? "" : first_field(description)->name, is_one ? "" : ".");
}

static int read_files(
    const struct description *description, struct buf *text, struct error *err)
{
	return buf_printf(text, err,
	    "import pathlib\n%s\n"
	    "for path in sorted(pathlib.Path(\".\").glob(\"shard-*/**/*.%s\")):"
	    "\n    print(path, %s)\n",
	    is_encoded(description) ? "" : "\nimport numpy as np\n",
	    is_encoded(description) ? "*" : "npy",
	    is_encoded(description) ? "len(path.read_bytes())"
	                            : "np.load(path).shape");
}

static int read_mds(
    const struct description *description, struct buf *text, struct error *err)
{
	UNUSED(description);
	return buf_printf(text, err,
	    "from streaming import StreamingDataset\n\n"
	    "for sample in StreamingDataset(local=\".\", batch_size=1):\n"
	    "    print({name: getattr(value, \"shape\", value) "
	    "for name, value in sample.items()\n"
	    "           if not isinstance(value, bytes)})\n");
}

static int read_parquet(
    const struct description *description, struct buf *text, struct error *err)
{
	UNUSED(description);
	return buf_printf(text, err,
	    "import glob\n\nimport pyarrow.parquet as pq\n\n"
	    "for path in sorted(glob.glob(\"shard-*.parquet\")):\n"
	    "    for rows in pq.ParquetFile(path).iter_batches():\n"
	    "        print(path, rows.num_rows, rows.schema.names)\n");
}

static const struct {
	const char *store;
	int (*print)(const struct description *description, struct buf *text,
	    struct error *err);
} stores[] = {
	{ "files", read_files },
	{ "mds", read_mds },
	{ "npy", read_npy },
	{ "parquet", read_parquet },
	{ "tar", read_tar },
	{ "tfrecord", read_tfrecord },
};

static int print_program(
    const struct description *description, struct buf *text, struct error *err)
{
	const struct framework *framework = framework_best(description);
	const char *store = description->manifest.form.ops->name;

	if (!framework)
		return buf_printf(text, err,
		    "Only presto reads this store with this codec, as a "
		    "dataset:\n\n```\n[dataset]\nsource = presto\n"
		    "path = FOLDER\n```\n");
	if (buf_printf(text, err,
	        "This lists what is stored, when it is run in this folder; "
	        "`presto snippet . --for %s`\nprints a program with the steps "
	        "that remain.\n\n```python\n",
	        framework_name(framework)))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(stores); i++)
		if (strcmp(stores[i].store, store) == 0 &&
		    stores[i].print(description, text, err))
			return -1;
	return buf_printf(text, err, "```\n");
}

static int print_steps(
    const struct description *description, struct buf *text, struct error *err)
{
	if (description->step_count == 0)
		return buf_printf(text, err, "No steps remain to be run.\n\n");
	if (buf_printf(text, err, "Steps that remain to be run:"))
		return -1;
	for (size_t i = 0; i < description->step_count; i++) {
		struct buf step = BUF_INIT;
		const int rc =
		    buf_printf(text, err, "%s ", i ? "," : "") ||
		    described_step_text(&description->steps[i], &step, err) ||
		    markdown_code(text, (const char *)step.data, err);

		buf_release(&step);
		if (rc)
			return -1;
	}
	return buf_printf(text, err, ".\n\n");
}

static int print_fields(
    const struct description *description, struct buf *text, struct error *err)
{
	const struct schema *schema = &description->manifest.form.decoded;
	char type[SHAPE_TEXT];

	for (unsigned f = 0; f < schema->count; f++)
		if (buf_printf(text, err, "%s %s (%s)",
		        f                   ? ","
		        : schema->count > 1 ? " Fields:"
		                            : " Field:",
		        schema->fields[f].name,
		        type_text(&schema->fields[f].type, type)))
			return -1;
	return buf_printf(text, err, ".\n");
}

/* Says what an updated dataset has, and what other readers see of it. */
static int print_versions(
    const struct manifest *manifest, struct buf *text, struct error *err)
{
	const struct history *history = &manifest->history;

	if (history->count == 0)
		return 0;
	if (buf_printf(text, err,
	        "\nThis is version %zu of the dataset.\n\n| version | time | "
	        "samples | added | changed | removed |\n"
	        "|---|---|---|---|---|---|\n",
	        history->count))
		return -1;
	for (size_t i = 0; i < history->count; i++) {
		const struct history_row *row = &history->rows[i];

		if (buf_printf(text, err,
		        "| %zu | %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64
		        " | %" PRIu64 " |\n",
		        i + 1, row->time, row->samples, row->added,
		        row->changed, row->removed))
			return -1;
	}
	if (manifest->left_out.samples == 0)
		return buf_printf(text, err, "\n");
	return buf_printf(text, err,
	    "\nThe shards still hold %" PRIu64
	    " samples that this version leaves out, since they were\nremoved "
	    "or stored anew. presto passes them by. Other readers see them, "
	    "as this program does.\n\n",
	    manifest->left_out.samples);
}

int readme_print(
    const struct description *description, struct buf *text, struct error *err)
{
	const struct manifest *manifest = &description->manifest;
	char name[HISTORY_NAME];

	if (buf_printf(text, err,
	        "# %s\n\n%" PRIu64
	        " sample%s in %zu shard%s, written by presto "
	        "%s.",
	        manifest->strategy, manifest->samples,
	        manifest->samples == 1 ? "" : "s", manifest->count,
	        manifest->count == 1 ? "" : "s", description->presto) ||
	    print_fields(description, text, err) ||
	    print_steps(description, text, err) ||
	    buf_printf(text, err,
	        "`%s` has all that is known of it, such as the "
	        "names of the classes;\n`presto show .` prints that.\n",
	        history_name(DESCRIPTION_NAME,
	            history_version(&manifest->history), name)) ||
	    print_versions(manifest, text, err))
		return -1;
	return print_program(description, text, err);
}

bool readme_is_listed(
    struct medium *medium, const char *dir, const struct manifest *manifest)
{
	const struct listed_file *listed =
	    file_list_find(&manifest->files, README_NAME);
	struct error ignored = ERROR_INIT;
	struct file_sum sum;
	char *path = path_join(dir, README_NAME, &ignored);
	const bool is = path && listed &&
	                file_sum_read(medium, path, &sum, &ignored) == 0 &&
	                file_sum_equal(&sum, &listed->sum);

	free(path);
	return is;
}

int readme_list(const struct description *description,
    struct manifest *manifest, struct buf *text, struct error *err)
{
	return readme_print(description, text, err) ||
	               manifest_list_file(
	                   manifest, README_NAME, buf_span(text), err)
	           ? -1
	           : 0;
}

int readme_put(struct sink *sink, const char *dir, struct span text,
    bool replaces, struct error *err)
{
	char *path = path_join(dir, README_NAME, err);
	int rc = path ? 0 : -1;

	if (rc == 0 && (replaces || !medium_exists(sink->medium, path)))
		rc = sink_file(sink, path, text, err);
	free(path);
	return rc;
}

int readme_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = readme_list(description, manifest, &text, err);

	if (rc == 0)
		rc = readme_put(sink, dir, buf_span(&text), false, err);
	buf_release(&text);
	return rc;
}
