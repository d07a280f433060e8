// What is there is read; tests/real/job_history.sh has how it comes there.
#include "slurm/site_history.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/os/atomic_file.h"
#include "slurm/query_cache.h"

using namespace rv;
using namespace rv::slurm;
using namespace std::chrono_literals;

namespace {

struct Folder {
  Folder() { REQUIRE(::mkdtemp(path) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  char path[32] = "/tmp/rv-learned-XXXXXX";
};

}  // namespace

TEST_CASE("without data, a folder or a user the values are unknown") {
  const Folder folder;
  for (const auto& [where, who] :
       {std::pair<std::string, std::string>{folder.path, "ann"}, {"", "ann"}, {"/tmp", ""}}) {
    const auto learned = read_site_history(where, who);
    CHECK(!learned.history);
    CHECK(!learned.priority);
  }
}

TEST_CASE("learned values are read back for their user") {
  const Folder folder;
  JobHistory history;
  const rv::planner::TimePoint noon{std::chrono::seconds(1'795'262'400)};
  extend(history, noon, noon + 1h, {}, "ann");
  REQUIRE(os::replace_file(cache_file(folder.path, "jobs", "ann"), to_bytes(history)));
  QueryCache(folder.path, "priority", "ann", 60min).write("7|gpu|1500|500|900|100|0|0||ann\n\nlab|ann|1|1|0|0|0.25\n");
  const auto learned = read_site_history(folder.path, "ann");
  REQUIRE(learned.history);
  CHECK(learned.history->to == noon + 1h);
  REQUIRE(learned.priority);
  CHECK(learned.priority->pending.size() == 1);
  CHECK(learned.priority->shares.size() == 1);
  CHECK(!read_site_history(folder.path, "ben").history);
}

TEST_CASE("an answer is kept for its time and no longer") {
  const Folder folder;
  const QueryCache kept(folder.path, "limits", "ann", 10min);
  CHECK(!kept.read());
  kept.write("text");
  CHECK(kept.read() == "text");
  const auto path = cache_file(folder.path, "limits", "ann");
  CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::all) ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - 11min);
  CHECK(!kept.read());
  // a clock that was set back
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + 5min);
  CHECK(!kept.read());
}
