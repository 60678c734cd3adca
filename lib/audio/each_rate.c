/* each_rate.c - see each_rate.h. */
#include "lib/audio/each_rate.h"

void *each_rate_find(const struct each_rate *rates, unsigned hertz)
{
	for (size_t i = 0; i < EACH_RATE_KEPT; i++)
		if (rates->kept[i].made && rates->kept[i].hertz == hertz)
			return rates->kept[i].made;
	return NULL;
}

void each_rate_put(struct each_rate *rates, unsigned hertz, void *made,
    void (*release)(void *made))
{
	const size_t at = rates->next;

	if (rates->kept[at].made)
		release(rates->kept[at].made);
	rates->kept[at].hertz = hertz;
	rates->kept[at].made = made;
	rates->next = (at + 1) % EACH_RATE_KEPT;
}

void each_rate_release(struct each_rate *rates, void (*release)(void *made))
{
	for (size_t i = 0; i < EACH_RATE_KEPT; i++)
		if (rates->kept[i].made)
			release(rates->kept[i].made);
	*rates = (struct each_rate){ .next = 0 };
}
