/*
 * read.c - reads a dataset once: its samples, and the sum of all elements of
 * its first field.
 *
 *	cc -std=c17 read.c -o read $(pkg-config --cflags --libs presto)
 *	./read DIR
 *
 * DIR is a folder that presto materialize wrote, or a pipeline file.
 */
#include <math.h>
#include <presto.h>
#include <stdio.h>

/* The sum of the elements; nan for types that this example does not know. */
static double sum_of(const struct presto_tensor *x)
{
	const uint8_t *bytes = x->data;
	const float *floats = x->data;
	double sum = 0;

	if (x->type.dtype == PRESTO_U8)
		for (size_t i = 0; i < x->bytes; i++)
			sum += bytes[i];
	else if (x->type.dtype == PRESTO_F32)
		for (size_t i = 0; i < x->bytes / sizeof(float); i++)
			sum += floats[i];
	else
		sum = NAN;
	return sum;
}

int main(int argc, char **argv)
{
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_error err;
	struct presto_dataset *data =
	    presto_open(argc > 1 ? argv[1] : ".", NULL, &err);
	struct presto_loader *loader =
	    data ? presto_loader_new(data, &options, &err) : NULL;
	struct presto_batch *batch;
	struct presto_tensor x;
	double samples = 0, sum = 0;
	int got = -1;

	while (loader && (got = presto_loader_next(loader, &batch, &err)) > 0) {
		for (size_t i = 0; i < presto_batch_samples(batch); i++)
			if (presto_batch_sample(batch, i, 0, &x) == 0)
				sum += sum_of(&x);
		samples += (double)presto_batch_samples(batch);
		presto_batch_free(batch);
	}
	if (got < 0)
		fprintf(stderr, "%s\n", err.text);
	else
		printf("%.0f samples, sum %.0f\n", samples, sum);
	presto_loader_free(loader);
	presto_close(data);
	return got < 0;
}
