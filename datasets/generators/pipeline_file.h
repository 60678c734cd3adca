/*
 * pipeline_file.h - writes KIND.conf, the pipeline file beside the files of a
 * generator. Its first lines tell the command that made them.
 */
#ifndef DATASETS_GENERATORS_PIPELINE_FILE_H
#define DATASETS_GENERATORS_PIPELINE_FILE_H

struct error;
struct generate_plan;
struct generator_ops;

struct pipeline_file {
	const char *about;         /* first line: a phrase */
	const char *dataset;       /* lines of [dataset] */
	const char *steps;         /* lines of [pipeline] */
	const char *store, *codec; /* NULL: as in the paper */
	unsigned batch;            /* 0: 64 */
};

int pipeline_file_write(const struct generator_ops *ops,
    const struct generate_plan *plan, const struct pipeline_file *file,
    struct error *err);

#endif
