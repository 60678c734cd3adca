/*
 * lexicon.c - see lexicon.h.
 *
 * Words by rank: first the words below; then these with prefixes and suffixes;
 * then names made of syllables.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generators/lexicon.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	BUILT_END = 9000,          /* names begin at this rank */
	STEP_LEXICON = 0x6c657869, /* own random stream */
	SYLLABLES_MOST = 3,
};

/* The frequency of a word is (rank + shift) ^ -steepness (Zipf-Mandelbrot). */
static const double shift = 2.7, steepness = 1.08;

/* Roughly ordered by frequency. */
static const char *const lists[] = {
	"the of and to a in that is was it for on with as he be at by his had "
	"not are but from or have an they which one you were all her she there "
	"would their we him been has when who will no more if out so up said "
	"what its about than into them can only other time new some could "
	"these two may first then do any like my now over such our man me even "
	"most",
	"after also made many before must through years where much way well "
	"down should because each just state those people how too little good "
	"world make very year still see own work long here get both between "
	"life being under never day same another know while last might us "
	"great old off come since against go came right used take three",
	"house use during without place however home small found thought went "
	"say part once general high upon school every does got number left "
	"course war until always away something fact water though less public "
	"put think almost hand enough far took head yet better night end why "
	"find going look point city set system business group",
	"company report market price government minister country election "
	"party "
	"vote court law police case health hospital doctor study research "
	"science team game season player coach win league film music book "
	"story writer reader news paper photo video phone network computer "
	"software service customer product design model machine engine energy",
	"river mountain forest coast island village street bridge station "
	"garden window kitchen table letter money bank budget loan tax trade "
	"share profit growth cost rate plan project deal offer order "
	"agreement meeting member leader worker union office staff council "
	"region border army officer attack defence peace treaty crisis rescue",
	"open close build break bring call change check claim clear cover "
	"cross "
	"draw drive drop eat enter fall feel fight fill follow force form "
	"gather give grow hear help hold hope hunt join jump keep land laugh "
	"lead learn leave lift listen live move need note pass pay pick play "
	"press pull push raise reach read rest return ride ring rise roll run",
	"sail save search sell send serve shape shift show sing sleep speak "
	"spend stand start stay step stop talk teach tell test touch train "
	"travel treat trust try turn view visit wait walk want warn wash watch "
	"wear wish wonder write young early late large short strong weak rich "
	"poor warm cold bright dark quick slow quiet loud fresh simple modern",
	"local foreign private official recent final major minor central "
	"northern southern eastern western human social natural common special "
	"serious popular certain likely ready able free full empty heavy light "
	"deep wide narrow sharp soft hard rough smooth clean green black white "
	"yellow silver golden wooden broken hidden sudden gentle careful",
};

static const char *const endings[] = {
	"s",
	"s",
	"s",
	"ed",
	"ed",
	"ing",
	"ing",
	"er",
	"ers",
	"ly",
	"ness",
	"able",
	"ment",
	"ful",
	"less",
};

static const char *const beginnings[] = {
	"",
	"",
	"",
	"",
	"",
	"",
	"",
	"re",
	"un",
	"over",
};

static const char *const heads[] = {
	"b",
	"br",
	"c",
	"ch",
	"d",
	"f",
	"g",
	"gr",
	"h",
	"j",
	"k",
	"l",
	"m",
	"n",
	"p",
	"r",
	"s",
	"st",
	"t",
	"th",
	"v",
	"w",
};
static const char *const hearts[] = {
	"a",
	"e",
	"i",
	"o",
	"u",
	"ai",
	"ea",
	"o",
	"a",
	"e",
};
static const char *const tails[] = {
	"",
	"",
	"n",
	"r",
	"l",
	"s",
	"nd",
	"ck",
	"rt",
	"m",
};

struct lexicon {
	struct buf letters;
	size_t starts[LEXICON_WORDS + 1];
	double below[LEXICON_WORDS + 1]; /* total frequency of lower ranks */
};

#define PICK(table, random) \
	((table)[random_below((random), (uint32_t)ARRAY_LEN(table))])

static int add(struct lexicon *lexicon, const char *text, struct error *err)
{
	return buf_append(&lexicon->letters, text, strlen(text), err);
}

/* Adds the words of the lists; returns their number, or 0. */
static uint32_t add_listed(struct lexicon *lexicon, struct error *err)
{
	uint32_t rank = 0;

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (const char *at = lists[i]; *at; rank++) {
			const size_t len = strcspn(at, " ");

			lexicon->starts[rank] = lexicon->letters.len;
			if (buf_append(&lexicon->letters, at, len, err))
				return 0;
			at += len + strspn(at + len, " ");
		}
	return rank;
}

/* Adds a listed word, but no very common one, with a prefix or suffix. */
static int add_built(struct lexicon *lexicon, uint32_t listed,
    struct random *random, struct error *err)
{
	const uint32_t stem =
	    LEXICON_COMMON + random_below(random, listed - LEXICON_COMMON);
	unsigned char text[64];
	struct span word;

	if (add(lexicon, PICK(beginnings, random), err))
		return -1;
	word = lexicon_word(lexicon, stem);
	if (word.len > sizeof(text))
		word.len = sizeof(text);
	/* copied, since appending may move the letters */
	memcpy(text, word.data, word.len);
	if (buf_append(&lexicon->letters, text, word.len, err))
		return -1;
	return add(lexicon, PICK(endings, random), err);
}

static int add_name(
    struct lexicon *lexicon, struct random *random, struct error *err)
{
	const size_t start = lexicon->letters.len;
	const uint32_t syllables = 1 + random_below(random, SYLLABLES_MOST);
	unsigned char *first;

	for (uint32_t i = 0; i < syllables; i++)
		if (add(lexicon, PICK(heads, random), err) ||
		    add(lexicon, PICK(hearts, random), err) ||
		    add(lexicon, PICK(tails, random), err))
			return -1;
	first = lexicon->letters.data + start;
	*first = (unsigned char)toupper(*first);
	return 0;
}

static int fill(struct lexicon *lexicon, struct error *err)
{
	struct random random = random_stream(0, 0, 0, STEP_LEXICON);
	const uint32_t listed = add_listed(lexicon, err);

	if (!listed)
		return -1;
	for (uint32_t rank = listed; rank < LEXICON_WORDS; rank++) {
		lexicon->starts[rank] = lexicon->letters.len;
		if (rank < BUILT_END ? add_built(lexicon, listed, &random, err)
		                     : add_name(lexicon, &random, err))
			return -1;
	}
	lexicon->starts[LEXICON_WORDS] = lexicon->letters.len;
	for (uint32_t rank = 0; rank < LEXICON_WORDS; rank++)
		lexicon->below[rank + 1] =
		    lexicon->below[rank] + pow(rank + 1 + shift, -steepness);
	return 0;
}

struct lexicon *lexicon_new(struct error *err)
{
	struct lexicon *lexicon = memory_zeroed(sizeof(*lexicon), err);

	if (!lexicon)
		return NULL;
	if (fill(lexicon, err)) {
		lexicon_free(lexicon);
		return NULL;
	}
	return lexicon;
}

void lexicon_free(struct lexicon *lexicon)
{
	if (lexicon)
		buf_release(&lexicon->letters);
	free(lexicon);
}

struct span lexicon_word(const struct lexicon *lexicon, uint32_t rank)
{
	const size_t start = lexicon->starts[rank];
	const struct span word = {
		.data = lexicon->letters.data + start,
		.len = lexicon->starts[rank + 1] - start,
	};

	return word;
}

uint32_t lexicon_draw(
    const struct lexicon *lexicon, uint32_t first, struct random *random)
{
	const double *below = lexicon->below;
	const double rest = below[LEXICON_WORDS] - below[first];
	const double wanted = below[first] + random_unit(random) * rest;
	uint32_t low = first, high = LEXICON_WORDS;

	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;

		if (below[middle] <= wanted)
			low = middle;
		else
			high = middle;
	}
	return low;
}
