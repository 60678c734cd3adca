/* fork_lock.c - see fork_lock.h. */
#include "lib/media/backends/fork_lock.h"

#include <sched.h>
#include <unistd.h>

static uint_fast64_t self(void)
{
	return 2 * (uint_fast64_t)getpid();
}

void fork_lock_init(struct fork_lock *lock)
{
	pthread_mutex_init(&lock->mutex, NULL);
	atomic_init(&lock->owner, self());
}

/* Makes the mutex anew, and holds it; false: another thread does so. */
static bool adopt(struct fork_lock *lock, uint_fast64_t owner)
{
	const uint_fast64_t me = self();

	if (owner == me + 1 ||
	    !atomic_compare_exchange_strong(&lock->owner, &owner, me + 1))
		return false;
	pthread_mutex_init(&lock->mutex, NULL);
	pthread_mutex_lock(&lock->mutex);
	atomic_store_explicit(&lock->owner, me, memory_order_release);
	return true;
}

bool fork_lock_take(struct fork_lock *lock)
{
	const uint_fast64_t me = self();
	uint_fast64_t owner;

	while ((owner = atomic_load_explicit(
	            &lock->owner, memory_order_acquire)) != me) {
		if (adopt(lock, owner))
			return true;
		sched_yield();
	}
	pthread_mutex_lock(&lock->mutex);
	return false;
}

void fork_lock_give(struct fork_lock *lock)
{
	pthread_mutex_unlock(&lock->mutex);
}

void fork_lock_destroy(struct fork_lock *lock)
{
	/* The mutex of a parent may be held for ever. */
	if (atomic_load(&lock->owner) == self())
		pthread_mutex_destroy(&lock->mutex);
}
