#include "base/os/patient_write.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

namespace rv::cli {

namespace {

struct Pipe {
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::array<int, 2> ends{};
};

}  // namespace

TEST_CASE("a reader that stalls holds the writer up only until it gives up") {
  const Pipe pipe;
  const auto begun = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::steady_clock::now() - begun; };
  const std::string much(1 << 20, 'x');  // more than a pipe holds
  CHECK(os::write_patiently(pipe.ends[1], much, [&] { return passed() > std::chrono::milliseconds(100); }) ==
        os::Written::given_up);
  CHECK(passed() < std::chrono::seconds(1));
}

TEST_CASE("a slow reader gets every byte") {
  const Pipe pipe;
  std::string much;
  while (much.size() < 1 << 20) much += std::to_string(much.size());
  std::string got;
  std::thread reader([&] {
    std::array<char, 10'000> buffer;
    while (got.size() < much.size()) {
      const ssize_t count = ::read(pipe.ends[0], buffer.data(), buffer.size());
      if (count <= 0) return;
      got.append(buffer.data(), static_cast<std::size_t>(count));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  CHECK(os::write_patiently(pipe.ends[1], much, [] { return false; }) == os::Written::all);
  reader.join();
  CHECK(got == much);
}

}  // namespace rv::cli
