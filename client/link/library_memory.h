/* Memory of the libraries: cJSON and OpenSSL end the program when there is none (common/xmalloc.h).
 */
#ifndef LUDUS_LIBRARY_MEMORY_H
#define LUDUS_LIBRARY_MEMORY_H

/* Call it first in main(): OpenSSL refuses once it has allocated anything. */
void library_memory_use_xmalloc(void);

#endif
