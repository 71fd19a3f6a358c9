// Memory that is read soon is asked for before: what comes next is mostly known, but lies anywhere.
#pragma once

namespace sfumato {

inline void fetch_soon([[maybe_unused]] const void* at) {
#ifdef __GNUC__
  __builtin_prefetch(at);
#endif
}

}  // namespace sfumato
