#include "cli/sync/pushed_list.h"

#include "cli/remote/sha256.h"
#include "monitor/atomic_file.h"

namespace rv::cli::sync {

PushedList::PushedList(const std::string& home, const std::string& project, const HostSettings& there)
    : path_(home + "/pushed/" + project + "-" +
            remote::sha256_hex(there.host + "\n" + there.cluster_home).substr(0, 8)) {}

std::optional<FileStates> PushedList::read() const {
  const auto text = monitor::read_file(path_);
  return text ? parse_states(*text) : std::nullopt;
}

void PushedList::write(const FileStates& states) const {
  monitor::make_folder(path_.substr(0, path_.rfind('/')));
  monitor::write_file(path_, format(states));
}

}  // namespace rv::cli::sync
