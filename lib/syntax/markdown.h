/* markdown.h - quotes text so that it has no effect in Markdown. */
#ifndef LIB_SYNTAX_MARKDOWN_H
#define LIB_SYNTAX_MARKDOWN_H

struct buf;
struct error;

/* Appends the text as a code span, made harmless (printable.h). */
int markdown_code(struct buf *out, const char *text, struct error *err);

#endif
