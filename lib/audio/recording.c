/* recording.c - see recording.h. */
#include "lib/audio/recording.h"
#include "lib/audio/rate.h"
#include "lib/base/error.h"

int recording_bind(struct recording *recording, const struct schema *schema,
    unsigned fields, unsigned hertz, struct error *err)
{
	unsigned field = 0;

	if (fields & (fields - 1))
		return error_set(
		    err, ERROR_USAGE, "works on one field, not on several");
	while (!(fields & (1u << field)))
		field++;
	*recording = (struct recording){
		.field = field,
		.rate_field = audio_rate_field(schema),
		.hertz = hertz,
	};
	if (recording->rate_field >= 0 && hertz)
		return error_set(err, ERROR_USAGE,
		    "the field '" AUDIO_RATE
		    "' has the sample rate: leave rate=%u out",
		    hertz);
	return 0;
}

bool recording_has_rate(const struct recording *recording)
{
	return recording->rate_field >= 0 || recording->hertz;
}

int recording_rate(const struct recording *recording,
    const struct sample *sample, unsigned *hertz, struct error *err)
{
	*hertz = recording->hertz;
	if (recording->rate_field < 0)
		return 0;
	return audio_rate_get(
	    &sample->fields[recording->rate_field], hertz, err);
}
