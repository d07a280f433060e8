#include "cli/remote/sync/pushed_list.h"

#include "base/os/atomic_file.h"
#include "shared/sha256.h"

namespace rv::sync {

PushedList::PushedList(const std::string& home, const std::string& project, const HostSettings& there)
    : path_(home + "/pushed/" + project + "-" + sha256_hex(there.host + "\n" + there.cluster_home).substr(0, 8)) {}

std::optional<FileStates> PushedList::read() const {
  const auto text = os::read_file(path_);
  return text ? parse_states(*text) : std::nullopt;
}

void PushedList::write(const FileStates& states) const {
  os::make_folder(path_.substr(0, path_.rfind('/')));
  os::write_file(path_, format(states));
}

}  // namespace rv::sync
