/*
 * cpu.h - functions compiled twice, for every processor of the architecture and
 * for those with AVX2; the choice is made at run time.
 *
 * Write the body once, as CPU_BODY.  Call it from a function marked CPU_AVX2,
 * and directly where cpu_has_avx2() is false.  Compilers turn loops over a
 * constant number of elements into vector instructions.
 */
#ifndef LIB_BASE_CPU_H
#define LIB_BASE_CPU_H

#include <stdbool.h>

#define CPU_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define CPU_AVX2 __attribute__((target("avx2")))
static inline bool cpu_has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

/* Where registers of 64 bytes pay.  A processor with AVX-512 has AVX2, too. */
#define CPU_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
static inline bool cpu_has_avx512(void)
{
	return __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl");
}

/*
 * Are gather instructions fast here?  On processors without bfloat16 they are
 * not: microcode against data sampling attacks slows them down.
 */
static inline bool cpu_gathers(void)
{
	return cpu_has_avx512() && __builtin_cpu_supports("avx512bf16");
}
/*
 * Are stores that bypass the caches (non-temporal ones) the fastest way to fill
 * much memory?  On processors of Intel a core has few buffers for them:
 * ordinary stores behind prefetches wrote up to twice as much, see copy.h.
 */
static inline bool cpu_streams(void)
{
	return !__builtin_cpu_is("intel");
}
/*
 * Do some MB that a core has just copied stay in caches near it?  On a Xeon
 * with an L2 of 1 MiB they did not: steps that computed with such copies took
 * up to 1.4 times as long as with mappings.
 */
static inline bool cpu_keeps_copies(void)
{
	return !__builtin_cpu_is("intel");
}
#else
#define CPU_AVX2
#define CPU_AVX512
static inline bool cpu_has_avx2(void)
{
	return false;
}

static inline bool cpu_has_avx512(void)
{
	return false;
}

static inline bool cpu_gathers(void)
{
	return false;
}

static inline bool cpu_keeps_copies(void)
{
	return true; /* not measured */
}
#endif

#endif
