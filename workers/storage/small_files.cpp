#include "workers/storage/small_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "shared/system/descriptor.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fault(const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", what, strerror(errno)));
}

std::string name_of(std::uint64_t number) {
  return fmt::format("f{:06}", number);
}

template <class Work>
Pass timed(Work work) {
  const auto begin = Clock::now();
  Pass pass;
  work(pass, begin);
  pass.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return pass;
}

void make_file(int folder, const std::string& name) {
  static const std::array<char, small_file_bytes> content{};
  os::Descriptor file(openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.number() < 0) fault("making a small file");
  const auto written = write(file.number(), content.data(), content.size());
  if (written < 0) fault("writing a small file");
  // Network file systems and quotas may report a lack of space only here.
  if (!file.close()) fault("closing a small file");
  if (written != static_cast<ssize_t>(content.size())) throw std::runtime_error("a small file was written only partly");
}

std::uint64_t list(const std::string& path, int folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(path.c_str()), closedir);
  if (!entries) fault("listing small files");
  std::uint64_t seen = 0;
  while (const auto* const entry = readdir(entries.get())) {
    if (entry->d_name[0] == '.') continue;
    struct stat status {};
    if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) fault("looking at a small file");
    ++seen;
  }
  return seen;
}

}  // namespace

SmallFiles measure_small_files(const std::string& folder, int most, double seconds) {
  const auto path = folder + "/small";
  if (mkdir(path.c_str(), 0700) != 0) fault("making the folder of small files");
  SmallFiles all;
  {
    const os::Descriptor handle(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (handle.number() < 0) fault("opening the folder of small files");
    const auto limit = std::chrono::duration<double>(seconds);
    all.created = timed([&](Pass& pass, Clock::time_point begin) {
      while (pass.operations < static_cast<std::uint64_t>(most) &&
             (pass.operations == 0 || Clock::now() - begin < limit)) {
        make_file(handle.number(), name_of(pass.operations));
        ++pass.operations;
      }
    });
    all.listed = timed([&](Pass& pass, Clock::time_point) { pass.operations = list(path, handle.number()); });
    if (all.listed.operations != all.created.operations) {
      throw std::runtime_error(
          fmt::format("{} small files were created, but {} are listed", all.created.operations, all.listed.operations));
    }
    all.removed = timed([&](Pass& pass, Clock::time_point) {
      for (; pass.operations < all.created.operations; ++pass.operations) {
        if (unlinkat(handle.number(), name_of(pass.operations).c_str(), 0) != 0) fault("removing a small file");
      }
    });
  }
  if (rmdir(path.c_str()) != 0) fault("removing the folder of small files");
  return all;
}

}  // namespace rv::workers
