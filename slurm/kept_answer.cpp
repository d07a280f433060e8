#include "slurm/limits_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

namespace rv::slurm {

LimitsCache::LimitsCache(std::string folder, std::string_view user) {
  if (folder.empty()) return;
  ::mkdir(folder.c_str(), 0700);
  // One home may serve several clusters, each with its own slurm.conf.
  const char* conf = std::getenv("SLURM_CONF");
  const auto cluster = std::hash<std::string_view>{}(conf == nullptr ? "" : conf);
  path_ = std::move(folder) + "/limits-" + std::string(user) + "-" + std::to_string(cluster);
}

std::optional<std::string> LimitsCache::read() const {
  struct stat status = {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return std::nullopt;
  const auto written = std::chrono::system_clock::from_time_t(status.st_mtime);
  const auto age = std::chrono::system_clock::now() - written;
  if (age < std::chrono::seconds(0) || age > fresh) return std::nullopt;
  std::ifstream file(path_);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return std::nullopt;
  return text.str();
}

void LimitsCache::write(std::string_view text) const {
  if (path_.empty()) return;
  const std::string temporary = path_ + "." + std::to_string(::getpid());
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const bool whole = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  if (!whole || std::rename(temporary.c_str(), path_.c_str()) != 0) ::unlink(temporary.c_str());
}

}  // namespace rv::slurm
