/*
 * What a process that reads what strangers wrote may still do. A bot that was taken over by its
 * input can then harm nothing but its own games.
 */
#ifndef LUDUS_CONFINE_H
#define LUDUS_CONFINE_H

#include <stdbool.h>

/* From now on this process, with all of its threads, opens no file, runs no program, makes no
 * process, signals and traces nobody, and connects by TCP and UDP at most; it has a gigabyte of
 * memory, and other processes come first. What is open stays so. For good. False where the
 * system knows no such filter: then only the limits hold, and with AddressSanitizer, which reads
 * files as it ends, nothing. */
bool confine_process(void);

#endif
