/* test_layers.c - what lies below a file, with invented /proc and /sys. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/measure/mount.h"
#include "lib/measure/storage/layer_types.h"
#include "lib/measure/storage/layers.h"
#include "test/unit/test.h"

/* A file of the tree, or a link if the text begins with "-> ". */
struct file {
	const char *name, *text;
};

#define MOUNTS "proc/self/mountinfo"
#define DISK                                                          \
	{                                                             \
		"sys/dev/block/8:1/uevent", "MAJOR=8\nDEVNAME=sda1\n" \
	}
#define ON_DISK                                                           \
	"20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,discard\n" \
	"21 20 0:5 / /proc rw - proc proc rw\n"
#define LOOP                                                           \
	{ "sys/dev/block/7:0/uevent", "DEVNAME=loop0\n" },             \
	{                                                              \
		"sys/dev/block/7:0/loop/backing_file", "/images/a b\n" \
	}
#define ON_LOOP ON_DISK "30 20 7:0 / /data rw - ext4 /dev/loop0 rw\n"

struct layers_case {
	const char *what;
	struct file files[12];
	const char *unseen; /* part of it; "": all is seen */
	bool memory;
	size_t images; /* files behind that can be dropped */
};

static const struct layers_case cases[] = {
	{ .what = "a disk",
	    .files = { { MOUNTS, ON_DISK }, DISK },
	    .unseen = "" },
	{ .what = "a partition of a disk",
	    .files = { { MOUNTS, ON_DISK },
	        { "sys/devices/sda/sda1/uevent", "DEVNAME=sda1\n" },
	        { "sys/devices/sda/sda1/partition", "1\n" },
	        { "sys/dev/block/8:1", "-> ../../devices/sda/sda1" } },
	    .unseen = "" },
	{ .what = "a folder of another mount",
	    .files = { { MOUNTS, ON_DISK "30 20 8:1 /home/data /data ro - "
	                                 "ext4 /dev/sda1 rw\n" },
	        DISK },
	    .unseen = "" },
	{ .what = "no /sys",
	    .files = { { MOUNTS, ON_DISK } },
	    .unseen = "device 8:1 is not in /sys" },
	{ .what = "an image",
	    .files = { { MOUNTS, ON_LOOP }, DISK, LOOP,
	        { "images/a b", "bytes" } },
	    .unseen = "",
	    .images = 1 },
	{ .what = "a partition of an image",
	    .files = { { MOUNTS, ON_DISK "30 20 259:0 / /data rw - ext4 "
	                                 "/dev/loop0p1 rw\n" },
	        DISK, { "sys/devices/loop0/loop0p1/uevent", "DEVNAME=loop0p1" },
	        { "sys/devices/loop0/loop0p1/partition", "1\n" },
	        { "sys/devices/loop0/loop/backing_file", "/images/a\n" },
	        { "sys/dev/block/259:0", "-> ../../devices/loop0/loop0p1" },
	        { "images/a", "bytes" } },
	    .unseen = "",
	    .images = 1 },
	{ .what = "an encrypted device on an image",
	    .files = { { MOUNTS, ON_DISK "30 20 253:0 / /data rw - ext4 "
	                                 "/dev/mapper/secret rw\n" },
	        DISK, LOOP, { "sys/dev/block/253:0/uevent", "DEVNAME=dm-0\n" },
	        { "sys/dev/block/253:0/slaves/loop0/dev", "7:0\n" },
	        { "images/a b", "bytes" } },
	    .unseen = "",
	    .images = 1 },
	{ .what = "a device on two images of one disk",
	    .files = { { MOUNTS, ON_DISK "30 20 253:0 / /data rw - ext4 "
	                                 "/dev/mapper/both rw\n" },
	        DISK, LOOP, { "sys/dev/block/7:1/uevent", "DEVNAME=loop1\n" },
	        { "sys/dev/block/7:1/loop/backing_file", "/images/c\n" },
	        { "sys/dev/block/253:0/uevent", "DEVNAME=dm-0\n" },
	        { "sys/dev/block/253:0/slaves/loop0/dev", "7:0\n" },
	        { "sys/dev/block/253:0/slaves/loop1/dev", "7:1\n" },
	        { "images/a b", "bytes" }, { "images/c", "bytes" } },
	    .unseen = "",
	    .images = 2 },
	{ .what = "an image that was removed",
	    .files = { { MOUNTS, ON_LOOP }, DISK, LOOP },
	    .unseen = "loop0: its image /images/a b cannot be opened" },
	{ .what = "an image on a server",
	    .files = { { MOUNTS, ON_LOOP "31 20 0:40 / /images rw - nfs4 "
	                                 "host:/images rw\n" },
	        DISK, LOOP, { "images/a b", "bytes" } },
	    .unseen = "nfs4: its server may keep the data in memory",
	    .images = 1 },
	{ .what = "an image that holds itself",
	    .files = { { MOUNTS, ON_LOOP "31 20 7:0 / /images rw - ext4 "
	                                 "/dev/loop0 rw\n" },
	        DISK, LOOP, { "images/a b", "bytes" } },
	    .unseen = "too deep",
	    .images = 1 },
	{ .what = "an image that is mounted without a device",
	    .files = { { MOUNTS, ON_DISK "30 20 0:50 / /data ro - erofs "
	                                 "/images/a\\040b ro\n" },
	        DISK, { "images/a b", "bytes" } },
	    .unseen = "",
	    .images = 1 },
	{ .what = "squashfs, whose buffers hold data",
	    .files = { { MOUNTS, ON_DISK "30 20 8:1 / /data ro - squashfs "
	                                 "/dev/sda1 ro\n" },
	        DISK },
	    .unseen = "squashfs: the buffers of /dev/sda1 cannot be seen" },
	{ .what = "an overlay of two folders",
	    .files = { { MOUNTS, ON_LOOP "31 20 0:60 / /data rw - overlay x rw,"
	                                 "lowerdir=/low:/a\\134:b,"
	                                 "upperdir=/up,workdir=/w\n" },
	        DISK, LOOP, { "images/a b", "bytes" }, { "low/x", "" },
	        { "a:b/x", "" }, { "up/x", "" } },
	    .unseen = "" },
	{ .what = "an overlay whose folder is a link to a server",
	    .files = { { MOUNTS,
	                   ON_DISK "31 20 0:40 / /far rw - nfs4 host:/ rw\n"
	                           "32 20 0:60 / /data rw - overlay x rw,"
	                           "lowerdir=/low,upperdir=/up\n" },
	        DISK, { "far/x", "" }, { "up/x", "" }, { "low", "-> far" } },
	    .unseen = "nfs4: its server may keep" },
	{ .what = "an overlay over an image",
	    .files = { { MOUNTS,
	                   ON_DISK "30 20 7:0 / /low rw - ext4 /dev/loop0 rw\n"
	                           "31 20 0:60 / /data rw - overlay x rw,"
	                           "lowerdir+=/low,upperdir=/up\n" },
	        DISK, LOOP, { "images/a b", "bytes" }, { "low/x", "" },
	        { "up/x", "" } },
	    .unseen = "",
	    .images = 1 },
	{ .what = "an overlay, seen in its container",
	    .files = { { MOUNTS,
	                   "20 1 0:60 / / rw - overlay overlay rw,"
	                   "lowerdir=/host/1:/host/2,upperdir=/host/3\n" },
	        DISK },
	    .unseen = "overlay: its folders cannot be seen from here" },
	{ .what = "memory shows its pages",
	    .files = { { MOUNTS, "20 1 0:7 / / rw - tmpfs tmpfs rw\n" } },
	    .unseen = "" },
	{ .what = "a device in memory",
	    .files = { { MOUNTS, "20 1 254:0 / / rw - ext4 /dev/zram0 rw\n" },
	        { "sys/dev/block/254:0/uevent", "DEVNAME=zram0\n" } },
	    .unseen = "",
	    .memory = true },
	{ .what = "a device of a server",
	    .files = { { MOUNTS, "20 1 43:0 / / rw - xfs /dev/nbd0 rw\n" },
	        { "sys/dev/block/43:0/uevent", "DEVNAME=nbd0\n" } },
	    .unseen = "nbd0: its server may keep the data in memory" },
	{ .what = "a disk of a server",
	    .files = { { MOUNTS, ON_DISK },
	        { "sys/devices/host2/session1/sda1/uevent", "DEVNAME=sda1\n" },
	        { "sys/dev/block/8:1",
	            "-> ../../devices/host2/session1/sda1" } },
	    .unseen = "sda1: its server" },
	{ .what = "a partition of a disk of a server",
	    .files = { { MOUNTS, ON_DISK },
	        { "sys/devices/rport-1/sda/sda1/uevent", "DEVNAME=sda1\n" },
	        { "sys/devices/rport-1/sda/sda1/partition", "1\n" },
	        { "sys/dev/block/8:1", "-> ../../devices/rport-1/sda/sda1" } },
	    .unseen = "sda1: its server" },
	{ .what = "a disk that several networks lead to",
	    .files = { { MOUNTS, ON_DISK },
	        { "sys/devices/nvme-subsys0/nvme0n1/uevent",
	            "DEVNAME=nvme0n1\n" },
	        { "sys/devices/nvme-fabrics/ctl/nvme0/x", "" },
	        { "sys/devices/nvme-subsys0/nvme0",
	            "-> ../nvme-fabrics/ctl/nvme0" },
	        { "sys/dev/block/8:1",
	            "-> ../../devices/nvme-subsys0/nvme0n1" } },
	    .unseen = "nvme0n1: its server" },
	{ .what = "a disk that several buses lead to",
	    .files = { { MOUNTS, ON_DISK },
	        { "sys/devices/nvme-subsys0/nvme0n1/uevent",
	            "DEVNAME=nvme0n1\n" },
	        { "sys/devices/pci/nvme0/x", "" },
	        { "sys/devices/nvme-subsys0/nvme0", "-> ../pci/nvme0" },
	        { "sys/dev/block/8:1",
	            "-> ../../devices/nvme-subsys0/nvme0n1" } },
	    .unseen = "" },
	{ .what = "a program",
	    .files = { { MOUNTS, "20 1 0:9 / / rw - fuse.sshfs host: rw\n" } },
	    .unseen = "fuse.sshfs: the program behind it may keep" },
	{ .what = "a cache of its own",
	    .files = { { MOUNTS, "20 1 0:9 / / rw - zfs pool/data rw\n" } },
	    .unseen = "zfs: it has a cache of its own" },
	{ .what = "a type that nobody knows",
	    .files = { { MOUNTS, "20 1 0:9 / / rw - newfs x rw\n" } },
	    .unseen = "newfs: presto does not know this file system" },
};

static void make(const char *dir, const struct file *file)
{
	if (strncmp(file->text, "-> ", 3) == 0) {
		char *path = test_path(dir, file->name);

		/* Makes the folder above it, too. */
		test_write(dir, "sys/dev/block/made", "");
		assert_int_equal(symlink(file->text + 3, path), 0);
		free(path);
		return;
	}
	test_write(dir, file->name, file->text);
}

static size_t images_of(const struct layers *layers)
{
	size_t count = 0;

	for (size_t i = 0; i < layers->count; i++)
		count += layers->files[i].holds_data;
	return count;
}

static void check(const struct layers_case *c)
{
	char *dir = test_scratch();
	struct layers layers = LAYERS_INIT(dir);
	struct mount mount;

	for (size_t i = 0; i < ARRAY_LEN(c->files) && c->files[i].name; i++)
		make(dir, &c->files[i]);
	assert_true(mount_of_path(dir, "/data/x", &mount));
	layers_add(&layers, &mount);
	if (*c->unseen ? !strstr(layers.unseen, c->unseen) : *layers.unseen)
		fail_msg("%s: unseen '%s'", c->what, layers.unseen);
	if (layers.memory != c->memory || images_of(&layers) != c->images)
		fail_msg("%s: memory %d, %zu images", c->what, layers.memory,
		    images_of(&layers));
	mount_release(&mount);
	layers_release(&layers);
	test_scratch_remove(dir);
}

static void test_layers_are_found(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check(&cases[i]);
}

static void test_layers_know_memory_and_stacks(void **state)
{
	UNUSED(state);
	assert_true(
	    layer_type_is_memory("tmpfs") && layer_type_is_memory("ramfs"));
	assert_false(
	    layer_type_is_memory("ext4") || layer_type_is_memory("newfs"));
	assert_true(layer_type_is_stacked("overlay"));
	assert_false(layer_type_is_stacked("fuse.overlay"));
}

/* The names of devices are root's: without them, names cannot be made cold. */
static void test_layers_need_the_device_for_names(void **state)
{
	static const struct file files[] = { { MOUNTS, ON_DISK }, DISK };
	char *dir = test_scratch();
	struct layers layers = LAYERS_INIT(dir);
	struct mount mount;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		make(dir, &files[i]);
	assert_true(mount_of_path(dir, "/data", &mount));
	assert_true(layers.names);
	layers_add(&layers, &mount);
	assert_false(layers.names);
	mount_release(&mount);
	layers_release(&layers);
	test_scratch_remove(dir);
}

/* "/dev/root" is no file.  An idle loop device is one that root can open. */
static void test_layers_know_a_device_by_its_number(void **state)
{
	static const struct file files[] = {
		{ MOUNTS, "30 1 7:0 / / rw - ext4 /dev/root rw\n" },
		{ "sys/dev/block/7:0/uevent", "DEVNAME=loop0\n" },
		{ "dev/loop0", "-> /dev/loop0" },
	};
	const int fd = open("/dev/loop0", O_RDONLY | O_CLOEXEC);
	char *dir = test_scratch();
	struct layers layers = LAYERS_INIT(dir);
	struct mount mount;
	struct stat status;

	UNUSED(state);
	if (fd < 0 || fstat(fd, &status) || status.st_rdev != makedev(7, 0)) {
		test_scratch_remove(dir);
		skip();
	}
	close(fd);
	test_write(dir, "dev/made", "");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		make(dir, &files[i]);
	assert_true(mount_of_path(dir, "/data", &mount));
	layers_add(&layers, &mount);
	assert_true(layers.names);
	assert_int_equal(layers.count, 1);
	assert_int_equal(layers.files[0].device, makedev(7, 0));
	mount_release(&mount);
	layers_release(&layers);
	test_scratch_remove(dir);
}

static void test_mount_is_found_by_path_and_number(void **state)
{
	static const struct file list = { MOUNTS,
		"no mount at all\n" ON_DISK
		"30 20 8:2 / /data rw - xfs /dev/sda2 rw\n"
		"31 20 8:3 /x /data/a\\040b rw - btrfs /dev/sda3 rw,ssd\n"
		"32 30 0:9 / /data rw - tmpfs none rw\n" };
	char *dir = test_scratch();
	struct mount mount;

	UNUSED(state);
	make(dir, &list);
	assert_true(mount_of_path(dir, "/data/a b/c", &mount));
	assert_string_equal(mount.type, "btrfs");
	assert_string_equal(mount.options, "rw,ssd");
	assert_int_equal(mount.minor, 3);
	mount_release(&mount);
	assert_true(mount_of_path(dir, "/data/a", &mount));
	assert_string_equal(mount.type, "tmpfs"); /* it hides xfs */
	mount_release(&mount);
	assert_true(mount_of_path(dir, "/database", &mount));
	assert_string_equal(mount.source, "/dev/sda1");
	mount_release(&mount);
	assert_true(mount_find(dir, 30, &mount));
	assert_string_equal(mount.type, "xfs");
	mount_release(&mount);
	assert_false(mount_find(dir, 99, &mount));
	assert_false(mount_find("/nowhere", 30, &mount));
	test_scratch_remove(dir);
}

static void test_mount_knows_the_number_of_an_open_file(void **state)
{
	char *dir = test_scratch();
	struct mount mount;
	int ends[2];

	UNUSED(state);
	assert_int_equal(pipe(ends), 0);
	assert_true(mount_number(ends[0]) > 0);
	assert_int_equal(mount_number(-1), 0);
	/* No list has the mount of a pipe. */
	assert_false(mount_find("", mount_number(ends[0]), &mount));
	close(ends[0]);
	close(ends[1]);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layers_are_found),
		cmocka_unit_test(test_layers_know_memory_and_stacks),
		cmocka_unit_test(test_layers_need_the_device_for_names),
		cmocka_unit_test(test_layers_know_a_device_by_its_number),
		cmocka_unit_test(test_mount_is_found_by_path_and_number),
		cmocka_unit_test(test_mount_knows_the_number_of_an_open_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
