/* rough.c - see rough.h. */
#include "cmd/rough.h"

#include <math.h>
#include <string.h>

double rough(double number)
{
	const double unit = number > 0 ? pow(10, floor(log10(number)) - 1) : 1;

	return round(number / unit) * unit;
}

const char *rough_time(double seconds, char text[UNITS_TEXT])
{
	char *point, *end;

	units_time(rough(seconds), text);
	point = strchr(text, '.');
	end = point ? strchr(point, ' ') : NULL;
	if (end && end[-1] == '0') {
		char *at = end - 1 - (end - 2 == point);

		memmove(at, end, strlen(end) + 1);
	}
	return text;
}
