/* md5.h - MD5 (RFC 1321), the checksum of sound in FLAC files, for tests. */
#ifndef TEST_UNIT_MD5_H
#define TEST_UNIT_MD5_H

#include <stddef.h>

enum { MD5_BYTES = 16 };

void md5(const void *data, size_t len, unsigned char digest[MD5_BYTES]);

#endif
