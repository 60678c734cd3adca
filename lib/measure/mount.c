/* mount.c - see mount.h. */
#define _GNU_SOURCE /* statx */
#include "lib/measure/mount.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/files/proc_text.h"

enum { PATH = 4096, INFO = 4096, FIELDS = 6 };

/* Kernels before 5.8 tell the number only in the file's fdinfo. */
static uint64_t number_by_fdinfo(int fd)
{
	char name[64], text[INFO];
	uint64_t number;

	snprintf(name, sizeof(name), "proc/self/fdinfo/%d", fd);
	if (proc_text_get("", name, text, sizeof(text)) ||
	    !proc_text_number(text, "mnt_id:", &number))
		return 0;
	return number;
}

uint64_t mount_number(int fd)
{
#ifdef STATX_MNT_ID
	struct statx status;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) == 0 &&
	    (status.stx_mask & STATX_MNT_ID))
		return status.stx_mnt_id;
#endif
	return number_by_fdinfo(fd);
}

void mount_unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		unsigned byte;

		if (*from == '\\' && strspn(from + 1, "01234567") >= 3 &&
		    sscanf(from + 1, "%3o", &byte) == 1) {
			*to++ = (char)byte;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

/* Ends the word at `text`, and returns the next; NULL behind the last. */
static char *next_word(char *text)
{
	char *end = text ? strchr(text, ' ') : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	return end + 1;
}

/*
 * Splits a line such as
 *	36 35 98:0 /folder /mnt rw shared:1 - ext4 /dev/sda1 rw,errors=continue
 * false: it is no such line.
 */
static bool split(char *line, struct mount *mount)
{
	char *tail = strstr(line, " - "), *word[FIELDS], *type[3];

	if (!tail)
		return false;
	*tail = '\0';
	type[0] = tail + 3;
	type[0][strcspn(type[0], "\n")] = '\0';
	type[1] = next_word(type[0]);
	type[2] = next_word(type[1]);
	word[0] = line;
	for (size_t i = 1; i < FIELDS; i++)
		word[i] = next_word(word[i - 1]);
	if (!type[2] || !word[FIELDS - 1] ||
	    sscanf(word[2], "%u:%u", &mount->major, &mount->minor) != 2)
		return false;
	mount_unescape(word[4]);
	mount_unescape(type[1]);
	mount->point = word[4];
	mount->type = type[0];
	mount->source = type[1];
	mount->options = type[2];
	return true;
}

void mount_release(struct mount *mount)
{
	free(mount->line);
	*mount = (struct mount)MOUNT_INIT;
}

static FILE *open_list(const char *root)
{
	char path[PATH];

	if (snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root) >=
	    PATH)
		return NULL;
	return fopen(path, "re");
}

bool mount_find(const char *root, uint64_t number, struct mount *mount)
{
	FILE *file = open_list(root);
	size_t size = 0;
	bool found = false;

	*mount = (struct mount)MOUNT_INIT;
	if (!file)
		return false;
	while (!found && getline(&mount->line, &size, file) > 0)
		found = strtoull(mount->line, NULL, 10) == number &&
		        split(mount->line, mount);
	fclose(file);
	if (!found)
		mount_release(mount);
	return found;
}

/* Does the path lie below the folder? */
static bool is_below(const char *path, const char *folder)
{
	const size_t len = strlen(folder);

	if (strcmp(folder, "/") == 0)
		return true;
	return strncmp(path, folder, len) == 0 &&
	       (path[len] == '/' || path[len] == '\0');
}

bool mount_of_path(const char *root, const char *path, struct mount *mount)
{
	FILE *file = open_list(root);
	struct mount one = MOUNT_INIT;
	size_t size = 0;

	*mount = (struct mount)MOUNT_INIT;
	if (!file)
		return false;
	while (getline(&one.line, &size, file) > 0) {
		/* A later mount hides an earlier one at the same place. */
		if (!split(one.line, &one) || !is_below(path, one.point) ||
		    (mount->line && strlen(one.point) < strlen(mount->point)))
			continue;
		mount_release(mount);
		*mount = one;
		one = (struct mount)MOUNT_INIT;
		size = 0;
	}
	fclose(file);
	mount_release(&one);
	return mount->line;
}
