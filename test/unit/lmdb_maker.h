/*
 * lmdb_maker.h - writes an LMDB file of any page size, as liblmdb would: for
 * tests and benchmarks, which need none installed.
 */
#ifndef TEST_UNIT_LMDB_MAKER_H
#define TEST_UNIT_LMDB_MAKER_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct lmdb_maker;

/* Begins the file; `flags` are those of the database (lib/formats/lmdb.h). */
struct lmdb_maker *lmdb_maker_new(
    const char *path, uint32_t page_bytes, unsigned flags, struct error *err);
/* Adds a key, which is behind all earlier ones. */
int lmdb_maker_add(struct lmdb_maker *maker, struct span key, struct span value,
    struct error *err);
/* Adds a key whose value is the description of an empty database. */
int lmdb_maker_add_database(
    struct lmdb_maker *maker, const char *name, struct error *err);
/* Writes what is left; then the file is whole.  Returns its tree's levels. */
int lmdb_maker_end(struct lmdb_maker *maker, struct error *err);
void lmdb_maker_free(struct lmdb_maker *maker); /* NULL is fine */

#endif
