/* advice_words.h - writes the sentences of an advice. */
#ifndef STRATEGIES_DECIDE_ADVICE_WORDS_H
#define STRATEGIES_DECIDE_ADVICE_WORDS_H

struct advice;
struct ranking;
struct request;

/* Writes `reason`, `nothing`, `open` and `unread_words`; all else is set. */
void advice_say(struct advice *advice, const struct ranking *ranking,
    const struct request *request);

#endif
