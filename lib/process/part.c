/* part.c - see part.h. */
#include "lib/process/part.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"

#define WAY_OUT "give --part I/N (0/1: all of it, here)"

/* ---- the command line ---- */

int part_parse(const char *text, struct part *part, struct error *err)
{
	const char *slash = strchr(text, '/');
	char first[24];
	uint64_t index, count;

	if (!slash || (size_t)(slash - text) >= sizeof(first))
		return error_set(err, ERROR_USAGE,
		    "a part is I/N, such as 0/4, got '%.80s'", text);
	memcpy(first, text, (size_t)(slash - text));
	first[slash - text] = '\0';
	if (units_parse_uint(first, &index) ||
	    units_parse_uint(slash + 1, &count))
		return error_set(err, ERROR_USAGE,
		    "a part is I/N, such as 0/4, got '%.80s'", text);
	if (count == 0 || count > PART_COUNT_MAX)
		return error_set(err, ERROR_USAGE,
		    "there are 1 to %d parts, got '%s'", PART_COUNT_MAX, text);
	if (index == 1 && count == 1)
		index = 0; /* the first of one, by another way of counting */
	if (index >= count)
		return error_set(err, ERROR_USAGE,
		    "parts are counted from 0: the last one is %llu/%llu, got "
		    "'%s'",
		    (unsigned long long)count - 1, (unsigned long long)count,
		    text);
	*part = (struct part){ (unsigned)index, (unsigned)count, NULL };
	return 0;
}

const char *part_words(const struct part *part, char words[PART_WORDS])
{
	snprintf(words, PART_WORDS, "part %u/%u%s%s%s", part->index,
	    part->count, part->engine ? " (" : "",
	    part->engine ? part->engine : "", part->engine ? ")" : "");
	return words;
}

/* ---- variables ---- */

/* Returns the variable's value; NULL if it is not set, or empty. */
static const char *variable(const char *name)
{
	const char *value = name ? getenv(name) : NULL;

	return value && value[0] ? value : NULL;
}

/* 1 and *number; 0: it is not set; -1: it is no number. */
static int read_number(const char *name, uint64_t *number, struct error *err)
{
	const char *value = variable(name);

	if (!value)
		return 0;
	if (units_parse_uint(value, number) == 0 && *number <= INT32_MAX)
		return 1;
	return error_set(err, ERROR_USAGE,
	    "%s must be a whole number, got '%.80s'; " WAY_OUT, name, value);
}

/* Sets the part by two numbers with these names. */
static int set_part(struct part *part, const char *index_name, uint64_t index,
    const char *count_name, uint64_t count, struct error *err)
{
	if (index >= count)
		return error_set(err, ERROR_USAGE,
		    "%s is %llu, but %s is %llu; " WAY_OUT, index_name,
		    (unsigned long long)index, count_name,
		    (unsigned long long)count);
	part->index = (unsigned)index;
	part->count = (unsigned)count;
	return 0;
}

/* ---- launchers ---- */

static bool always(void)
{
	return true;
}

static bool in_torchrun(void)
{
	return variable("TORCHELASTIC_RUN_ID");
}

static bool in_srun(void)
{
	const char *number = variable("SLURM_PROCID");

	return variable("SLURM_STEP_ID") ||
	       (number && strcmp(number, "0") != 0);
}

enum { WITHIN_NONE, WITHIN_SLURM, WITHIN_KUBERNETES, WITHIN_WAYS };

static const struct launcher {
	const char *engines[WITHIN_WAYS]; /* by the job that it is within */
	const char *index, *count, *count_else;
	bool (*is_used)(void);
} launchers[] = {
	{ { "torchrun", "Slurm array and torchrun",
	      "Kubernetes indexed job and torchrun" },
	    "RANK", "WORLD_SIZE", NULL, in_torchrun },
	{ { "Open MPI", "Slurm array and Open MPI",
	      "Kubernetes indexed job and Open MPI" },
	    "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, always },
	{ { "PMI", "Slurm array and PMI", "Kubernetes indexed job and PMI" },
	    "PMI_RANK", "PMI_SIZE", NULL, always },
	{ { "srun", "Slurm array and srun", "Kubernetes indexed job and srun" },
	    "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", in_srun },
	{ { "PMIx", "Slurm array and PMIx", "Kubernetes indexed job and PMIx" },
	    "PMIX_RANK", "PMIX_SIZE", NULL, always },
};

/* 1: it started this process; 0: it did not; -1. */
static int ask_launcher(
    const struct launcher *launcher, struct part *part, struct error *err)
{
	const char *count_name =
	    variable(launcher->count) ? launcher->count : launcher->count_else;
	uint64_t index = 0, count = 0;
	int has_index, has_count;

	if (!launcher->is_used())
		return 0;
	has_index = read_number(launcher->index, &index, err);
	has_count = has_index > 0 ? read_number(count_name, &count, err) : 0;
	if (has_index <= 0 || has_count < 0)
		return has_index < 0 || has_count < 0 ? -1 : 0;
	if (has_count == 0)
		return error_set(err, ERROR_USAGE,
		    "%s is %llu, but %s does not say of how many; " WAY_OUT,
		    launcher->index, (unsigned long long)index,
		    launcher->count);
	return set_part(part, launcher->index, index, count_name, count, err)
	           ? -1
	           : 1;
}

/* ---- jobs with many tasks ---- */

/* A list such as --array=1,3,7 has gaps: its numbers are no parts. */
static int check_gaps(uint64_t id, uint64_t least, uint64_t step,
    uint64_t count, struct error *err)
{
	uint64_t most = 0;
	const int has_most = read_number("SLURM_ARRAY_TASK_MAX", &most, err);

	if (has_most < 0)
		return -1;
	if (!has_most)
		most = least + (count - 1) * step;
	if (id >= least && id <= most && (id - least) % step == 0 &&
	    (most - least) / step + 1 == count)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "task %llu of the Slurm array is no part: its %llu tasks are not "
	    "evenly spaced from %llu to %llu; use --array=0-%llu, or give "
	    "--part I/N",
	    (unsigned long long)id, (unsigned long long)count,
	    (unsigned long long)least, (unsigned long long)most,
	    (unsigned long long)count - 1);
}

static int ask_slurm_array(struct part *part, struct error *err)
{
	uint64_t id = 0, count = 0, least = 0, step = 0;
	const int has_id = read_number("SLURM_ARRAY_TASK_ID", &id, err);

	if (has_id <= 0)
		return has_id;
	if (read_number("SLURM_ARRAY_TASK_COUNT", &count, err) < 0 ||
	    read_number("SLURM_ARRAY_TASK_MIN", &least, err) < 0 ||
	    read_number("SLURM_ARRAY_TASK_STEP", &step, err) < 0)
		return -1;
	if (count == 0)
		return error_set(err, ERROR_USAGE,
		    "SLURM_ARRAY_TASK_ID is %llu, but SLURM_ARRAY_TASK_COUNT "
		    "does not say of how many; " WAY_OUT,
		    (unsigned long long)id);
	if (step == 0)
		step = 1;
	if (check_gaps(id, least, step, count, err))
		return -1;
	part->index = (unsigned)((id - least) / step);
	part->count = (unsigned)count;
	return 1;
}

static int ask_kubernetes(struct part *part, struct error *err)
{
	uint64_t index = 0, count = 0;
	const int has_index = read_number("JOB_COMPLETION_INDEX", &index, err);
	const int has_count =
	    has_index > 0 ? read_number("JOB_COMPLETIONS", &count, err) : 0;

	if (has_index <= 0 || has_count < 0)
		return has_index < 0 || has_count < 0 ? -1 : 0;
	if (has_count == 0)
		return error_set(err, ERROR_USAGE,
		    "JOB_COMPLETION_INDEX is %llu, but Kubernetes does not "
		    "say of how many: add the number of completions to the "
		    "container's env as JOB_COMPLETIONS, or " WAY_OUT,
		    (unsigned long long)index);
	return set_part(part, "JOB_COMPLETION_INDEX", index, "JOB_COMPLETIONS",
	           count, err)
	           ? -1
	           : 1;
}

/* ---- both ---- */

/* Sets the part of the job, and *within. */
static int ask_jobs(struct part *part, unsigned *within, struct error *err)
{
	struct part array = PART_ALL, indexed = PART_ALL;
	const int in_array = ask_slurm_array(&array, err);
	const int in_indexed =
	    in_array < 0 ? -1 : ask_kubernetes(&indexed, err);

	if (in_indexed < 0)
		return -1;
	if (in_array && in_indexed)
		return error_set(err, ERROR_USAGE,
		    "SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both "
		    "set: is this a task of a Slurm array or of a Kubernetes "
		    "job? " WAY_OUT);
	if (in_array) {
		*part = array;
		*within = WITHIN_SLURM;
		part->engine = "Slurm array";
	} else if (in_indexed) {
		*part = indexed;
		*within = WITHIN_KUBERNETES;
		part->engine = "Kubernetes indexed job";
	}
	return 0;
}

/*
 * A torchrun of several nodes may have its own process in each task of the job:
 * then its ranks count all of them already, and must not be multiplied.
 */
static int check_nodes(
    const struct part *job, const struct launcher *launcher, struct error *err)
{
	uint64_t nodes = 1;

	if (launcher->is_used != in_torchrun || job->count == 1)
		return 0;
	if (read_number("GROUP_WORLD_SIZE", &nodes, err) < 0)
		return -1;
	if (nodes <= 1)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "torchrun has %llu nodes, and the %s has %u tasks: do the ranks of "
	    "torchrun count all tasks, or those of one? give --part I/N",
	    (unsigned long long)nodes, job->engine, job->count);
}

/* Each task of the job has as many parts as its launcher started processes. */
static int multiply(
    struct part *part, const struct part *processes, struct error *err)
{
	const uint64_t count = (uint64_t)part->count * processes->count;

	if (count > PART_COUNT_MAX)
		return error_set(err, ERROR_USAGE,
		    "%u tasks with %u processes each are more than %d parts",
		    part->count, processes->count, PART_COUNT_MAX);
	part->index = part->index * processes->count + processes->index;
	part->count = (unsigned)count;
	return 0;
}

int part_find(const char *given, struct part *part, struct error *err)
{
	struct part job = PART_ALL, processes = PART_ALL;
	unsigned within = WITHIN_NONE;
	int got = 0;

	if (given)
		return part_parse(given, part, err);
	if (ask_jobs(&job, &within, err))
		return -1;
	for (size_t i = 0; got == 0 && i < ARRAY_LEN(launchers); i++) {
		got = ask_launcher(&launchers[i], &processes, err);
		if (got < 0 ||
		    (got > 0 && check_nodes(&job, &launchers[i], err)))
			return -1;
		if (got > 0 && processes.count > 1)
			job.engine = launchers[i].engines[within];
	}
	if (multiply(&job, &processes, err))
		return -1;
	if (job.count == 1)
		job.engine = NULL;
	*part = job;
	return 0;
}
