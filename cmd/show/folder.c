/* folder.c - see folder.h. */
#include "cmd/show/folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/terminal.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/private.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/sample/key.h"
#include "lib/snippets/snippet.h"
#include "lib/stores/shard_path.h"
#include "lib/syntax/shell.h"

enum {
	LIST_MOST = 20, /* longest printed list of classes or shards;
	                   dataset.json has all */
	INDENT = 9,
};

static void print_more(size_t count, const char *what)
{
	if (count > LIST_MOST)
		terminal_line(stdout,
		    "%*s... and %zu more %s, listed in " DESCRIPTION_NAME,
		    INDENT, "", count - LIST_MOST, what);
}

/*
 * Adds up the sizes of all files.  HTTP cannot be listed: there it is the sum
 * of those in the manifest.
 */
static int folder_bytes(struct medium *medium, const char *dir,
    const struct manifest *manifest, uint64_t *bytes, struct error *err)
{
	if (!url_is(dir) || *dir == 's')
		return medium_folder_bytes(medium, dir, bytes, err);
	*bytes = 0;
	for (size_t i = 0; i < manifest->files.count; i++)
		*bytes += manifest->files.files[i].sum.bytes;
	return 0;
}

static int print_head(struct medium *medium, const char *dir, bool private,
    const struct description *description, struct error *err)
{
	const struct manifest *manifest = &description->manifest;
	char label[CODEC_LABEL], size[UNITS_TEXT];
	uint64_t bytes;

	if (folder_bytes(medium, dir, manifest, &bytes, err))
		return -1;
	terminal_line(stdout, "%s%s%s, %" PRIu64 " sample%s in %zu shard%s, %s",
	    private ? "" : dir, private ? "" : ": ", manifest->strategy,
	    manifest->samples, manifest->samples == 1 ? "" : "s",
	    manifest->count, manifest->count == 1 ? "" : "s",
	    units_bytes((double)bytes, size));
	terminal_line(stdout, "split:   %s", description->split);
	if (description->order)
		terminal_print(stdout, "order:   ", "%s", description->order);
	terminal_line(stdout, "store:   %s", manifest->form.ops->name);
	terminal_line(
	    stdout, "codec:   %s", codec_label(&manifest->form.codec, label));
	if (manifest->shuffle)
		terminal_line(stdout, "shuffle: %s", manifest->shuffle);
	if (description->is_whole) {
		terminal_line(stdout, "seed:    %" PRIu64, description->seed);
		terminal_line(
		    stdout, "written: by presto %s", description->presto);
	}
	return 0;
}

static void print_fields(const struct description *description)
{
	const struct schema *schema = &description->manifest.form.decoded;
	char type[SHAPE_TEXT], name[KEY_TEXT];

	for (unsigned f = 0; f < schema->count; f++)
		terminal_line(stdout, "%-9s%-16s %s", f ? "" : "fields:",
		    key_text(span_text(schema->fields[f].name), name),
		    type_text(&schema->fields[f].type, type));
}

/* Prints "0 cat, 1 dog", usually the names of the dataset's folders. */
static int print_classes(const struct classes *classes, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < classes->count && i < LIST_MOST;
	     i++) {
		char key[KEY_TEXT];

		rc = buf_printf(&text, err, "%s%zu %s", i ? ", " : "", i,
		    key_text(span_text(classes->names[i]), key));
	}
	if (rc == 0 && classes->count)
		terminal_print(
		    stdout, "classes: ", "%s", (const char *)text.data);
	print_more(classes->count, "classes");
	buf_release(&text);
	return rc;
}

static int print_shards(const struct manifest *manifest, struct error *err)
{
	for (size_t i = 0; i < manifest->count && i < LIST_MOST; i++) {
		const struct manifest_shard *shard = &manifest->shards[i];
		char *path = shard_path("", &manifest->form, (unsigned)i, err);
		char size[UNITS_TEXT];

		if (!path)
			return -1;
		terminal_line(stdout, "%-9s%-24s %10" PRIu64 " sample%-2s%12s",
		    i ? "" : "shards:", path_base(path), shard->samples,
		    shard->samples == 1 ? "" : "s",
		    units_bytes((double)shard->stored, size));
		free(path);
	}
	print_more(manifest->count, "shards");
	return 0;
}

/* Prints the versions of a dataset that was updated. */
static void print_versions(const struct manifest *manifest)
{
	const struct history *history = &manifest->history;

	for (size_t i = 0; i < history->count; i++) {
		const struct history_row *row = &history->rows[i];

		terminal_line(stdout,
		    "%-9s%zu, %s: %" PRIu64 " samples, %" PRIu64
		    " added, %" PRIu64 " changed, %" PRIu64 " removed",
		    i ? "" : "version:", i + 1, row->time, row->samples,
		    row->added, row->changed, row->removed);
	}
	if (manifest->left_out.samples)
		terminal_line(stdout,
		    "%s %" PRIu64 " sample%s of the shards: presto passes "
		    "them by, other readers see them",
		    "left out:", manifest->left_out.samples,
		    manifest->left_out.samples == 1 ? "" : "s");
}

/* Formats the step with its options; private ones are left out. */
static int step_text(const struct described_step *step, bool private,
    struct buf *text, struct error *err)
{
	static const struct private nobody = PRIVATE_INIT;
	struct buf whole = BUF_INIT;
	int rc;

	if (!private)
		return described_step_text(step, text, err);
	rc = described_step_text(step, &whole, err);
	if (rc == 0)
		rc = private_step(&nobody, (const char *)whole.data, text, err);
	buf_release(&whole);
	return rc;
}

static int print_steps(
    bool private, const struct description *description, struct error *err)
{
	if (!description->is_whole)
		puts("online:  not known: " DESCRIPTION_NAME " is missing; run "
		     "presto materialize again to add it");
	else if (description->step_count == 0)
		puts("online:  no steps remain");
	for (size_t i = 0; i < description->step_count; i++) {
		const struct described_step *step = &description->steps[i];
		struct buf text = BUF_INIT;
		char type[SHAPE_TEXT], name[KEY_TEXT];

		if (step_text(step, private, &text, err)) {
			buf_release(&text);
			return -1;
		}
		terminal_line(stdout, "%-9s%-16s = %-24s %s%s",
		    i ? "" : "online:", key_text(span_text(step->name), name),
		    (const char *)text.data,
		    step->gives.count
		        ? type_text(&step->gives.fields[0].type, type)
		        : "",
		    step->random ? ", random" : "");
		buf_release(&text);
	}
	return 0;
}

static int print_readers(
    const char *dir, const struct description *description, struct error *err)
{
	const struct framework *framework;
	struct buf text = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; (framework = framework_at(i)); i++) {
		if (!framework_takes(framework, description))
			continue;
		if (text.len)
			rc = buf_printf(&text, err, "|");
		else if (buf_printf(&text, err, "presto snippet ") ||
		         shell_operand(&text, dir, err) ||
		         buf_printf(&text, err, " --for "))
			rc = -1;
		if (rc ||
		    buf_printf(&text, err, "%s", framework_name(framework))) {
			buf_release(&text);
			return -1;
		}
	}
	terminal_line(stdout, "read by: %s",
	    text.len ? (const char *)text.data
	             : "presto only (source = presto)");
	buf_release(&text);
	return 0;
}

int show_folder(
    const char *dir, uint64_t version, bool private, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	struct medium *medium = medium_new_local(err);
	int rc = medium ? description_read_version(
	                      &description, medium, dir, version, err)
	                : -1;

	if (rc == 0)
		rc = print_head(medium, dir, private, &description, err);
	if (rc == 0) {
		print_fields(&description);
		rc = private ? 0 : print_classes(&description.classes, err);
	}
	if (rc == 0)
		rc = print_shards(&description.manifest, err);
	if (rc == 0)
		print_versions(&description.manifest);
	if (rc == 0)
		rc = print_steps(private, &description, err);
	if (rc == 0)
		rc = print_readers(private ? "DIR" : dir, &description, err);
	if (rc == 0)
		rc =
		    store_check_shards(medium, dir, &description.manifest, err);
	description_release(&description);
	medium_free(medium);
	return rc;
}
