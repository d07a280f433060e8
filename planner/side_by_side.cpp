#include "planner/side_by_side.h"

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rv::planner {

void side_by_side(std::size_t threads, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto call = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads) others.emplace_back(call);
  } catch (const std::system_error&) {
    // A user may have so many processes and no more: those that there are do it.
  }
  call();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace rv::planner
