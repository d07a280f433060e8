#include "base/os/stamped_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "shared/time_text.h"

namespace rv::os {

StampedFolder::StampedFolder(const std::string& parent) {
  make_folder(parent);
  const auto stamp = utc_stamp(current_time());
  for (int attempt = 0; attempt < 100; ++attempt) {
    path_ = fmt::format("{}/{}-{}", parent, stamp, random_hex(2));
    if (::mkdir(path_.c_str(), 0700) == 0) return;
  }
  throw Error("can't create a folder in " + parent, "check the permissions and the free disk space there");
}

StampedFolder::~StampedFolder() {
  if (kept_) return;
  std::error_code fault;
  std::filesystem::remove_all(path_, fault);
  std::filesystem::remove(std::filesystem::path(path_).parent_path(), fault);
}

}  // namespace rv::os
