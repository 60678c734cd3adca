/* pack.c - see pack.h. */
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "test/unit/pack.h"
#include "test/unit/test.h"

typedef int set_up(struct archive *archive);

struct form {
	const char *suffix;
	set_up *format, *filter;
};

static const struct form forms[PACK_FORMS] = {
	[PACK_TAR] = { ".tar", archive_write_set_format_ustar, NULL },
	[PACK_PAX] = { ".pax.tar", archive_write_set_format_pax, NULL },
	[PACK_TAR_GZ] = { ".tar.gz", archive_write_set_format_ustar,
	    archive_write_add_filter_gzip },
	[PACK_TAR_ZSTD] = { ".tar.zst", archive_write_set_format_ustar,
	    archive_write_add_filter_zstd },
	[PACK_TAR_XZ] = { ".tar.xz", archive_write_set_format_ustar,
	    archive_write_add_filter_xz },
	[PACK_TAR_LZ4] = { ".tar.lz4", archive_write_set_format_ustar,
	    archive_write_add_filter_lz4 },
	[PACK_CPIO] = { ".cpio", archive_write_set_format_cpio_newc, NULL },
	[PACK_ZIP] = { ".zip", archive_write_set_format_zip, NULL },
	[PACK_7ZIP] = { ".7z", archive_write_set_format_7zip, NULL },
};

const char *pack_suffix(enum pack_form form)
{
	return forms[form].suffix;
}

static struct archive *of(struct pack *pack)
{
	return (struct archive *)pack;
}

struct pack *pack_new(const char *path, enum pack_form form)
{
	struct archive *a = archive_write_new();

	assert_non_null(a);
	assert_int_equal(forms[form].format(a), ARCHIVE_OK);
	if (forms[form].filter)
		assert_int_equal(forms[form].filter(a), ARCHIVE_OK);
	assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
	return (struct pack *)a;
}

static void add(struct pack *pack, struct archive_entry *entry,
    const char *name, mode_t type)
{
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_mtime(entry, 1000000, 500);
	if (archive_write_header(of(pack), entry) != ARCHIVE_OK)
		fail_msg("%s: %s", name, archive_error_string(of(pack)));
}

void pack_add(struct pack *pack, const char *name, const void *data, size_t len)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_size(entry, (la_int64_t)len);
	add(pack, entry, name, AE_IFREG);
	assert_int_equal(archive_write_data(of(pack), data, len), len);
	archive_entry_free(entry);
}

void pack_add_text(struct pack *pack, const char *name, const char *text)
{
	pack_add(pack, name, text, strlen(text));
}

void pack_add_folder(struct pack *pack, const char *name)
{
	struct archive_entry *entry = archive_entry_new();

	add(pack, entry, name, AE_IFDIR);
	archive_entry_free(entry);
}

void pack_add_link(struct pack *pack, const char *name, const char *to)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_symlink(entry, to);
	add(pack, entry, name, AE_IFLNK);
	archive_entry_free(entry);
}

void pack_close(struct pack *pack)
{
	assert_int_equal(archive_write_close(of(pack)), ARCHIVE_OK);
	assert_int_equal(archive_write_free(of(pack)), ARCHIVE_OK);
}
