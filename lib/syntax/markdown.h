/*
 * markdown.h - text within Markdown that readers take for nothing else.
 */
#ifndef LIB_SYNTAX_MARKDOWN_H
#define LIB_SYNTAX_MARKDOWN_H

struct buf;
struct error;

/* Appends a code span, made harmless (printable.h): a text to be copied. */
int markdown_code(struct buf *out, const char *text, struct error *err);

#endif
