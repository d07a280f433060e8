#include "workers/storage/large_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

[[noreturn]] void fault(const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", what, strerror(errno)));
}

struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<std::uint64_t, Freed>;

/// O_DIRECT needs memory at addresses that the device supports.
Buffer buffer_of(std::size_t bytes) {
  Buffer buffer(static_cast<std::uint64_t*>(std::aligned_alloc(LargeFile::page, bytes)));
  if (!buffer) throw std::bad_alloc();
  return buffer;
}

constexpr std::size_t words_a_page = LargeFile::page / sizeof(std::uint64_t);

/// Writes each page's number to its first word, and a hash of seed and number to its last word.
void stamp(std::uint64_t* memory, std::uint64_t first_page, std::size_t count, std::uint64_t seed) {
  for (std::size_t i = 0; i < count; ++i) {
    memory[i * words_a_page] = first_page + i;
    memory[(i + 1) * words_a_page - 1] = scramble(seed ^ (first_page + i));
  }
}

void check_pages(const std::uint64_t* memory, std::uint64_t first_page, std::size_t count, std::uint64_t seed) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool right = memory[i * words_a_page] == first_page + i &&
                       memory[(i + 1) * words_a_page - 1] == scramble(seed ^ (first_page + i));
    if (!right) throw WrongPage(first_page + i);
  }
}

/// False if the file ends first.
bool read_whole(int file, void* memory, std::size_t bytes, std::uint64_t at) {
  auto* to = static_cast<char*>(memory);
  for (std::size_t done = 0; done < bytes;) {
    const auto n = pread(file, to + done, bytes - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fault("reading");
    if (n == 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

void write_whole(int file, const void* memory, std::size_t bytes, std::uint64_t at) {
  const auto* from = static_cast<const char*>(memory);
  for (std::size_t done = 0; done < bytes;) {
    const auto n = pwrite(file, from + done, bytes - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fault("writing");
    done += static_cast<std::size_t>(n);
  }
}

/// Whether the file system supports O_DIRECT writes: some accept the open and fail at the first write.
bool takes_direct(int file) {
  const auto buffer = buffer_of(LargeFile::page);
  std::fill_n(buffer.get(), words_a_page, 0);
  return pwrite(file, buffer.get(), LargeFile::page, 0) == static_cast<ssize_t>(LargeFile::page);
}

/// A permutation of numbers of `bits` bits: multiplying by an odd factor and xor with a shift are invertible.
std::uint64_t shuffled(std::uint64_t number, unsigned bits, std::uint64_t key) {
  const auto mask = (std::uint64_t{1} << bits) - 1;
  for (std::uint64_t round = 0; round < 4; ++round) {
    number = number * (scramble(key + round) | 1U) & mask;
    number ^= number >> (bits / 2 + 1);
  }
  return number;
}

}  // namespace

WrongPage::WrongPage(std::uint64_t number)
    : text_(fmt::format("page {} differs from what was written: silent corruption", number)) {}

LargeFile::LargeFile(const std::string& folder, const FolderFacts& facts, bool direct)
    : direct_(direct && !facts.in_memory()),
      in_memory_(facts.in_memory()),
      seed_(scramble(static_cast<std::uint64_t>(getpid()))) {
  const auto path = folder + "/large";
  const int plain = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  if (direct_) file_ = os::Descriptor(open(path.c_str(), plain | O_DIRECT, 0600));
  if (direct_ && (file_.number() < 0 || !takes_direct(file_.number()))) {
    const bool refused = errno == EINVAL || errno == EOPNOTSUPP;
    file_.close();
    unlink(path.c_str());
    if (!refused) fault("making a large file");
    direct_ = false;
  }
  if (file_.number() < 0) file_ = os::Descriptor(open(path.c_str(), plain, 0600));
  if (file_.number() < 0) fault("making a large file");
  unlink(path.c_str());
}

std::string_view LargeFile::way() const {
  return in_memory_ ? "memory" : direct_ ? "O_DIRECT" : "posix_fadvise";
}

void LargeFile::forget() {
  // O_DIRECT bypasses the cache; this removes what testing the first page left there.
  posix_fadvise(file_.number(), 0, 0, POSIX_FADV_DONTNEED);
}

Pass LargeFile::write(std::uint64_t bytes, double most_seconds) {
  const auto buffer = buffer_of(block);
  for (std::size_t i = 0; i < block / sizeof(std::uint64_t); ++i) buffer.get()[i] = scramble(seed_ + i);
  bytes -= bytes % page;
  const auto begin = Clock::now();
  Pass pass;
  while (pass.bytes < bytes && (pass.bytes == 0 || since(begin) < most_seconds)) {
    const auto length = std::min<std::uint64_t>(block, bytes - pass.bytes);
    stamp(buffer.get(), pass.bytes / page, length / page, seed_);
    write_whole(file_.number(), buffer.get(), length, pass.bytes);
    pass.bytes += length;
    ++pass.operations;
  }
  if (fsync(file_.number()) != 0) fault("fsync");
  pass.seconds = since(begin);
  written_ = pass.bytes;
  return pass;
}

Pass LargeFile::read(double most_seconds) {
  forget();
  const auto buffer = buffer_of(block);
  const auto begin = Clock::now();
  Pass pass;
  while (pass.bytes < written_ && (pass.bytes == 0 || since(begin) < most_seconds)) {
    const auto length = std::min<std::uint64_t>(block, written_ - pass.bytes);
    if (!read_whole(file_.number(), buffer.get(), length, pass.bytes)) throw WrongPage(pass.bytes / page);
    check_pages(buffer.get(), pass.bytes / page, length / page, seed_);
    pass.bytes += length;
    ++pass.operations;
  }
  pass.seconds = since(begin);
  return pass;
}

Pass LargeFile::read_pages(int threads, double seconds, std::uint64_t turn) {
  forget();
  posix_fadvise(file_.number(), 0, 0, POSIX_FADV_RANDOM);
  const auto count = pages();
  // Permutes a power of two, and skips numbers beyond the file.
  unsigned bits = 1;
  while (std::uint64_t{1} << bits < count) ++bits;
  std::atomic<std::uint64_t> next{0}, done{0};
  std::mutex mutex;
  std::exception_ptr trouble;
  const auto begin = Clock::now();
  const auto work = [&] {
    try {
      const auto buffer = buffer_of(page);
      for (auto i = next++; i >> bits == 0 && since(begin) < seconds; i = next++) {
        const auto number = shuffled(i, bits, seed_ + turn);
        if (number >= count) continue;
        if (!read_whole(file_.number(), buffer.get(), page, number * page)) throw WrongPage(number);
        check_pages(buffer.get(), number, 1, seed_);
        ++done;
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      trouble = std::current_exception();
    }
  };
  std::vector<std::thread> all;
  for (int i = 1; i < threads; ++i) all.emplace_back(work);
  work();
  for (auto& one : all) one.join();
  if (trouble) std::rethrow_exception(trouble);
  Pass pass;
  pass.operations = done;
  pass.bytes = pass.operations * page;
  pass.seconds = since(begin);
  return pass;
}

void LargeFile::damage(std::uint64_t page_number) {
  const auto buffer = buffer_of(page);
  std::fill_n(buffer.get(), words_a_page, 0);
  write_whole(file_.number(), buffer.get(), page, page_number * page);
}

}  // namespace rv::workers
