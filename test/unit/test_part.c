/* test_part.c - the part of a job, as each engine says it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/process/part.h"
#include "test/unit/test.h"

static const char *const names[] = { "RANK", "WORLD_SIZE",
	"TORCHELASTIC_RUN_ID", "GROUP_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
	"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
	"PMIX_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID",
	"SLURM_STEP_NUM_TASKS", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT",
	"SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP",
	"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS" };

/* Sets only the variables of "NAME=VALUE NAME=VALUE". */
static void set_variables(const char *text)
{
	char copy[512], *rest, *word;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		unsetenv(names[i]);
	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');

		*value++ = '\0';
		setenv(word, value, 1);
	}
}

struct part_case {
	const char *variables, *given;
	const char *words; /* or the beginning of the error */
};

static void check_case(const struct part_case *c)
{
	struct error err = ERROR_INIT;
	struct part part;
	char words[PART_WORDS];

	set_variables(c->variables);
	if (part_find(c->given, &part, &err)) {
		if (!strstr(err.text, c->words) || err.code != ERROR_USAGE)
			fail_msg("'%s' failed: %s", c->variables, err.text);
		return;
	}
	part_words(&part, words);
	if (strcmp(words, c->words) != 0)
		fail_msg("'%s' gave %s", c->variables, words);
}

static void check_cases(const struct part_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_case(&cases[i]);
	set_variables("");
}

static void test_part_is_taken_from_the_command_line(void **state)
{
	static const struct part_case cases[] = {
		{ "", NULL, "part 0/1" },
		{ "", "0/4", "part 0/4" },
		{ "", "3/4", "part 3/4" },
		{ "", "1/1", "part 0/1" },
		{ "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4", "2/3",
		    "part 2/3" },
		{ "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4", "1/1",
		    "part 0/1" },
		{ "JOB_COMPLETION_INDEX=1", "0/1", "part 0/1" },
		{ "", "4/4", "counted from 0: the last one is 3/4" },
		{ "", "0/0", "there are 1 to 1000000 parts" },
		{ "", "0/1000001", "there are 1 to 1000000 parts" },
		{ "", "2", "a part is I/N" },
		{ "", "/4", "a part is I/N" },
		{ "", "1/", "a part is I/N" },
		{ "", "-1/4", "a part is I/N" },
		{ "", "1/4/2", "a part is I/N" },
		{ "", "one/4", "a part is I/N" },
		{ "", "000000000000000000000000001/4", "a part is I/N" },
	};

	(void)state;
	check_cases(cases, ARRAY_LEN(cases));
}

static void test_part_is_taken_from_a_launcher(void **state)
{
	static const struct part_case cases[] = {
		{ "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4", NULL,
		    "part 2/4 (Open MPI)" },
		{ "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1", NULL,
		    "part 0/1" },
		{ "PMI_RANK=1 PMI_SIZE=2", NULL, "part 1/2 (PMI)" },
		{ "RANK=1 WORLD_SIZE=4 TORCHELASTIC_RUN_ID=x", NULL,
		    "part 1/4 (torchrun)" },
		/* training scripts set these by themselves */
		{ "RANK=1 WORLD_SIZE=4", NULL, "part 0/1" },
		{ "SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_STEP_ID=0", NULL,
		    "part 1/4 (srun)" },
		{ "SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=4 "
		  "SLURM_STEP_ID=0",
		    NULL, "part 0/4 (srun)" },
		{ "SLURM_PROCID=3 SLURM_NTASKS=4", NULL, "part 3/4 (srun)" },
		/* a batch script, which is one process */
		{ "SLURM_PROCID=0 SLURM_NTASKS=4", NULL, "part 0/1" },
		/* mpirun starts its daemons by srun, one a node */
		{ "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 "
		  "SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_ID=0 PMIX_RANK=3",
		    NULL, "part 3/4 (Open MPI)" },
		{ "PMIX_RANK=1 SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_ID=0",
		    NULL, "part 1/2 (srun)" },
		{ "PMIX_RANK=1", NULL, "PMIX_SIZE does not say of how many" },
		{ "OMPI_COMM_WORLD_RANK=4 OMPI_COMM_WORLD_SIZE=4", NULL,
		    "OMPI_COMM_WORLD_RANK is 4, but OMPI_COMM_WORLD_SIZE is "
		    "4" },
		{ "OMPI_COMM_WORLD_RANK=x OMPI_COMM_WORLD_SIZE=4", NULL,
		    "OMPI_COMM_WORLD_RANK must be a whole number, got 'x'" },
		{ "PMI_RANK=-1 PMI_SIZE=4", NULL, "PMI_RANK must be a whole" },
		{ "PMI_RANK=0", NULL, "PMI_SIZE does not say of how many" },
	};

	(void)state;
	check_cases(cases, ARRAY_LEN(cases));
}

static void test_part_is_taken_from_tasks_of_a_job(void **state)
{
	static const struct part_case cases[] = {
		{ "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4 "
		  "SLURM_ARRAY_TASK_MIN=0",
		    NULL, "part 1/4 (Slurm array)" },
		{ "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=4 "
		  "SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 "
		  "SLURM_ARRAY_TASK_STEP=1",
		    NULL, "part 3/4 (Slurm array)" },
		{ "SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_COUNT=3 "
		  "SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=18 "
		  "SLURM_ARRAY_TASK_STEP=4",
		    NULL, "part 1/3 (Slurm array)" },
		/* --array=0-7 with the step 3 */
		{ "SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_COUNT=3 "
		  "SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=7 "
		  "SLURM_ARRAY_TASK_STEP=3",
		    NULL, "part 2/3 (Slurm array)" },
		{ "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=3 "
		  "SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 "
		  "SLURM_ARRAY_TASK_STEP=1",
		    NULL, "its 3 tasks are not evenly spaced from 1 to 7" },
		{ "SLURM_ARRAY_TASK_ID=3", NULL,
		    "SLURM_ARRAY_TASK_COUNT does not say of how many" },
		{ "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=4", NULL,
		    "part 1/4 (Kubernetes indexed job)" },
		{ "JOB_COMPLETION_INDEX=1", NULL,
		    "container's env as JOB_COMPLETIONS" },
		{ "JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=4", NULL,
		    "JOB_COMPLETION_INDEX is 4, but JOB_COMPLETIONS is 4" },
		{ "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=4 "
		  "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4",
		    NULL, "are both set" },
	};

	(void)state;
	check_cases(cases, ARRAY_LEN(cases));
}

static void test_parts_of_tasks_are_multiplied(void **state)
{
	static const struct part_case cases[] = {
		{ "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 "
		  "SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_STEP_ID=0",
		    NULL, "part 9/12 (Slurm array and srun)" },
		{ "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 "
		  "SLURM_PROCID=0 SLURM_NTASKS=4",
		    NULL, "part 2/3 (Slurm array)" },
		{ "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 "
		  "SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_ID=0",
		    NULL, "part 2/3 (Slurm array)" },
		{ "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=2 "
		  "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2",
		    NULL, "part 3/4 (Kubernetes indexed job and Open MPI)" },
		{ "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=2 RANK=1 "
		  "WORLD_SIZE=2 TORCHELASTIC_RUN_ID=x GROUP_WORLD_SIZE=1",
		    NULL, "part 3/4 (Kubernetes indexed job and torchrun)" },
		{ "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=2 RANK=1 "
		  "WORLD_SIZE=4 TORCHELASTIC_RUN_ID=x GROUP_WORLD_SIZE=2",
		    NULL, "torchrun has 2 nodes" },
		{ "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=10000 "
		  "PMI_RANK=0 PMI_SIZE=10000",
		    NULL, "10000 tasks with 10000 processes each" },
	};

	(void)state;
	check_cases(cases, ARRAY_LEN(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_part_is_taken_from_the_command_line),
		cmocka_unit_test(test_part_is_taken_from_a_launcher),
		cmocka_unit_test(test_part_is_taken_from_tasks_of_a_job),
		cmocka_unit_test(test_parts_of_tasks_are_multiplied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
