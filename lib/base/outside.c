/* outside.c - see outside.h. */
#include "lib/base/outside.h"

#include <stdatomic.h>

/* Clocks: there is one process, as for the kernel's. */
static _Thread_local uint64_t thread_ns;
static atomic_uint_fast64_t all_user_ns, all_system_ns, running_ns;

static uint64_t read_sum(atomic_uint_fast64_t *sum)
{
	return atomic_load_explicit(sum, memory_order_relaxed);
}

static void add(atomic_uint_fast64_t *sum, uint64_t ns)
{
	atomic_fetch_add_explicit(sum, ns, memory_order_relaxed);
}

void outside_add(uint64_t user_ns, uint64_t system_ns)
{
	thread_ns += user_ns + system_ns;
	add(&all_user_ns, user_ns);
	add(&all_system_ns, system_ns);
}

void outside_lend(uint64_t ns)
{
	thread_ns += ns;
}

uint64_t outside_thread_ns(void)
{
	return thread_ns;
}

void outside_read(uint64_t *user_ns, uint64_t *system_ns)
{
	*user_ns = read_sum(&all_user_ns);
	*system_ns = read_sum(&all_system_ns);
}

void outside_change_running(int64_t ns)
{
	add(&running_ns, (uint64_t)ns);
}

uint64_t outside_running_ns(void)
{
	return read_sum(&running_ns);
}
