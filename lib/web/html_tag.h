/*
 * html_tag.h - what the elements of HTML are to a reader of the page, and what
 * the words that authors give as class or id say of them.
 */
#ifndef LIB_WEB_HTML_TAG_H
#define LIB_WEB_HTML_TAG_H

#include <stdbool.h>

enum html_role {
	HTML_INLINE,  /* part of a line; also what nobody knows */
	HTML_BREAK,   /* a new line */
	HTML_BOX,     /* holds paragraphs and other boxes */
	HTML_BLOCK,   /* a paragraph */
	HTML_HEADING, /* a paragraph that is a title */
	HTML_ITEM,    /* a box that is one of a list */
	HTML_LINK,
	HTML_PRE,    /* a paragraph of lines */
	HTML_ASIDE,  /* a box of what stands beside: navigation, forms ... */
	HTML_HIDDEN, /* not for reading: scripts, pictures, controls */
};

struct html_tag {
	char name[12];
	unsigned char role; /* enum html_role */
	signed char weight; /* how likely it holds the article, -25 to 25 */
};

struct html_word {
	const char *text; /* singular, lower case */
	int weight;
};

static inline bool html_is_box(unsigned role)
{
	return role == HTML_BOX || role == HTML_ITEM || role == HTML_ASIDE;
}

enum { HTML_TAG_SLOTS = 256 };

/* Both tables, by hash; made once by each who looks things up. */
struct html_tags {
	const struct html_tag *tags[HTML_TAG_SLOTS];
	const struct html_word *words[HTML_TAG_SLOTS];
};

void html_tags_init(struct html_tags *tags);
/* Never NULL: what is not known is inline.  `name` is lower case. */
const struct html_tag *html_tag_find(
    const struct html_tags *tags, const char *name);

/*
 * What the words of a class or id say: positive for the article, negative for
 * what stands around it, 0 nothing.  "post-body", "sidebarRight".
 */
int html_words_weight(const struct html_tags *tags, const char *words);
/* Does the style hide the element? */
bool html_style_hides(const char *style);

#endif
