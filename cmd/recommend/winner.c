/* winner.c - see recommend.h: the name alone. */
#include <stdio.h>

#include "cmd/recommend/parts.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/evidence.h"
#include "strategies/decide/rank.h"

int recommend_default(const struct evidence *evidence,
    char label[RESULTS_LABEL], struct error *err)
{
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	int rc;

	request.session = evidence->session;
	evidence_complete(evidence, &request);
	rc = ranking_make(&ranking, &evidence->figures, &request, err);
	if (rc == 0)
		snprintf(
		    label, RESULTS_LABEL, "%s", ranking.list[0].trial.strategy);
	ranking_release(&ranking);
	return rc;
}

int recommend_winner(struct results *results, int64_t session,
    char label[RESULTS_LABEL], struct error *err)
{
	struct evidence evidence = EVIDENCE_INIT;
	int rc = evidence_from_results(&evidence, results, session, err);

	if (rc == 0)
		rc = recommend_default(&evidence, label, err);
	evidence_release(&evidence);
	return rc;
}
