/*
 * voice.h - makes sounds like a voice that reads: pulses of a throat through
 * three formants that move from vowel to vowel, hisses and pauses, over the
 * noise of a room. It has the pitch, spectrum and pauses of speech.
 */
#ifndef DATASETS_GENERATORS_VOICE_H
#define DATASETS_GENERATORS_VOICE_H

#include <stddef.h>
#include <stdint.h>

struct random;

/* Writes `frames` samples of one channel; `random` decides everything. */
void voice_speak(
    struct random *random, unsigned rate, int16_t *out, size_t frames);

#endif
