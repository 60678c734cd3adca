/*
 * sandbox.c - runs a program that can change the files of one folder only, for
 * scripts/mutate, since a fault may remove what it finds.
 *
 *   sandbox FOLDER [SHOWN]... -- PROGRAM [ARGUMENT]...
 *
 * The program has a mount namespace of its own.  There, file systems are
 * read-only, except those of the kernel, which keep nobody's files.  /tmp,
 * /var/tmp and /dev/shm are empty memory, which goes with the program.  FOLDER
 * is as it was; so are the SHOWN folders, but read-only.  All paths are
 * absolute and without links.
 *
 * Only root and users who may have a user namespace are permitted that; nobody
 * is on Linux before 5.12.  Then the status is 125.
 */
#define _GNU_SOURCE /* unshare, O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOT_PERMITTED = 125, FOLDERS_MOST = 8 };

static const char *const in_memory[] = { "/tmp", "/var/tmp", "/dev/shm" };
static const char *const of_kernel[] = { "proc", "sysfs", "cgroup", "cgroup2",
	"devpts", "debugfs", "tracefs", "securityfs", "bpf", "binfmt_misc" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

__attribute__((format(printf, 1, 2), noreturn)) static void die(
    const char *format, ...)
{
	const int error = errno;
	va_list args;

	fputs("sandbox: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(error));
	exit(NOT_PERMITTED);
}

/* ---- the namespace ---- */

static void write_map(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const ssize_t len = (ssize_t)strlen(text);

	if (fd < 0 || write(fd, text, (size_t)len) != len)
		die("cannot write %s", path);
	close(fd);
}

/* Users keep their number, and lose the rights when the program starts. */
static void enter(void)
{
	const unsigned user = geteuid(), group = getegid();
	char text[64];

	if (unshare(CLONE_NEWNS | (user ? CLONE_NEWUSER : 0)))
		die("cannot have a mount namespace");
	if (user) {
		write_map("/proc/self/setgroups", "deny");
		snprintf(text, sizeof(text), "%u %u 1", user, user);
		write_map("/proc/self/uid_map", text);
		snprintf(text, sizeof(text), "%u %u 1", group, group);
		write_map("/proc/self/gid_map", text);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		die("cannot keep mounts to itself");
}

/* ---- file systems ---- */

static int set_read_only(const char *path, bool is_read_only)
{
	struct mount_attr attr = { .attr_set = 0 };

	*(is_read_only ? &attr.attr_set : &attr.attr_clr) = MOUNT_ATTR_RDONLY;
	return mount_setattr(AT_FDCWD, path, 0, &attr, sizeof(attr));
}

/* "a\040b" is "a b" in a list of mounts. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		unsigned code;

		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
			*to = (char)code;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static bool is_of_kernel(const char *type)
{
	for (size_t i = 0; i < COUNT(of_kernel); i++)
		if (strcmp(type, of_kernel[i]) == 0)
			return true;
	return false;
}

static void protect_all(void)
{
	FILE *list = fopen("/proc/self/mountinfo", "re");
	char path[PATH_MAX], type[64], *line = NULL;
	size_t size = 0;

	if (!list)
		die("cannot read the list of mounts");
	while (getline(&line, &size, list) > 0) {
		const char *rest = strstr(line, " - ");

		if (!rest ||
		    sscanf(line, "%*s %*s %*s %*s %4095s", path) != 1 ||
		    sscanf(rest, " - %63s", type) != 1)
			continue;
		unescape(path);
		/* Others are mounted over it, where the path is not found. */
		if (!is_of_kernel(type) && set_read_only(path, true) &&
		    errno != ENOENT && errno != EINVAL)
			die("cannot protect %s", path);
	}
	free(line);
	fclose(list);
}

static void hide_scratch(void)
{
	for (size_t i = 0; i < COUNT(in_memory); i++)
		if (access(in_memory[i], F_OK) == 0 &&
		    mount("tmpfs", in_memory[i], "tmpfs", MS_NOSUID | MS_NODEV,
		        "mode=1777"))
			die("cannot mount memory on %s", in_memory[i]);
}

/* ---- folders that are there ---- */

static void make_dirs(const char *path)
{
	char part[PATH_MAX];

	for (const char *end = path; end && *end; end = strchr(end + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(end - path), path);
		if (*part)
			mkdir(part, 0755);
	}
	mkdir(path, 0755);
}

static int open_folder(const char *path)
{
	const int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		die("cannot open %s", path);
	return fd;
}

static bool is_there(const char *path, int fd)
{
	struct stat now, before;

	return stat(path, &now) == 0 && fstat(fd, &before) == 0 &&
	       now.st_dev == before.st_dev && now.st_ino == before.st_ino;
}

static void bring_back(const char *path, int fd)
{
	char source[64];

	snprintf(source, sizeof(source), "/proc/self/fd/%d", fd);
	make_dirs(path);
	if (mount(source, path, NULL, MS_BIND, NULL))
		die("cannot show %s", path);
}

int main(int argc, char **argv)
{
	char working[PATH_MAX];
	int folders[FOLDERS_MOST], count = 0;

	while (count + 1 < argc && count < FOLDERS_MOST &&
	       strcmp(argv[count + 1], "--") != 0)
		count++;
	errno = EINVAL;
	if (count == 0 || argc < count + 3)
		die("sandbox FOLDER [SHOWN]... -- PROGRAM [ARGUMENT]...");
	if (!getcwd(working, sizeof(working)))
		die("cannot tell the folder it is in");
	enter();
	for (int i = 0; i < count; i++)
		folders[i] = open_folder(argv[i + 1]);
	protect_all();
	hide_scratch();
	for (int i = count; i-- > 1;)
		if (!is_there(argv[i + 1], folders[i]))
			bring_back(argv[i + 1], folders[i]);
	bring_back(argv[1], folders[0]);
	if (set_read_only(argv[1], false))
		die("cannot write to %s", argv[1]);
	if (chdir(working))
		die("cannot enter %s", working);
	execvp(argv[count + 2], argv + count + 2);
	die("cannot run %s", argv[count + 2]);
}
