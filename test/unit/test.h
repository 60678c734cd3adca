/* test.h - cmocka with the headers that it needs, and helpers of all tests. */
#ifndef TEST_UNIT_TEST_H
#define TEST_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/base/bytes.h"

struct error;

/*
 * How many of n times is enough where only chances and roundings are tested: a
 * sanitizer, which is slow, sees the same code each time.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_TIMES(n) (((n) + 7) / 8)
#else
#define TEST_TIMES(n) (n)
#endif

/* Fails with the error's text unless rc is 0. */
void test_ok(int rc, const struct error *err);
/* Fails unless rc is -1 and the error says just this. */
void test_error_is(int rc, const struct error *err, const char *text);
/* Fails unless `part` is somewhere in `text`. */
void test_contains(const char *text, const char *part);

/*
 * A new folder, owned by the caller: in memory where scripts/run-unit says so
 * by $PRESTO_TEST_SCRATCH, as most tests are slow only by what they sync.
 */
char *test_scratch(void);
/* Below $TMPDIR or /tmp always: of what the page cache does, and devices. */
char *test_scratch_on_disk(void);
/* Removes it and all that is in it, and frees its name. */
void test_scratch_remove(char *dir);
/* "DIR/NAME"; owned by the caller. */
char *test_path(const char *dir, const char *name);
/* Writes DIR/NAME, with the folders above it. */
void test_write(const char *dir, const char *name, const char *text);

/* Fails unless the file holds just this text. */
void test_reads(const char *path, const char *text);
/* Fails unless nothing at all is in the folder. */
void test_is_empty(const char *dir);

/* The bytes of DIR/NAME, in place of what `bytes` has; and the reverse. */
void test_read_file(const char *dir, const char *name, struct buf *bytes);
void test_write_file(const char *dir, const char *name, struct span bytes);

#endif
