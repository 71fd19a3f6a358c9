// Loops over vectors: the loader picks the widest that the machine has.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define SFUMATO_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SFUMATO_WIDE
#endif
