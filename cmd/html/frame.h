/*
 * frame.h - what every page of HTML begins and ends with: it needs nothing
 * else, and may load nothing.
 */
#ifndef CMD_HTML_FRAME_H
#define CMD_HTML_FRAME_H

#include <stdio.h>

/* As far as <body>. */
void frame_begin(const char *title, FILE *out);
/* The footer, the script (NULL: none), and the end of the document. */
void frame_end(const char *foot, const char *script, FILE *out);

#endif
