/*
 * bare_chain.h - the limit of loading samples from files: the pipeline's own
 * chain of fused steps in a plain loop a thread. The loop knows the place of
 * each sample, reads it, and has the chain write to a slot of a batch. It has
 * no queues, no fetchers, no parsing and no checksums, and it delivers nothing.
 *
 * The loop comes in several forms, and the fastest one is the limit:
 *
 *   read      pread() of a sample, or of several small ones, into one buffer,
 *             which stays in the caches of the core
 *   map       a mapping of 16 MiB, whose pages are faulted in where the chain
 *             reads them
 *   touch     the same, with all pages faulted in before
 *   fill      pread() into the batch; only where there are no steps
 *
 * All but the last come in two kinds: the chain writes to the batch past the
 * caches, or through them, "/cached".
 *
 * Each pass over a file opens it, and maps it, anew: a file that stays mapped
 * cannot be dropped from the page cache, and a loader of many files cannot keep
 * them all. Threads take runs of neighbouring samples in turn.
 */
#ifndef TEST_BENCH_BARE_CHAIN_H
#define TEST_BENCH_BARE_CHAIN_H

struct bare_chain;
struct data;
struct places;

/*
 * Both are borrowed. Batches are of `batch` samples. Runs all forms, on the
 * cores that the caller may use, to choose the fastest.
 */
struct bare_chain *bare_chain_new(const struct data *data,
    const struct places *places, unsigned threads, unsigned batch);
void bare_chain_free(struct bare_chain *bare);

/* The name of the chosen form. */
const char *bare_chain_form(const struct bare_chain *bare);

/* For bench_side: so many times all samples, counted, or as bytes of files. */
double bare_chain_samples(void *bare, unsigned times);
double bare_chain_bytes(void *bare, unsigned times);

#endif
