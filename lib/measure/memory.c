/*
 * memory.c - see memory.h.
 *
 * Any cgroup above the process can have a limit, so all of them are checked. In
 * a container the path of its own cgroup may be the host's path, which is not
 * visible there. Then only the root of the mount exists, and it is the
 * container's.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/measure/memory.h"

enum { PATH = 4096 };

/*
 * Files of a version of cgroups; `active` and `inactive` are keys of page cache
 * that the kernel can free.
 */
struct version {
	const char *mount, *limit, *used;
	const char *active, *inactive;
};

static const struct version v1 = {
	.mount = "/sys/fs/cgroup/memory",
	.limit = "memory.limit_in_bytes",
	.used = "memory.usage_in_bytes",
	.active = "total_active_file ",
	.inactive = "total_inactive_file ",
};

static const struct version v2 = {
	.mount = "/sys/fs/cgroup",
	.limit = "memory.max",
	.used = "memory.current",
	.active = "active_file ",
	.inactive = "inactive_file ",
};

/* Result of a walk up the cgroups; UINT64_MAX: no limit. */
struct found {
	uint64_t limit, room;
};

/* Reads the number behind `key` in its line; "" is the first line. */
static bool read_number(const char *path, const char *key, uint64_t *number)
{
	FILE *file = fopen(path, "re");
	char line[256], *end;
	bool got = false;

	if (!file)
		return false;
	while (!got && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		*number = strtoull(line + strlen(key), &end, 10);
		if (end == line + strlen(key)) /* "max" means no limit */
			break;
		got = true;
	}
	fclose(file);
	return got;
}

static bool read_in(
    const char *dir, const char *name, const char *key, uint64_t *number)
{
	char path[PATH + 64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return read_number(path, key, number);
}

static void read_limits(
    const struct version *version, const char *dir, struct found *found)
{
	uint64_t limit, used = 0, active = 0, inactive = 0;

	if (!read_in(dir, version->limit, "", &limit))
		return;
	read_in(dir, version->used, "", &used);
	read_in(dir, "memory.stat", version->active, &active);
	read_in(dir, "memory.stat", version->inactive, &inactive);
	used -= used < active + inactive ? used : active + inactive;
	if (limit < found->limit)
		found->limit = limit;
	if (limit < used)
		limit = used;
	if (limit - used < found->room)
		found->room = limit - used;
}

/* Visits the cgroup in a line of /proc/self/cgroup, and all above it. */
static void walk_up(const char *root, const struct version *version,
    const char *cgroup, struct found *found)
{
	char dir[PATH];
	const size_t stem = strlen(root) + strlen(version->mount);

	if (snprintf(dir, sizeof(dir), "%s%s%s", root, version->mount,
	        cgroup) >= (int)sizeof(dir))
		return;
	for (;;) {
		char *slash = strrchr(dir + stem, '/');

		read_limits(version, dir, found);
		if (!slash)
			break;
		*slash = '\0';
	}
}

static bool lists_memory(const char *controllers)
{
	const char *at = strstr(controllers, "memory");

	return at && (at == controllers || at[-1] == ',') &&
	       (at[6] == '\0' || at[6] == ',');
}

/* Lines are "4:memory:/a/b" in v1, "0::/a/b" in v2. */
static struct found read_cgroups(const char *root)
{
	struct found found = { UINT64_MAX, UINT64_MAX };
	char path[PATH], line[PATH];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':');
		char *cgroup =
		    controllers ? strchr(controllers + 1, ':') : NULL;

		if (!cgroup)
			continue;
		*controllers++ = '\0';
		*cgroup++ = '\0';
		cgroup[strcspn(cgroup, "\n")] = '\0';
		if (strcmp(cgroup, "/") == 0)
			cgroup = cgroup + 1;
		if (*controllers == '\0')
			walk_up(root, &v2, cgroup, &found);
		else if (lists_memory(controllers))
			walk_up(root, &v1, cgroup, &found);
	}
	if (file)
		fclose(file);
	return found;
}

uint64_t memory_limit(const char *root)
{
	const struct found found = read_cgroups(root);

	/* v1 writes a number near the largest for "no limit". */
	return found.limit < UINT64_MAX / 4 ? found.limit : 0;
}

/*
 * Returns half of the remaining address space (ulimit -v). Stacks, mapped files
 * and reserves of the C library need address space without using memory.
 */
static uint64_t address_space(const char *root)
{
	struct rlimit limit;
	uint64_t kilobytes = 0;
	char path[PATH];

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	snprintf(path, sizeof(path), "%s/proc/self/status", root);
	read_number(path, "VmSize:", &kilobytes);
	if (limit.rlim_cur < kilobytes * 1024)
		return 0;
	return (limit.rlim_cur - kilobytes * 1024) / 2;
}

uint64_t memory_available(const char *root)
{
	const struct found found = read_cgroups(root);
	uint64_t kilobytes, available = address_space(root);
	char path[PATH];

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	if (read_number(path, "MemAvailable:", &kilobytes) &&
	    kilobytes * 1024 < available)
		available = kilobytes * 1024;
	return found.room < available ? found.room : available;
}
