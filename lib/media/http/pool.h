/*
 * pool.h - the inside of a pool of handles; for use in lib/media/http only.
 *
 * Handles that no request uses wait with their connections for the next one.
 * They belong to the process that made them: a child of a fork forgets them,
 * since closing them would end connections of its parent.
 */
#ifndef LIB_MEDIA_HTTP_POOL_H
#define LIB_MEDIA_HTTP_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/media/http/request.h"

struct ahead;
struct transfer;

/* Takes a handle that is idle, or makes one. */
struct transfer *http_pool_take(struct http_pool *pool, struct error *err);
/* Gives it back; with `is_broken` it is freed. */
void http_pool_give(
    struct http_pool *pool, struct transfer *transfer, bool is_broken);

/* Should a thread that waits end?  It was interrupted, or is hurried. */
bool http_pool_stops(const struct http_pool *pool);

/* Has the host of the URL answered this process before?  Notes that it did. */
bool http_pool_knows(const struct http_pool *pool, const char *url);
void http_pool_note(struct http_pool *pool, const char *url);
/* A random number in [0, 1). */
double http_pool_random(struct http_pool *pool);
/* Counts a request, and the bytes of its answer. */
void http_pool_count(struct http_pool *pool, uint64_t bytes);

/* The threads that read ahead, made at first use: ahead.h. */
struct ahead *http_pool_ahead(struct http_pool *pool, struct error *err);

#endif
