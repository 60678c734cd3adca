/* process_memory.c - see process_memory.h. */
#include "lib/process/process_memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/files/proc_text.h"

/* Pages of files are those of libraries, which the parent has as well. */
static uint64_t bytes_of(pid_t id, bool with_files)
{
	const long page = sysconf(_SC_PAGESIZE);
	char name[64], text[256];
	uint64_t resident, files;

	snprintf(name, sizeof(name), "proc/%d/statm", (int)id);
	if (page <= 0 || proc_text_get("", name, text, sizeof(text)) ||
	    sscanf(text, "%*u %" SCNu64 " %" SCNu64, &resident, &files) != 2)
		return 0;
	if (!with_files)
		resident = resident > files ? resident - files : 0;
	return resident * (uint64_t)page;
}

uint64_t process_memory(pid_t id)
{
	uint64_t sum = bytes_of(id, true);
	char name[64], text[4096], *at = text;

	snprintf(
	    name, sizeof(name), "proc/%d/task/%d/children", (int)id, (int)id);
	if (proc_text_get("", name, text, sizeof(text)))
		return sum;
	for (;;) {
		char *end;
		const long child = strtol(at, &end, 10);

		if (end == at || child <= 0)
			return sum;
		sum += bytes_of((pid_t)child, false);
		at = end;
	}
}
