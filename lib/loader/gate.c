/* gate.c - see gate.h. */
#include "lib/loader/gate.h"

void gate_init(struct gate *gate, pthread_mutex_t *lock)
{
	*gate = (struct gate){ .lock = lock };
	pthread_cond_init(&gate->changed, NULL);
}

void gate_release(struct gate *gate)
{
	pthread_cond_destroy(&gate->changed);
}

bool gate_pass(struct gate *gate, uint64_t *seen)
{
	bool is_closed;

	pthread_mutex_lock(gate->lock);
	while (!gate->is_closed && gate->opened == *seen)
		pthread_cond_wait(&gate->changed, gate->lock);
	*seen = gate->opened;
	is_closed = gate->is_closed;
	pthread_mutex_unlock(gate->lock);
	return !is_closed;
}

void gate_open(struct gate *gate)
{
	gate->opened++;
	pthread_cond_broadcast(&gate->changed);
}

void gate_close(struct gate *gate)
{
	pthread_mutex_lock(gate->lock);
	gate->is_closed = true;
	pthread_cond_broadcast(&gate->changed);
	pthread_mutex_unlock(gate->lock);
}
