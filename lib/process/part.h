/*
 * part.h - the part of a job that this process does, where an engine has
 * started several processes for it.
 *
 * Parts are counted from 0, as the engines do. The index and the number of
 * parts come from the command line, or from variables of the engine:
 *
 *   torchrun      RANK, WORLD_SIZE (only with TORCHELASTIC_RUN_ID)
 *   Open MPI      OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE
 *   PMI           PMI_RANK, PMI_SIZE (MPICH, Intel MPI, Flux, Cray)
 *   srun          SLURM_PROCID, SLURM_STEP_NUM_TASKS or SLURM_NTASKS
 *   Slurm array   SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX, _STEP
 *   Kubernetes    JOB_COMPLETION_INDEX, JOB_COMPLETIONS
 *
 * The first four are launchers of processes. If several of them are set, the
 * one that stands first here started this process: mpirun is itself started by
 * srun, for example. The last two start jobs. Within a job's task a launcher
 * may start processes: their parts are then multiplied.
 *
 * A batch script of Slurm is one process, though its SLURM_NTASKS may be 4: a
 * step that srun started has SLURM_STEP_ID, or a SLURM_PROCID above 0.
 */
#ifndef LIB_PROCESS_PART_H
#define LIB_PROCESS_PART_H

struct error;

struct part {
	unsigned index, count; /* 0 and 1: all of the job */
	/* "Slurm array"; static. NULL: the user said it, or all of the job. */
	const char *engine;
};

#define PART_ALL           \
	{                  \
		.count = 1 \
	}

enum { PART_COUNT_MAX = 1000000, PART_WORDS = 96 };

/*
 * Sets the part: the one that `given` says (the text of --part), or with NULL
 * the engine's; all of the job where there is no engine. ERROR_USAGE for what
 * is no part, and for variables that contradict each other.
 */
int part_find(const char *given, struct part *part, struct error *err);
/* Parses "1/4". "1/1" and "0/1" are all of the job. */
int part_parse(const char *text, struct part *part, struct error *err);
/* Writes "part 1/4", or "part 1/4 (Slurm array)". Returns `words`. */
const char *part_words(const struct part *part, char words[PART_WORDS]);

#endif
