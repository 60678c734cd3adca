/* vocabulary.c - see vocabulary.h. */
#include <stdlib.h>

#include "datasets/generator.h"
#include "datasets/generators/article.h"
#include "datasets/generators/lexicon.h"
#include "datasets/generators/vocabulary.h"
#include "lib/base/bytes.h"
#include "lib/files/path.h"
#include "lib/steps/step.h"
#include "lib/tokens/bpe_train.h"

bool vocabulary_is_possible(void)
{
	return !step_find("bpe")->needs;
}

static int add_articles(struct bpe_trainer *trainer,
    const struct generate_plan *plan, struct error *err)
{
	struct lexicon *lexicon = lexicon_new(err);
	struct buf text = BUF_INIT;
	int rc = lexicon ? 0 : -1;

	for (uint64_t i = 0;
	     rc == 0 && i < plan->count && i < VOCABULARY_ARTICLES; i++) {
		text.len = 0;
		rc = article_text(lexicon, plan->seed, i, &text, err);
		if (rc == 0)
			rc = bpe_trainer_add(trainer, buf_span(&text), err);
	}
	buf_release(&text);
	lexicon_free(lexicon);
	return rc;
}

int vocabulary_learn(
    const struct generate_plan *plan, uint32_t *tokens, struct error *err)
{
	struct bpe_trainer *trainer = bpe_trainer_new(err);
	char *dir = path_join(plan->dir, "vocab", err);
	int rc = -1;

	if (trainer && dir && add_articles(trainer, plan, err) == 0 &&
	    bpe_trainer_run(trainer, VOCABULARY_TOKENS, tokens, err) == 0)
		rc = bpe_trainer_write(trainer, dir, err);
	free(dir);
	bpe_trainer_free(trainer);
	return rc;
}
