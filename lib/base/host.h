/* host.h - the name of this machine. */
#ifndef LIB_BASE_HOST_H
#define LIB_BASE_HOST_H

enum { HOST_NAME = 256 };

/* Terminated, and cut where it is longer; "" if the system does not tell. */
void host_name(char name[HOST_NAME]);

#endif
