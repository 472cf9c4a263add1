/* The ports where servers listen and clients connect unless told otherwise. */
#ifndef LUDUS_PORTS_H
#define LUDUS_PORTS_H

enum { DEFAULT_PORT = 7117, DEFAULT_TLS_PORT = 7118 };

#define DEFAULT_PORT_TEXT     "7117"
#define DEFAULT_TLS_PORT_TEXT "7118"

#endif
