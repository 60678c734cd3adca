/* winner.c - see recommend.h: the name alone. */
#include <stdio.h>

#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/session_data.h"
#include "strategies/decide/rank.h"

int recommend_default(const struct session_data *data,
    char label[RESULTS_LABEL], struct error *err)
{
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	int rc;

	request.session = data->session;
	session_data_complete(data, &request);
	rc = ranking_make(&ranking, &data->figures, &request, err);
	if (rc == 0)
		snprintf(
		    label, RESULTS_LABEL, "%s", ranking.list[0].trial.strategy);
	ranking_release(&ranking);
	return rc;
}

int recommend_winner(struct results *results, int64_t session,
    char label[RESULTS_LABEL], struct error *err)
{
	struct session_data data = SESSION_DATA_INIT;
	int rc = session_data_from_results(&data, results, session, err);

	if (rc == 0)
		rc = recommend_default(&data, label, err);
	session_data_release(&data);
	return rc;
}
