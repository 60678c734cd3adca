/*
 * copy.h - copying what is not looked at soon, past the processor's caches.
 */
#ifndef LIB_BASE_COPY_H
#define LIB_BASE_COPY_H

#include <stddef.h>

/*
 * As memcpy.  An ordinary copy first reads what it overwrites, and drives out
 * of the caches what is worked on; this one does neither.  For 32 KiB or more
 * that go into memory which is larger than the caches.
 */
void copy_past_caches(void *to, const void *from, size_t bytes);

/* Who is told of what was written past the caches finds it, from here on. */
void copy_settle(void);

#endif
