/* proc_text.c - see proc_text.h. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/files/proc_text.h"

enum { PATH = 4096 };

int proc_text_open(const char *root, const char *name)
{
	char path[PATH];

	if (snprintf(path, sizeof(path), "%s/%s", root, name) >= PATH)
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Drops a truncated last line: a truncated number would be wrong. */
static void drop_cut_line(char *text)
{
	char *end = strrchr(text, '\n');

	if (end)
		end[1] = '\0';
	else
		*text = '\0';
}

int proc_text_read(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t got = fd < 0 ? -1 : 0;

	while (fd >= 0 && len + 1 < size) {
		got = pread(fd, text + len, size - 1 - len, (off_t)len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	text[len] = '\0';
	if (len + 1 == size)
		drop_cut_line(text);
	return got < 0 || len == 0 ? -1 : 0;
}

int proc_text_get(const char *root, const char *name, char *text, size_t size)
{
	const int fd = proc_text_open(root, name);
	const int rc = proc_text_read(fd, text, size);

	if (fd >= 0)
		close(fd);
	return rc;
}

const char *proc_text_next(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

bool proc_text_number(const char *text, const char *key, uint64_t *number)
{
	const size_t len = strlen(key);

	for (const char *line = text; line; line = proc_text_next(line)) {
		const char *at = line + len;

		if (strncmp(line, key, len) != 0)
			continue;
		at += strspn(at, " \t");
		if (!isdigit((unsigned char)*at))
			return false;
		*number = strtoull(at, NULL, 10);
		return true;
	}
	return false;
}
