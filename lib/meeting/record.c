/* record.c - see record.h. */
#include "lib/meeting/record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/hash.h"
#include "lib/files/proc_text.h"

static const char magic[8] = "PRESTOm1";

/* Names the boot and the name space of processes; "" where it is not known. */
static void name_machine(char machine[RECORD_MACHINE])
{
	char boot[64] = "", space[48] = "";
	ssize_t len;

	machine[0] = '\0';
	if (proc_text_get(
	        "", "proc/sys/kernel/random/boot_id", boot, sizeof(boot)))
		return;
	len = readlink("/proc/self/ns/pid", space, sizeof(space) - 1);
	if (len <= 0)
		return;
	space[len] = '\0';
	boot[strcspn(boot, "\n")] = '\0';
	snprintf(machine, RECORD_MACHINE, "%s %s", boot, space);
}

void record_init(struct record *record, const struct meeting_plan *plan)
{
	memset(record, 0, sizeof(*record));
	memcpy(record->magic, magic, sizeof(magic));
	record->purpose = plan->purpose;
	record->pid = getpid();
	record->rank = plan->rank;
	record->count = plan->count;
	record->state = RECORD_HERE;
	host_name(record->host);
	name_machine(record->machine);
}

static uint64_t sum_of(const struct record *record)
{
	return hash_bytes(record, offsetof(struct record, sum), 0);
}

int record_write(const char *path, struct record *record, bool create)
{
	const int fd = open(path,
	    O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0600);
	ssize_t written;
	int cause = 0;

	if (fd < 0)
		return errno;
	record->sum = sum_of(record);
	written = pwrite(fd, record, sizeof(*record), 0);
	if (written != (ssize_t)sizeof(*record))
		cause = written < 0 ? errno : ENOSPC;
	/* A network file system sends it when the file is closed. */
	if (close(fd) && !cause)
		cause = errno;
	return cause;
}

/* Texts of others end somewhere. */
static bool is_sound(const struct record *record)
{
	return memcmp(record->magic, magic, sizeof(magic)) == 0 &&
	       record->sum == sum_of(record) &&
	       memchr(record->host, '\0', sizeof(record->host)) &&
	       memchr(record->machine, '\0', sizeof(record->machine)) &&
	       memchr(record->why, '\0', sizeof(record->why));
}

bool record_read(const char *path, struct record *record)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct record got;
	ssize_t len;

	if (fd < 0)
		return false;
	len = pread(fd, &got, sizeof(got), 0);
	close(fd);
	if (len != (ssize_t)sizeof(got) || !is_sound(&got))
		return false;
	*record = got;
	return true;
}

/* Is it dead, and only waits for its parent to notice? */
static bool is_zombie(int64_t pid)
{
	char name[48], text[512];
	const char *end;

	snprintf(name, sizeof(name), "proc/%lld/stat", (long long)pid);
	if (proc_text_get("", name, text, sizeof(text)))
		return false;
	end = strrchr(text, ')'); /* behind the name of the program */
	return end && end[1] == ' ' && end[2] == 'Z';
}

bool record_has_ended(const struct record *record, const char *machine)
{
	if (!*machine || strcmp(record->machine, machine) != 0 ||
	    record->pid <= 0 || record->pid > INT32_MAX)
		return false;
	if (kill((pid_t)record->pid, 0) < 0)
		return errno == ESRCH;
	return is_zombie(record->pid);
}
