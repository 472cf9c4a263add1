#include "library_memory.h"

#include <cjson/cJSON.h>
#include <openssl/crypto.h>
#include <stdlib.h>

#include "common/xmalloc.h"

void library_memory_use_xmalloc(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){xmalloc, free});
    CRYPTO_set_mem_functions(xmalloc_at, xrealloc_at, xfree_at);
}
