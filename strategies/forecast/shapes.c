/* shapes.c - see shapes.h. */
#include "strategies/forecast/shapes.h"

void shapes_note(struct shapes *shapes, const struct sample *sample)
{
	for (unsigned f = 0; f < sample->count && !shapes->differ; f++) {
		const struct shape *shape = &sample->fields[f].shape;

		if (!shapes->seen) {
			shapes->first[f] = *shape;
		} else if (!shape_equal(&shapes->first[f], shape)) {
			shapes->differ = true;
			shapes->field = f;
			shapes->other = *shape;
		}
	}
	shapes->seen = true;
}
