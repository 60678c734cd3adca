/*
 * html.h - text that goes into HTML or SVG: the one place where it is escaped.
 *
 * Markup is written with fputs; what comes from a database, a file or a user
 * never is, but goes through here, into elements and quoted attributes alike.
 */
#ifndef CMD_HTML_HTML_H
#define CMD_HTML_HTML_H

#include <stdio.h>

/*
 * Writes the text with & < > " and ' as references, and made harmless
 * (lib/base/printable): so it holds no character that XML forbids.  Newlines
 * and tabs stay.
 */
void html_text(const char *text, FILE *out);
void html_textf(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "<TAG>text</TAG>"; tag may have attributes: "p class=\"soft\"". */
void html_element(const char *tag, const char *text, FILE *out);
/* An item of a list of terms; its name is an attribute, too, for the style. */
void html_term(const char *name, const char *text, FILE *out);

#endif
