/*
 * html_tag.h - the roles of HTML elements for a reader of the page, and the
 * meaning of common words in class and id.
 */
#ifndef LIB_WEB_HTML_TAG_H
#define LIB_WEB_HTML_TAG_H

#include <stdbool.h>

enum html_role {
	HTML_INLINE,  /* part of a line; also unknown elements */
	HTML_BREAK,   /* a line break */
	HTML_BOX,     /* contains paragraphs and boxes */
	HTML_BLOCK,   /* a paragraph */
	HTML_HEADING, /* a paragraph that is a heading */
	HTML_ITEM,    /* a box that is a list item */
	HTML_LINK,
	HTML_PRE,    /* a preformatted paragraph */
	HTML_ASIDE,  /* a box beside the content: navigation, forms ... */
	HTML_HIDDEN, /* invisible: scripts, pictures, controls */
};

struct html_tag {
	char name[12];
	unsigned char role; /* an enum html_role */
	signed char weight; /* how likely it contains the article, -25 to 25 */
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

/* Both tables, by hash; each user makes its own. */
struct html_tags {
	const struct html_tag *tags[HTML_TAG_SLOTS];
	const struct html_word *words[HTML_TAG_SLOTS];
};

void html_tags_init(struct html_tags *tags);
/* Never returns NULL: unknown elements are inline.  `name` is in lower case. */
const struct html_tag *html_tag_find(
    const struct html_tags *tags, const char *name);

/*
 * Rates the words of a class or id: positive for an article, negative for what
 * surrounds one, 0 otherwise.  Examples: "post-body", "sidebarRight".
 */
int html_words_weight(const struct html_tags *tags, const char *words);
/* Does the style hide the element? */
bool html_style_hides(const char *style);

#endif
