#include "slurm/query_cache.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "base/os/atomic_file.h"
#include "slurm/cluster_key.h"

namespace rv::slurm {

std::string cache_file(const std::string& folder, std::string_view name, std::string_view user) {
  ::mkdir(folder.c_str(), 0700);
  return folder + "/" + std::string(name) + "-" + std::string(user) + "-" + cluster_key();
}

QueryCache::QueryCache(const std::string& folder, std::string_view name, std::string_view user,
                       std::chrono::minutes fresh)
    : fresh_(fresh) {
  if (!folder.empty()) path_ = cache_file(folder, name, user);
}

std::optional<std::string> QueryCache::read() const {
  struct stat status = {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return std::nullopt;
  const auto written = std::chrono::system_clock::from_time_t(status.st_mtime);
  const auto age = std::chrono::system_clock::now() - written;
  if (age < std::chrono::seconds(0) || age > fresh_) return std::nullopt;
  std::ifstream file(path_);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return std::nullopt;
  return text.str();
}

void QueryCache::write(std::string_view text) const {
  if (!path_.empty()) os::replace_file(path_, text);
}

}  // namespace rv::slurm
