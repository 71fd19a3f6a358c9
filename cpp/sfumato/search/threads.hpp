// Work that several threads do at once.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sfumato {

/// Calls work(0), work(1), … at once, one of them in this thread, and waits for all. If one throws, `stop` has to make
/// the others end, and what it threw is thrown here. Where there are not enough threads to be had, fewer must do.
template <class Work, class Stop>
void run_at_once(std::size_t threads, Work work, Stop stop) {
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&](std::size_t number) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      stop();
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t number = 1; number < threads; ++number) others.emplace_back(run, number);
  } catch (const std::system_error&) {  // no more to be had
  }
  run(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sfumato
