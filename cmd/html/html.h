/*
 * html.h - escapes text for HTML and SVG; nothing else does.
 *
 * Markup is written with fputs.  Text from a database, a file or a user goes
 * through these functions, both in elements and in quoted attributes.
 */
#ifndef CMD_HTML_HTML_H
#define CMD_HTML_HTML_H

#include <stdio.h>

/*
 * Writes the text with references for & < > " and ', and makes it harmless
 * (lib/base/printable), so it contains no character that XML forbids.  Newlines
 * and tabs stay.
 */
void html_text(const char *text, FILE *out);
void html_textf(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes "<TAG>text</TAG>"; tag may include attributes: "p class=\"soft\"". */
void html_element(const char *tag, const char *text, FILE *out);
/* Writes an item of a definition list; its name is an attribute, too. */
void html_term(const char *name, const char *text, FILE *out);

#endif
