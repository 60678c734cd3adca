/* folder.c - a folder of files: a sample is a file, or those of a key. */
#include "datasets/folders/files_reader.h"
#include "datasets/folders/folder_scan.h"
#include "datasets/source.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(TEXT, "fields", 0, struct folder_options, fields, "LIST",
	    "files of a sample, by field: data:jpg,mask:mask.png, or "
	    "data:images/*.jpg,mask:masks/*.png"),
	OPTION(TEXT, "label", 0, struct folder_options, label, "RULE",
	    "directory, name, none, or a regular expression on the key"),
	OPTION(TEXT, "label_column", 0, struct folder_options, label_column,
	    "NAME",
	    "column with the labels in the file 'labels' (default: label)"),
	OPTION(TEXT, "label_key", 0, struct folder_options, label_key, "NAME",
	    "column with the keys in the file 'labels' (default: key)"),
	OPTION(PATH, "labels", 0, struct folder_options, labels, "FILE",
	    "labels from a CSV file with columns key,label"),
	OPTION(TEXT, "match", 0, struct folder_options, match, "GLOB",
	    "pattern of the files, by name, or by path if it has a '/'"),
	OPTION_TABLE_END,
};

static const struct folder_options defaults = {
	.label = "none",
	.label_column = "label",
	.label_key = "key",
	.match = "*",
};

static int find_files(struct folder_set *set, const char *dir,
    const struct source_plan *plan, struct schema *schema, struct error *err)
{
	return folder_scan(set, plan->medium, dir, plan->options, schema, err);
}

static int fill(
    struct reader *reader, const struct source_plan *plan, struct error *err)
{
	return files_reader_fill(reader, plan, find_files, err);
}

const struct source_ops source_folder = {
	.name = "folder",
	.summary = "files below a folder, each a sample",
	.options = options,
	.options_size = sizeof(struct folder_options),
	.defaults = &defaults,
	.reader = &files_reader,
	.state_size = sizeof(struct folder),
	.fill = fill,
	.needs_path = true,
};
