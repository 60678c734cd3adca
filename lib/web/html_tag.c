/* html_tag.c - see html_tag.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/web/html_tag.h"

static const struct html_tag table[] = {
	{ "article", HTML_BOX, 15 },
	{ "aside", HTML_ASIDE, -25 },
	{ "address", HTML_BLOCK, -3 },
	{ "a", HTML_LINK, 0 },
	{ "audio", HTML_HIDDEN, 0 },
	{ "blockquote", HTML_BOX, 3 },
	{ "body", HTML_BOX, 0 },
	{ "br", HTML_BREAK, 0 },
	{ "button", HTML_HIDDEN, 0 },
	{ "canvas", HTML_HIDDEN, 0 },
	{ "caption", HTML_BLOCK, 0 },
	{ "center", HTML_BOX, 0 },
	{ "datalist", HTML_HIDDEN, 0 },
	{ "dd", HTML_ITEM, -3 },
	{ "details", HTML_BOX, 0 },
	{ "dialog", HTML_HIDDEN, 0 },
	{ "dir", HTML_BOX, -3 },
	{ "div", HTML_BOX, 5 },
	{ "dl", HTML_BOX, -3 },
	{ "dt", HTML_ITEM, -3 },
	{ "embed", HTML_HIDDEN, 0 },
	{ "fieldset", HTML_BOX, -3 },
	{ "figcaption", HTML_BLOCK, 0 },
	{ "figure", HTML_BOX, 0 },
	{ "footer", HTML_ASIDE, -25 },
	{ "form", HTML_ASIDE, -3 },
	{ "h1", HTML_HEADING, 0 },
	{ "h2", HTML_HEADING, 0 },
	{ "h3", HTML_HEADING, 0 },
	{ "h4", HTML_HEADING, 0 },
	{ "h5", HTML_HEADING, 0 },
	{ "h6", HTML_HEADING, 0 },
	{ "head", HTML_HIDDEN, 0 },
	{ "header", HTML_ASIDE, -25 },
	{ "hr", HTML_BREAK, 0 },
	{ "iframe", HTML_HIDDEN, 0 },
	{ "input", HTML_HIDDEN, 0 },
	{ "legend", HTML_BLOCK, 0 },
	{ "li", HTML_ITEM, -3 },
	{ "main", HTML_BOX, 15 },
	{ "map", HTML_HIDDEN, 0 },
	{ "math", HTML_HIDDEN, 0 },
	{ "menu", HTML_ASIDE, -25 },
	{ "nav", HTML_ASIDE, -25 },
	{ "noembed", HTML_HIDDEN, 0 },
	{ "noframes", HTML_HIDDEN, 0 },
	{ "noscript", HTML_HIDDEN, 0 },
	{ "object", HTML_HIDDEN, 0 },
	{ "ol", HTML_BOX, -3 },
	{ "option", HTML_HIDDEN, 0 },
	{ "p", HTML_BLOCK, 0 },
	{ "pre", HTML_PRE, 3 },
	{ "script", HTML_HIDDEN, 0 },
	{ "section", HTML_BOX, 5 },
	{ "select", HTML_HIDDEN, 0 },
	{ "style", HTML_HIDDEN, 0 },
	{ "summary", HTML_BLOCK, 0 },
	{ "svg", HTML_HIDDEN, 0 },
	{ "table", HTML_BOX, 0 },
	{ "tbody", HTML_BOX, 0 },
	{ "td", HTML_BOX, 3 },
	{ "template", HTML_HIDDEN, 0 },
	{ "textarea", HTML_HIDDEN, 0 },
	{ "th", HTML_BOX, -5 },
	{ "tfoot", HTML_BOX, 0 },
	{ "thead", HTML_BOX, 0 },
	{ "title", HTML_HIDDEN, 0 },
	{ "tr", HTML_BOX, 0 },
	{ "ul", HTML_BOX, -3 },
	{ "video", HTML_HIDDEN, 0 },
	{ "xmp", HTML_PRE, 0 },
};

static const struct html_tag other = { "", HTML_INLINE, 0 };

/* ---- classes and ids ---- */

/* Sorted, in the singular. */
static const struct html_word class_words[] = {
	{ "ad", -25 },
	{ "advert", -25 },
	{ "advertisement", -25 },
	{ "alert", -10 },
	{ "article", 25 },
	{ "author", -10 },
	{ "banner", -25 },
	{ "blog", 10 },
	{ "body", 15 },
	{ "breadcrumb", -25 },
	{ "byline", -15 },
	{ "combx", -25 },
	{ "comment", -25 },
	{ "content", 20 },
	{ "cookie", -25 },
	{ "copyright", -25 },
	{ "disqus", -25 },
	{ "entry", 20 },
	{ "feed", -10 },
	{ "foot", -25 },
	{ "footer", -25 },
	{ "gallery", -10 },
	{ "header", -10 },
	{ "login", -25 },
	{ "main", 15 },
	{ "masthead", -25 },
	{ "menu", -25 },
	{ "meta", -10 },
	{ "modal", -25 },
	{ "more", -10 },
	{ "nav", -25 },
	{ "navbar", -25 },
	{ "navigation", -25 },
	{ "newsletter", -25 },
	{ "outbrain", -25 },
	{ "page", 5 },
	{ "pager", -25 },
	{ "pagination", -25 },
	{ "popular", -20 },
	{ "popup", -25 },
	{ "post", 15 },
	{ "promo", -25 },
	{ "recommended", -25 },
	{ "related", -25 },
	{ "remark", -20 },
	{ "reply", -20 },
	{ "rss", -20 },
	{ "share", -25 },
	{ "sharing", -25 },
	{ "shoutbox", -25 },
	{ "sidebar", -25 },
	{ "signup", -25 },
	{ "social", -25 },
	{ "sponsor", -25 },
	{ "story", 15 },
	{ "subscribe", -25 },
	{ "tag", -10 },
	{ "taboola", -25 },
	{ "teaser", -15 },
	{ "text", 15 },
	{ "toolbar", -25 },
	{ "tool", -10 },
	{ "trending", -25 },
	{ "widget", -20 },
};

/* ---- lookup ---- */

enum { WORD_MOST = 15 }; /* letters of the longest known word */

static uint32_t hash_step(uint32_t hash, unsigned char letter)
{
	return (hash ^ letter) * 0x9e3779b1u;
}

static size_t slot_of(const char *name)
{
	uint32_t hash = 0;

	for (; *name; name++)
		hash = hash_step(hash, (unsigned char)*name);
	return hash >> 24;
}

void html_tags_init(struct html_tags *tags)
{
	memset(tags, 0, sizeof(*tags));
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		size_t slot = slot_of(table[i].name);

		while (tags->tags[slot])
			slot = (slot + 1) % HTML_TAG_SLOTS;
		tags->tags[slot] = &table[i];
	}
	for (size_t i = 0; i < ARRAY_LEN(class_words); i++) {
		size_t slot = slot_of(class_words[i].text);

		while (tags->words[slot])
			slot = (slot + 1) % HTML_TAG_SLOTS;
		tags->words[slot] = &class_words[i];
	}
}

const struct html_tag *html_tag_find(
    const struct html_tags *tags, const char *name)
{
	size_t slot = slot_of(name);

	for (; tags->tags[slot]; slot = (slot + 1) % HTML_TAG_SLOTS)
		if (strcmp(tags->tags[slot]->name, name) == 0)
			return tags->tags[slot];
	return &other;
}

static int word_weight(const struct html_tags *tags, char *word, size_t len)
{
	size_t slot;

	if (len > 3 && word[len - 1] == 's')
		len--;
	word[len] = '\0';
	slot = slot_of(word);
	for (; tags->words[slot]; slot = (slot + 1) % HTML_TAG_SLOTS)
		if (strcmp(tags->words[slot]->text, word) == 0)
			return tags->words[slot]->weight;
	return 0;
}

static bool is_large(unsigned char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_small(unsigned char c)
{
	return c >= 'a' && c <= 'z';
}

int html_words_weight(const struct html_tags *tags, const char *words)
{
	char word[WORD_MOST + 2];
	int weight = 0;
	size_t len = 0;
	bool small = false; /* was the letter before in lower case? */

	for (;; words++) {
		const unsigned char c = (unsigned char)*words;
		const bool large = is_large(c), letter = large || is_small(c);

		if (len && (!letter || (large && small))) {
			if (len > 1 && len <= WORD_MOST)
				weight += word_weight(tags, word, len);
			len = 0;
		}
		if (!c)
			return weight;
		if (letter && len <= WORD_MOST)
			word[len++] = (char)(large ? c + 32 : c);
		small = is_small(c);
	}
}

/* Returns the text after a colon and blanks; NULL if there is no colon. */
static const char *value_of(const char *at)
{
	static const char blanks[] = " \t\r\n\f";

	at += strspn(at, blanks);
	if (*at != ':')
		return NULL;
	return at + 1 + strspn(at + 1, blanks);
}

static bool style_has(const char *style, const char *name, const char *word)
{
	const size_t len = strlen(name);

	for (; *style; style++) {
		const char *value = strncasecmp(style, name, len) == 0
		                        ? value_of(style + len)
		                        : NULL;

		if (value && strncasecmp(value, word, strlen(word)) == 0)
			return true;
	}
	return false;
}

bool html_style_hides(const char *style)
{
	return style_has(style, "display", "none") ||
	       style_has(style, "visibility", "hidden");
}
