/* fault.c - see fault.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/faults/fault.h"

static const char *const names[FAULT_CLASSES] = {
	[FAULT_CHANGE] = "change",
	[FAULT_ROOM] = "room",
	[FAULT_OPEN] = "open",
	[FAULT_CREATE] = "create",
	[FAULT_READ] = "read",
	[FAULT_WRITE] = "write",
	[FAULT_SYNC] = "sync",
	[FAULT_TRUNCATE] = "truncate",
	[FAULT_RENAME] = "rename",
	[FAULT_UNLINK] = "unlink",
	[FAULT_MKDIR] = "mkdir",
	[FAULT_MODE] = "mode",
	[FAULT_STAT] = "stat",
	[FAULT_LIST] = "list",
	[FAULT_LOCK] = "lock",
	[FAULT_MMAP] = "mmap",
	[FAULT_THREAD] = "thread",
	[FAULT_MALLOC] = "malloc",
};

static struct fault_record own_record;
static enum fault_class class_due = FAULT_CLASSES;
static uint64_t due; /* 0: none */

struct fault fault;
struct fault_record *fault_record = &own_record;

static void read_action(const char *action)
{
	char *end;

	fault.kills = strcmp(action, "kill") == 0;
	fault.is_short = strcmp(action, "short") == 0;
	fault.number = (int)strtol(action, &end, 10);
	fault.stays = *end == '+';
}

static void read_point(const char *point)
{
	const size_t len = strcspn(point, ":");
	char *end;

	for (unsigned i = 0; i < FAULT_CLASSES; i++)
		if (strncmp(point, names[i], len) == 0 && !names[i][len])
			class_due = (enum fault_class)i;
	if (point[len] != ':')
		return;
	due = strtoull(point + len + 1, &end, 10);
	if (*end == ':')
		read_action(end + 1);
}

static void map_record(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	void *map;

	if (fd < 0)
		return;
	map = mmap(NULL, sizeof(*fault_record), PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	if (map != MAP_FAILED)
		fault_record = map;
	close(fd);
}

void fault_init(void)
{
	const char *point = getenv("FAULTS_AT");
	const char *counts = getenv("FAULTS_COUNTS");

	if (counts)
		map_record(counts);
	if (point)
		read_point(point);
}

bool fault_is_due(enum fault_class class)
{
	const uint64_t n = atomic_fetch_add(&fault_record->calls[class], 1) + 1;

	if (class != class_due || !due || n < due || (n > due && !fault.stays))
		return false;
	atomic_fetch_add(&fault_record->hits, 1);
	return true;
}
