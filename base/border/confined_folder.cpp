#include "base/border/confined_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "shared/system/write_all.h"

namespace rv {
namespace {

constexpr int only_a_folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Error refused(const std::string& folder, std::string_view name, int reason) {
  const bool strange = reason == ELOOP || reason == ENOTDIR || reason == EISDIR;
  return {fmt::format("can't write {} in {}: {}", name, folder,
                      strange ? "another file has that name" : std::strerror(reason)),
          strange ? "move it away" : "check the folder's permissions and the free disk space"};
}

}  // namespace

ConfinedFolder::ConfinedFolder(const std::string& path) : path_(path) {
  os::make_folder(path);
  folder_ = os::Descriptor(::open(path.c_str(), only_a_folder));
  if (folder_.number() < 0) throw refused(path, ".", errno);
}

void ConfinedFolder::replace(const ReportName& name, std::string_view content) const {
  std::string_view rest = name.text();
  os::Descriptor below;
  int folder = folder_.number();
  for (auto slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    const std::string component(rest.substr(0, slash));
    if (::mkdirat(folder, component.c_str(), 0700) != 0 && errno != EEXIST) throw refused(path_, name.text(), errno);
    below = os::Descriptor(::openat(folder, component.c_str(), only_a_folder));
    if (below.number() < 0) throw refused(path_, name.text(), errno);
    folder = below.number();
    rest.remove_prefix(slash + 1);
  }
  const std::string last(rest), fresh = ".rv-" + os::random_hex(8);
  os::Descriptor file(::openat(folder, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.number() < 0) throw refused(path_, name.text(), errno);
  if (os::write_all(file.number(), content) && file.close() &&
      ::renameat(folder, fresh.c_str(), folder, last.c_str()) == 0) {
    return;
  }
  const int reason = errno;
  ::unlinkat(folder, fresh.c_str(), 0);
  throw refused(path_, name.text(), reason);
}

}  // namespace rv
