/* folder_set.c - see folder_set.h. */
#include "datasets/folders/folder_set.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/files/spread.h"
#include "lib/base/error.h"
#include "lib/files/path.h"

const char *folder_name(const struct folder_set *set, size_t sample)
{
	return listing_name(&set->listing, sample * set->fields);
}

struct span folder_key(const struct folder_set *set, size_t sample)
{
	return (struct span){
		.data = (const unsigned char *)folder_name(set, sample) +
		        set->samples[sample].key_at,
		.len = set->samples[sample].key_len,
	};
}

size_t folder_stem(const char *name)
{
	const char *dot = strrchr(path_base(name), '.');

	return dot && dot != path_base(name) ? (size_t)(dot - name)
	                                     : strlen(name);
}

int folder_select(struct folder_set *set, uint64_t limit, struct error *err)
{
	struct listing kept = LISTING_INIT;

	if (limit == 0 || limit >= set->count)
		return 0;
	for (size_t i = 0; i < limit; i++) {
		const size_t from = (size_t)spread(i, limit, set->count);

		for (unsigned f = 0; f < set->fields; f++) {
			const size_t file = from * set->fields + f;

			if (listing_add(&kept,
			        listing_name(&set->listing, file),
			        set->listing.files[file].bytes, err)) {
				listing_release(&kept);
				return -1;
			}
		}
		set->samples[i] = set->samples[from];
	}
	listing_release(&set->listing);
	set->listing = kept;
	set->count = (size_t)limit;
	return 0;
}

void folder_set_release(struct folder_set *set)
{
	listing_release(&set->listing);
	free(set->samples);
	classes_release(&set->classes);
	buf_release(&set->note);
	*set = (struct folder_set)FOLDER_SET_INIT;
}
