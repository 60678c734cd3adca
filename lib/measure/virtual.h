/*
 * virtual.h - is this a virtual machine?  Its host may keep in its own memory
 * what was dropped here.
 *
 * A container is none: it shares the kernel, and its memory, with its host.
 */
#ifndef LIB_MEASURE_VIRTUAL_H
#define LIB_MEASURE_VIRTUAL_H

enum { VIRTUAL_TEXT = 32 };

/*
 * "KVM", "VMware", ...; "virtual machine" when its kind is not known; "" when
 * it is none, or nothing tells.  `root` is put in front of /proc and /sys.
 */
void virtual_name(const char *root, char name[VIRTUAL_TEXT]);

#endif
