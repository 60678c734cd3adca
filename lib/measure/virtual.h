/*
 * virtual.h - is this a virtual machine? Its host may keep data in memory that
 * was dropped here.
 *
 * A container is no virtual machine: it shares kernel and memory with its host.
 */
#ifndef LIB_MEASURE_VIRTUAL_H
#define LIB_MEASURE_VIRTUAL_H

enum { VIRTUAL_TEXT = 32 };

/*
 * Writes "KVM", "VMware", ...; "virtual machine" when the kind is unknown; ""
 * on a physical machine, or when nothing tells. `root` goes before the paths.
 */
void virtual_name(const char *root, char name[VIRTUAL_TEXT]);

#endif
