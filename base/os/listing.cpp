#include "base/os/listing.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace rv::os {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* listing = ::opendir(folder.c_str());
  if (listing == nullptr) {
    if (errno == ENOENT || errno == ENOTDIR) return names;
    throw Error("can't read the folder " + folder + ": " + std::strerror(errno), "check its permissions");
  }
  while (const dirent* entry = ::readdir(listing)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(listing);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace rv::os
