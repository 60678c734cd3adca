/* process.c - see process.h. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, pipe2 */
#include "lib/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/error.h"

enum {
	FIRST_FD = 3,
	SAFE_FD = 16,         /* beyond the numbers that a program gets */
	PIPE_BYTES = 1 << 18, /* fewer turns for large samples */
};

extern char **environ;

/* ---- starting ---- */

/* The program's ends of the pipes, and descriptors that it gets. */
struct ends {
	int fds[FIRST_FD + PROCESS_FDS];
	unsigned count;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_ends(struct ends *ends)
{
	while (ends->count > 0)
		close_fd(&ends->fds[--ends->count]);
}

/* Adds a copy whose number no other end takes.  Closes `fd` if it is ours. */
static int add_end(struct ends *ends, int fd, bool is_ours)
{
	const int copy = fcntl(fd, F_DUPFD_CLOEXEC, SAFE_FD);

	if (is_ours)
		close(fd);
	if (copy < 0)
		return -1;
	ends->fds[ends->count++] = copy;
	return 0;
}

/* Makes a pipe: our end does not block, and theirs is added. */
static int add_pipe(struct ends *ends, bool is_input, int *ours)
{
	int pair[2];

	if (pipe2(pair, O_CLOEXEC))
		return -1;
	*ours = pair[is_input];
	(void)fcntl(*ours, F_SETPIPE_SZ, PIPE_BYTES); /* as far as allowed */
	if (fcntl(*ours, F_SETFL, O_NONBLOCK)) {
		close(pair[!is_input]);
		return -1;
	}
	return add_end(ends, pair[!is_input], true);
}

static int make_pipes(
    struct process *process, struct ends *ends, const struct process_plan *plan)
{
	if (add_pipe(ends, true, &process->in) ||
	    add_pipe(ends, false, &process->out) ||
	    add_pipe(ends, false, &process->errors))
		return -1;
	for (unsigned i = 0; i < plan->fd_count; i++)
		if (add_end(ends, plan->fds[i], false))
			return -1;
	return 0;
}

/* Is the name of `entry`, "NAME=VALUE", among the additions? */
static bool is_replaced(const char *entry, const char *const *more)
{
	const size_t len = strcspn(entry, "=") + 1;

	for (; more && *more; more++)
		if (strncmp(entry, *more, len) == 0)
			return true;
	return false;
}

/* The environment with additions; the caller frees the array. */
static char **make_environment(const char *const *more)
{
	size_t count = 0, added = 0, kept = 0;
	char **all;

	while (environ[count])
		count++;
	while (more && more[added])
		added++;
	all = calloc(count + added + 1, sizeof(*all));
	if (!all)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (!is_replaced(environ[i], more))
			all[kept++] = environ[i];
	if (added)
		memcpy(all + kept, more, added * sizeof(*all));
	return all;
}

/* A group of its own, no signal blocked or ignored. */
static void set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(attributes);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
	                                         POSIX_SPAWN_SETSIGMASK |
	                                         POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(attributes, 0);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &all);
}

/* Returns 0 or an errno. */
static int spawn(struct process *process, const struct ends *ends,
    const struct process_plan *plan)
{
	char **environment = make_environment(plan->environment);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char **words;
	int rc;

	if (!environment)
		return ENOMEM;
	memcpy(&words, &plan->words, sizeof(words)); /* it is not changed */
	set_attributes(&attributes);
	posix_spawn_file_actions_init(&actions);
	for (unsigned i = 0; i < ends->count; i++)
		posix_spawn_file_actions_adddup2(
		    &actions, ends->fds[i], (int)i);
	if (plan->folder)
		posix_spawn_file_actions_addchdir_np(&actions, plan->folder);
	rc = posix_spawnp(
	    &process->id, words[0], &actions, &attributes, words, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	free(environment);
	return rc;
}

int process_start(
    struct process *process, const struct process_plan *plan, struct error *err)
{
	struct ends ends = { .count = 0 };
	char cause[ERROR_CAUSE];
	int rc;

	*process = (struct process)PROCESS_INIT;
	if (make_pipes(process, &ends, plan))
		rc =
		    error_set(err, ERROR_SYSTEM, "cannot make pipes for %s: %s",
		        plan->words[0], error_cause(errno, cause));
	else {
		rc = spawn(process, &ends, plan);
		if (rc)
			error_set(err, ERROR_DATA, "cannot run %s: %s",
			    plan->words[0], error_cause(rc, cause));
	}
	close_ends(&ends);
	if (!rc)
		return 0;
	process->id = 0;
	process_kill(process); /* closes our ends */
	return -1;
}

/* ---- finding ---- */

static bool is_program(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       access(path, X_OK) == 0;
}

/* Returns FOLDER/NAME if it is a program; NULL if not, or without memory. */
static char *find_in(
    const char *folder, size_t len, const char *name, struct error *err)
{
	struct buf path = BUF_INIT;

	if (buf_printf(&path, err, "%.*s%s%s", (int)len, folder, len ? "/" : "",
	        name) == 0 &&
	    is_program((const char *)path.data))
		return (char *)path.data;
	buf_release(&path);
	return NULL;
}

char *process_find(const char *name, const char *folder, struct error *err)
{
	const char *at = getenv("PATH"), *end;
	char *found = NULL;

	if (strchr(name, '/')) {
		const bool is_relative = *name != '/' && folder;

		found = find_in(is_relative ? folder : "",
		    is_relative ? strlen(folder) : 0, name, err);
	} else {
		for (at = at ? at : "/usr/bin:/bin"; !found && *at;
		     at = *end ? end + 1 : end) {
			end = at + strcspn(at, ":");
			if (*at == '/')
				found =
				    find_in(at, (size_t)(end - at), name, err);
		}
	}
	if (!found)
		error_set(err, ERROR_USAGE, "no program '%s'%s", name,
		    strchr(name, '/') ? "" : " in PATH");
	return found;
}
