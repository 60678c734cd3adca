/* pack.h - writes archives for tests (wraps the writing half of libarchive). */
#ifndef TEST_UNIT_PACK_H
#define TEST_UNIT_PACK_H

#include <stddef.h>

enum pack_form {
	PACK_TAR, /* ustar */
	PACK_PAX, /* with extended headers before each member */
	PACK_TAR_GZ,
	PACK_TAR_ZSTD,
	PACK_TAR_XZ,
	PACK_TAR_LZ4,
	PACK_CPIO,
	PACK_ZIP,
	PACK_7ZIP,
	PACK_FORMS,
};

struct pack;

/* Fails the test when it cannot be made. */
struct pack *pack_new(const char *path, enum pack_form form);
void pack_add(
    struct pack *pack, const char *name, const void *data, size_t len);
void pack_add_text(struct pack *pack, const char *name, const char *text);
/* A folder, and a link to somewhere. */
void pack_add_folder(struct pack *pack, const char *name);
void pack_add_link(struct pack *pack, const char *name, const char *to);
void pack_close(struct pack *pack);

/* ".tar.gz" */
const char *pack_suffix(enum pack_form form);

#endif
