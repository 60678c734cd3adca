/*
 * rough.h - figures of a forecast, to two digits: they are not known better.
 */
#ifndef CMD_ROUGH_H
#define CMD_ROUGH_H

#include "lib/base/units.h"

double rough(double number);
/* "34.0 ms" as "34 ms", and "2.20 s" as "2.2 s"; returns `text`. */
const char *rough_time(double seconds, char text[UNITS_TEXT]);

#endif
