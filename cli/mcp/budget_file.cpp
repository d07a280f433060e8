#include "cli/mcp/budget_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/trust/regular_file.h"
#include "cli/json/values_json.h"

namespace rv::mcp {
namespace {

using namespace std::chrono_literals;

/// Two servers must not use one token, so a file system without locks is an error.
os::FileLock locked(const std::string& path) {
  const auto give_up = std::chrono::steady_clock::now() + 10s;
  for (;;) {
    if (auto lock = os::FileLock::try_take(path, os::WithoutLocks::leave)) return std::move(*lock);
    if (errno != EWOULDBLOCK) {
      throw Error(fmt::format("can't lock {}: {}", path, std::strerror(errno)),
                  "set RV_HOME to a folder that you can write, on a file system with locks");
    }
    if (std::chrono::steady_clock::now() >= give_up) {
      throw Error(fmt::format("can't lock {}: another rv mcp holds the lock", path), "end that rv mcp, and try again");
    }
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace

Budget BudgetFile::read() const {
  const auto text = trust::read_project_file(path());
  if (!text) return {};
  try {
    return budget_from(parse_json<Json>(*text, path()));
  } catch (const Json::exception&) {
    throw Error(fmt::format("{} is damaged, or from another version of rv", path()),
                "remove it, and set a budget again: rv mcp allow HOURS");
  }
}

void BudgetFile::change(const std::function<void(Budget& budget)>& change) const {
  os::make_folder(folder_);
  const auto lock = locked(folder_ + "/lock");
  auto budget = read();
  change(budget);
  os::write_file(path(), cli::json_text(to_json(budget)), 0600);
}

}  // namespace rv::mcp
