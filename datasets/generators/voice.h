/*
 * voice.h - something like a voice that reads: pulses of a throat through
 * three formants that move from vowel to vowel, hisses, and pauses; over the
 * noise of a room.  It says nothing, but has pitch, spectrum and pauses as
 * speech has them.
 */
#ifndef DATASETS_GENERATORS_VOICE_H
#define DATASETS_GENERATORS_VOICE_H

#include <stddef.h>
#include <stdint.h>

struct random;

/* `frames` of one channel; who speaks, and how, is drawn from `random`. */
void voice_speak(
    struct random *random, unsigned rate, int16_t *out, size_t frames);

#endif
