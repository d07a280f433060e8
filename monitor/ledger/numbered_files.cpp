#include "monitor/ledger/numbered_files.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "shared/number.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;

// How long a listing may lack an entry that link(2) reports: longer than NFS's default attribute cache (acdirmax=60 in
// nfs(5)). If the entry stays hidden for longer, appending fails.
constexpr auto longest_lag = 90s;

std::string read_listed(const std::string& path) {
  if (auto text = os::read_file(path)) return *std::move(text);
  throw Error("the record " + path + " can't be read", "the file system shows its name only: try again");
}

}  // namespace

std::vector<std::string> texts_after(const std::string& folder, const std::string& prefix, std::size_t known) {
  std::set<std::size_t> listed;
  for (const auto& name : os::names_in(folder)) {
    if (!name.starts_with(prefix)) continue;
    const auto number = number_in<std::size_t>(std::string_view(name).substr(prefix.size()));
    if (number && *number > known) listed.insert(*number);
  }
  std::vector<std::string> texts;
  for (std::size_t next = known + 1; listed.contains(next); ++next) {
    std::string path = folder;
    path.append("/").append(prefix).append(std::to_string(next));
    texts.push_back(read_listed(path));
  }
  return texts;
}

std::vector<std::string> append_text(const std::string& folder, const std::string& prefix, std::size_t known,
                                     const std::string& token, const std::string& text) {
  const std::string temporary = folder + "/." + token;
  const std::string name = folder + "/" + prefix + std::to_string(known + 1);
  os::write_new_file(temporary, text);
  const bool linked = ::link(temporary.c_str(), name.c_str()) == 0;
  const int reason = errno;
  ::unlink(temporary.c_str());
  // Over a network a link that was made can be reported as failed, so what the file says decides.
  const auto until = std::chrono::steady_clock::now() + longest_lag;
  while (true) {
    auto texts = texts_after(folder, prefix, known);
    if (!texts.empty()) {
      // The folder is fsynced before the writer relies on its entry: a power failure could otherwise remove the name.
      if (texts.front() == text) os::store_names(folder);
      return texts;
    }
    if (!linked && reason != EEXIST) {
      throw Error("can't create the record " + name + ": " + std::strerror(reason),
                  reason == ENOSPC || reason == EDQUOT
                      ? "free some space there, or set RV_HOME to a folder with room"
                      : "RV_HOME must be on a file system with hard links, where you can write");
    }
    if (std::chrono::steady_clock::now() > until) {
      throw Error("the record " + name + " exists but can't be read", "try again in a minute");
    }
    std::this_thread::sleep_for(200ms);
  }
}

}  // namespace rv::monitor
