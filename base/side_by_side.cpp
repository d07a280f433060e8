#include "base/side_by_side.h"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace rv {

void side_by_side(std::size_t threads, const std::function<void()>& work) {
  std::atomic_flag failed;
  std::exception_ptr thrown;  // of the first that failed; read when all are back
  const auto call = [&] {
    try {
      work();
    } catch (...) {
      if (!failed.test_and_set()) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads) others.emplace_back(call);
  } catch (const std::exception&) {
    // A user may have so many processes and no more: those that there are do it.
  }
  call();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace rv
