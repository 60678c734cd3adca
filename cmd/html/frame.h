/*
 * frame.h - the beginning and the end of each HTML page.  A page needs no other
 * file, and its policy forbids loading any.
 */
#ifndef CMD_HTML_FRAME_H
#define CMD_HTML_FRAME_H

#include <stdio.h>

/* Writes everything up to <body>. */
void frame_begin(const char *title, FILE *out);
/* Writes the footer, the script (NULL: none), and the end of the document. */
void frame_end(const char *foot, const char *script, FILE *out);

#endif
