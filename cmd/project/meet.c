/* meet.c - see meet.h. */
#include "cmd/project/meet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/project.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/host.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/meeting/meeting.h"
#include "lib/process/part.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "strategies/hosts/follow.h"
#include "strategies/hosts/host_task.h"
#include "strategies/plan/strategies.h"

/* A process without a sign of life for so long counts as dead. */
static const double silence_s = 30;

/* ---- pipelines that are not measured together ---- */

static int check_plan(const struct plan *plan, struct error *err)
{
	if (plan->measure.samples.count > 1)
		return error_set(err, ERROR_USAGE,
		    "--together measures one number of samples: give "
		    "--samples one");
	if (plan->measure.loader)
		return error_set(err, ERROR_USAGE,
		    "--together does not measure your own loader: leave "
		    "measure.loader out");
	if (strategies_want_all_orders(plan))
		return error_set(err, ERROR_USAGE,
		    "--together measures orders by their labels, which presto "
		    "show prints: --order given,o1");
	return 0;
}

static int find_part(struct part *part, struct error *err)
{
	if (part_find(NULL, part, err))
		return -1;
	if (part->engine)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "--together is for several processes at a time: start presto with "
	    "srun, mpirun or torchrun");
}

/* ---- the place ---- */

static uint64_t hash_variable(const char *name, uint64_t hash)
{
	const char *value = getenv(name);

	return hash_bytes(value ? value : "", value ? strlen(value) : 0, hash);
}

/*
 * The run id of torchrun is "none" unless the user gives one. Its rank 0 is
 * reached at an address, which may be one that each machine has for itself.
 */
static uint64_t hash_master(uint64_t hash)
{
	const char *address = getenv("MASTER_ADDR");
	char host[HOST_NAME] = "";

	if (address &&
	    (strcmp(address, "localhost") == 0 || strcmp(address, "::1") == 0 ||
	        strncmp(address, "127.", 4) == 0))
		host_name(host);
	hash = hash_bytes(host, strlen(host), hash);
	return hash_variable("MASTER_PORT", hash_variable("MASTER_ADDR", hash));
}

/* A name that processes of other jobs do not have. */
static uint64_t hash_job(const struct part *part)
{
	static const char *const variables[] = { "SLURM_JOB_ID",
		"SLURM_STEP_ID", "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
		"TORCHELASTIC_RUN_ID", "JOB_NAME" };
	uint64_t hash = part->count;

	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		hash = hash_variable(variables[i], hash);
	return getenv("TORCHELASTIC_RUN_ID") ? hash_master(hash) : hash;
}

/* Returns the folder that all processes see; owned. */
static char *find_place(
    const struct project *project, const char *db, struct error *err)
{
	const struct ini_section *section =
	    ini_section(&project->ini, "storage");
	const struct ini_entry *entry =
	    section ? ini_entry(section, "together") : NULL;
	char *place = entry
	                  ? ini_resolve(&project->ini, entry, entry->value, err)
	                  : path_dir(db, err);

	if (!place || !url_is(place))
		return place;
	error_set(err, ERROR_USAGE,
	    "%s: processes meet in a folder that all of them see, not in an "
	    "object store: name one with storage.together",
	    place);
	free(place);
	return NULL;
}

static char *find_dir(const struct project *project, const struct part *part,
    const char *db, struct error *err)
{
	char *place = find_place(project, db, err), *dir = NULL;
	char name[48];

	if (!place)
		return NULL;
	snprintf(name, sizeof(name), "presto-together-%016llx",
	    (unsigned long long)hash_job(part));
	dir = path_join(place, name, err);
	free(place);
	if (dir && path_make_dirs(dir, err)) {
		free(dir);
		return NULL;
	}
	return dir;
}

/* ---- joining ---- */

/* Hashes what must be the same in all processes. */
static int find_purpose(
    const struct project *project, uint64_t *purpose, struct error *err)
{
	const uint64_t size = sizeof(struct host_task);
	struct buf text = BUF_INIT;
	int rc = ini_print(&project->ini, &text, err);

	if (rc == 0) {
		*purpose =
		    hash_bytes(PRESTO_VERSION, strlen(PRESTO_VERSION), size);
		*purpose = hash_bytes(text.data, text.len, *purpose);
	}
	buf_release(&text);
	return rc;
}

int meet_join(struct meet *meet, const struct project *project, const char *db,
    const atomic_bool *stop, struct error *err)
{
	struct meeting_plan plan = {
		.join_s = project->plan.together_wait_s,
		.silence_s = silence_s,
		.stop = stop,
	};
	struct part part;

	if (check_plan(&project->plan, err) || find_part(&part, err) ||
	    find_purpose(project, &plan.purpose, err))
		return -1;
	meet->dir = find_dir(project, &part, db, err);
	if (!meet->dir)
		return -1;
	plan.dir = meet->dir;
	plan.rank = part.index;
	plan.count = part.count;
	meet->meeting = meeting_join(&plan, err);
	return meet->meeting ? 0 : -1;
}

void meet_leave(struct meet *meet, int rc, const struct error *err)
{
	meeting_leave(meet->meeting, rc ? err : NULL);
	if (meet->dir)
		rmdir(meet->dir); /* the last one succeeds */
	free(meet->dir);
	*meet = (struct meet){ .dir = NULL };
}

bool meet_follows(const struct meet *meet)
{
	return meet->meeting && meeting_rank(meet->meeting) > 0;
}

int meet_follow(const struct meet *meet, const struct project *project,
    const struct strategies *strategies, const atomic_bool *stop,
    struct error *err)
{
	return follow_run(
	    &(struct follow_plan){
	        .meeting = meet->meeting,
	        .plan = &project->plan,
	        .pipeline = &project->pipeline,
	        .strategies = strategies,
	        .source = project->source,
	        .medium = project->medium,
	        .skip_errors = project->dataset.skip_errors,
	        .stop = stop,
	    },
	    err);
}
