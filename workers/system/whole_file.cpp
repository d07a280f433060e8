#include "workers/system/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "shared/system/descriptor.h"
#include "shared/system/write_all.h"

namespace rv::workers {
namespace {

bool write_whole(const std::filesystem::path& path, const std::vector<std::string_view>& parts, bool stored) {
  os::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) return false;
  for (const auto part : parts) {
    if (!os::write_all(file.number(), part)) return false;
  }
  if (stored && ::fsync(file.number()) != 0) return false;
  // A file system that delays writes may report a lack of space only at close.
  return file.close();
}

bool rename_over(const std::filesystem::path& fresh, const std::filesystem::path& path,
                 const std::filesystem::path& keep_as) {
  if (!keep_as.empty() && ::rename(path.c_str(), keep_as.c_str()) != 0 && errno != ENOENT) return false;
  return ::rename(fresh.c_str(), path.c_str()) == 0;
}

/// Fsyncs the folder, and so the names in it.
bool store_names(const std::filesystem::path& folder) {
  const os::Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.number() >= 0 && ::fsync(opened.number()) == 0;
}

std::runtime_error failed(const std::filesystem::path& path) {
  return std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

void replace_file(const std::filesystem::path& path, const std::vector<std::string_view>& parts, const Replacing& how) {
  auto fresh = path;
  fresh += ".new";
  if (!write_whole(fresh, parts, how.stored) || !rename_over(fresh, path, how.keep_as)) {
    const auto error = failed(path);
    ::unlink(fresh.c_str());
    throw error;
  }
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (how.stored && !store_names(folder)) throw failed(folder);
}

}  // namespace rv::workers
