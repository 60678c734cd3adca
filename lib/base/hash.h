/* hash.h - XXH3 (wraps xxHash), and CRC-32C as TFRecord uses it. */
#ifndef LIB_BASE_HASH_H
#define LIB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_state; /* a running XXH3-64 */

uint64_t hash_bytes(const void *data, size_t len, uint64_t seed);

struct hash_state *hash_new(void); /* NULL when out of memory */
void hash_update(struct hash_state *state, const void *data, size_t len);
uint64_t hash_digest(const struct hash_state *state);
void hash_free(struct hash_state *state);

/* CRC-32C (Castagnoli), with the processor's instructions if it has them. */
uint32_t hash_crc32c(const void *data, size_t len);
/* The same without these instructions, for the test. */
uint32_t hash_crc32c_portable(const void *data, size_t len);

/* CRC-32C in TFRecord's masked form: rotated right by 15, plus 0xa282ead8. */
uint32_t hash_crc32c_masked(const void *data, size_t len);

#endif
