/*
 * pipeline_file.h - the pipeline file that a generator writes beside its files:
 * KIND.conf, which says in its head what made them.
 */
#ifndef DATASETS_GENERATORS_PIPELINE_FILE_H
#define DATASETS_GENERATORS_PIPELINE_FILE_H

struct error;
struct generate_plan;
struct generator_ops;

struct pipeline_file {
	const char *about;         /* the head: a phrase */
	const char *dataset;       /* lines of [dataset] */
	const char *steps;         /* lines of [pipeline] */
	const char *store, *codec; /* NULL: those of the paper */
	unsigned batch;            /* 0: 64 */
};

int pipeline_file_write(const struct generator_ops *ops,
    const struct generate_plan *plan, const struct pipeline_file *file,
    struct error *err);

#endif
