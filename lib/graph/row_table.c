/* row_table.c - see row_table.h. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/graph/highest.h"
#include "lib/graph/mix.h"
#include "lib/graph/row_table.h"
#include "lib/sample/half.h"

enum {
	BLOCK_BITS = 14, /* log2 of the rows of a part */
	BLOCK_ROWS = 1 << BLOCK_BITS,
	BLOCKS_MOST = 1 << (31 - BLOCK_BITS),
	ROWS_AHEAD = 24, /* rows to prefetch */
	ROWS_MANY = 64,  /* rows per part from which on parts are checked */
	LINE = 64,
	LINES_AHEAD = 4, /* lines of a row to prefetch; hardware does more */
};

struct row_table {
	struct row_kind kind;
	size_t row_bytes;
	unsigned users;         /* protected by tables_lock */
	struct row_table *next; /* protected by it, too */
	pthread_mutex_t lock;   /* held while a part is made */
	_Atomic(unsigned char *) blocks[BLOCKS_MOST];
};

/* The list of all tables. */
static pthread_mutex_t tables_lock = PTHREAD_MUTEX_INITIALIZER;
static struct row_table *tables;

/* ---- taking and dropping ---- */

static bool is_kind(const struct row_kind *a, const struct row_kind *b)
{
	return a->seed == b->seed && a->columns == b->columns &&
	       a->dtype == b->dtype;
}

static struct row_table *table_new(
    const struct row_kind *kind, struct error *err)
{
	struct row_table *table = memory_zeroed(sizeof(*table), err);

	if (!table)
		return NULL;
	table->kind = *kind;
	table->row_bytes = kind->columns * dtype_bytes(kind->dtype);
	pthread_mutex_init(&table->lock, NULL);
	table->next = tables;
	tables = table;
	return table;
}

struct row_table *row_table_take(const struct row_kind *kind, struct error *err)
{
	struct row_table *table;

	pthread_mutex_lock(&tables_lock);
	for (table = tables; table; table = table->next)
		if (is_kind(&table->kind, kind))
			break;
	if (!table)
		table = table_new(kind, err);
	if (table)
		table->users++;
	pthread_mutex_unlock(&tables_lock);
	return table;
}

static void table_free(struct row_table *table)
{
	for (size_t i = 0; i < BLOCKS_MOST; i++)
		free(atomic_load(&table->blocks[i]));
	pthread_mutex_destroy(&table->lock);
	free(table);
}

void row_table_drop(struct row_table *table)
{
	struct row_table **at = &tables;

	if (!table)
		return;
	pthread_mutex_lock(&tables_lock);
	if (--table->users == 0) {
		while (*at != table)
			at = &(*at)->next;
		*at = table->next;
		table_free(table);
	}
	pthread_mutex_unlock(&tables_lock);
}

/* ---- making a part ---- */

/* Each column is made of 11 bits, which both types represent exactly. */
static void fill_row(const struct row_kind *kind, size_t row, float *out)
{
	const uint64_t state = mix(kind->seed + (row + 1) * MIX_STEP);

	for (size_t i = 0; i < kind->columns; i++) {
		const uint64_t word = mix(state + (i + 1) * MIX_STEP);

		out[i] = (float)((int)(word >> 53) - 1024) / 1024.0f;
	}
}

static unsigned char *block_new(
    const struct row_table *table, size_t number, struct error *err)
{
	const size_t bytes = BLOCK_ROWS * table->row_bytes;
	const size_t columns = table->kind.columns;
	unsigned char *block =
	    aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
	float *row = malloc(columns * sizeof(*row));

	if (!block || !row) {
		free(block);
		free(row);
		error_memory(err, bytes);
		return NULL;
	}
	for (size_t i = 0; i < BLOCK_ROWS; i++) {
		unsigned char *to = block + i * table->row_bytes;

		fill_row(&table->kind, number * BLOCK_ROWS + i, row);
		if (table->kind.dtype == DTYPE_F16)
			half_from_floats(row, (void *)to, columns);
		else
			memcpy(to, row, table->row_bytes);
	}
	free(row);
	return block;
}

static unsigned char *make_block(
    struct row_table *table, size_t number, struct error *err)
{
	unsigned char *block;

	pthread_mutex_lock(&table->lock);
	block = atomic_load(&table->blocks[number]);
	if (!block) {
		block = block_new(table, number, err);
		atomic_store(&table->blocks[number], block);
	}
	pthread_mutex_unlock(&table->lock);
	return block;
}

/* ---- gathering ---- */

static inline void fetch_row(const unsigned char *row, size_t bytes)
{
	for (size_t i = 0; i < bytes && i < LINES_AHEAD * LINE; i += LINE)
		__builtin_prefetch(row + i);
}

/* `bytes` is a constant where it matters, so that memcpy becomes moves. */
static inline __attribute__((always_inline)) void gather(
    const unsigned char *table, size_t bytes, const int32_t *rows, size_t count,
    unsigned char *out)
{
	for (size_t i = 0; i < count; i++) {
		if (i + ROWS_AHEAD < count)
			fetch_row(table + (size_t)rows[i + ROWS_AHEAD] * bytes,
			    bytes);
		memcpy(out + i * bytes, table + (size_t)rows[i] * bytes, bytes);
	}
}

void rows_gather(const void *table, size_t bytes, const int32_t *rows,
    size_t count, void *out)
{
	if (bytes == 128)
		gather(table, 128, rows, count, out);
	else if (bytes == 256)
		gather(table, 256, rows, count, out);
	else
		gather(table, bytes, rows, count, out);
}

static inline unsigned char *row_at(const struct row_table *table, int32_t row)
{
	unsigned char *block = atomic_load_explicit(
	    &table->blocks[row >> BLOCK_BITS], memory_order_acquire);

	return block
	           ? block + (size_t)(row & (BLOCK_ROWS - 1)) * table->row_bytes
	           : NULL;
}

/* Like gather, for rows in parts. */
static inline __attribute__((always_inline)) void gather_pieces(
    const struct row_table *table, size_t bytes, const int32_t *rows,
    size_t count, unsigned char *out)
{
	for (size_t i = 0; i < count; i++) {
		if (i + ROWS_AHEAD < count)
			fetch_row(row_at(table, rows[i + ROWS_AHEAD]), bytes);
		memcpy(out + i * bytes, row_at(table, rows[i]), bytes);
	}
}

/* Do all parts exist that these rows may be in? */
static bool has_all(
    const struct row_table *table, const int32_t *rows, size_t count)
{
	const size_t blocks = (nodes_highest(rows, count) >> BLOCK_BITS) + 1;

	/* With few rows, checking each row is faster. */
	if (blocks > count / ROWS_MANY)
		return false;
	for (size_t i = 0; i < blocks; i++)
		if (!atomic_load_explicit(
		        &table->blocks[i], memory_order_acquire))
			return false;
	return true;
}

static int make_pieces(struct row_table *table, const int32_t *rows,
    size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (!row_at(table, rows[i]) &&
		    !make_block(table, (size_t)rows[i] >> BLOCK_BITS, err))
			return -1;
	return 0;
}

int row_table_gather(struct row_table *table, const int32_t *rows, size_t count,
    void *out, struct error *err)
{
	if (!has_all(table, rows, count) &&
	    make_pieces(table, rows, count, err))
		return -1;
	if (table->row_bytes == 128)
		gather_pieces(table, 128, rows, count, out);
	else if (table->row_bytes == 256)
		gather_pieces(table, 256, rows, count, out);
	else
		gather_pieces(table, table->row_bytes, rows, count, out);
	return 0;
}
