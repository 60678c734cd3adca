/* far_objects.c - see far_objects.h. */
#include "lib/measure/storage/far_objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/base/stop.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"

enum { LARGE_LEAST = 2 * FAR_WHOLE }; /* bytes; larger ones are large */

/* Takes over `url`, also on an error. */
static int add(struct far_object **list, size_t *count, size_t *capacity,
    const struct far_object *object, struct error *err)
{
	struct far_object *grown =
	    array_grow(*list, capacity, *count + 1, sizeof(*grown), err);

	if (!grown) {
		free(object->url);
		return -1;
	}
	*list = grown;
	grown[(*count)++] = *object;
	return 0;
}

static int add_object(
    struct far_objects *objects, char *url, uint64_t bytes, struct error *err)
{
	const struct far_object object = { .url = url, .bytes = bytes };

	if (!url)
		return -1;
	if (bytes > LARGE_LEAST)
		return add(&objects->large, &objects->large_count,
		    &objects->large_capacity, &object, err);
	if (bytes > 0 && bytes <= FAR_WHOLE)
		return add(&objects->small, &objects->small_count,
		    &objects->small_capacity, &object, err);
	free(url);
	return 0;
}

struct listing {
	const struct far_plan *plan;
	struct far_objects *objects;
	struct far_probe *probe;
	bool is_enough;
};

static int take(void *arg, const char *name, const struct medium_status *status,
    struct error *err)
{
	struct listing *listing = arg;
	struct far_probe *probe = listing->probe;

	if (probe->objects == FAR_LISTED) {
		listing->is_enough = probe->has_more = true;
		return -1;
	}
	probe->objects++;
	probe->object_bytes += status->bytes;
	if (stop_check(listing->plan->stop, err))
		return -1;
	return add_object(listing->objects,
	    path_join(listing->plan->url, name, err), status->bytes, err);
}

static void shuffle(
    struct far_object *list, size_t count, struct random *random)
{
	for (size_t i = count; i > 1; i--) {
		const size_t j = random_below(random, (uint32_t)i);
		const struct far_object kept = list[i - 1];

		list[i - 1] = list[j];
		list[j] = kept;
	}
}

/* Opening takes a request, which no row is to time. */
static int open_large(
    const struct far_plan *plan, struct far_objects *objects, struct error *err)
{
	char text[URL_TEXT];

	for (size_t i = 0; i < objects->large_count && i < FAR_OPEN_MOST; i++) {
		struct far_object *object = &objects->large[i];

		if (stop_check(plan->stop, err))
			return -1;
		object->file = medium_open(plan->medium, object->url, err);
		if (!object->file)
			return -1;
		object->bytes = medium_size(object->file);
		if (object->bytes <= LARGE_LEAST)
			return error_set(err, ERROR_DATA,
			    "%s: it has %" PRIu64 " bytes, and more were "
			    "listed; probe it when nothing writes to it",
			    url_text(object->url, text), object->bytes);
	}
	while (objects->large_count > FAR_OPEN_MOST)
		free(objects->large[--objects->large_count].url);
	return 0;
}

int far_objects_find(const struct far_plan *plan, struct far_objects *objects,
    struct far_probe *probe, struct error *err)
{
	struct random random = random_stream(plan->seed, 0, 0, 0);
	struct listing listing = {
		.plan = plan, .objects = objects, .probe = probe
	};
	struct medium_status status;
	char text[URL_TEXT];

	if (medium_get_status(plan->medium, plan->url, &status, err))
		return -1;
	if (status.kind == MEDIUM_FILE) {
		probe->objects = 1;
		probe->object_bytes = status.bytes;
		if (add_object(objects, strdup(plan->url), status.bytes, err))
			return -1;
	} else if (status.kind == MEDIUM_NOTHING) {
		return error_set(err, ERROR_USAGE, "there is nothing at %s",
		    url_text(plan->url, text));
	} else if (medium_list(plan->medium, plan->url, take, &listing, err) &&
	           !listing.is_enough) {
		return -1;
	}
	if (!objects->small_count && !objects->large_count)
		return error_set(err, ERROR_USAGE,
		    "no object at %s has bytes that can be read",
		    url_text(plan->url, text));
	shuffle(objects->small, objects->small_count, &random);
	shuffle(objects->large, objects->large_count, &random);
	return open_large(plan, objects, err);
}

static void release(struct far_object *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		medium_close(list[i].file);
		free(list[i].url);
	}
	free(list);
}

void far_objects_release(struct far_objects *objects)
{
	release(objects->small, objects->small_count);
	release(objects->large, objects->large_count);
	*objects = (struct far_objects){ .small = NULL };
}
