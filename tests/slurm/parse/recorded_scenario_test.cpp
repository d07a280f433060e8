// One scenario on every release (tests/recording): what rv asks of a cluster, and that its answers agree with each
// other.
#include <algorithm>
#include <set>

#include "planner/cluster/job_name.h"
#include "slurm/parse/parse_cluster.h"
#include "slurm/parse/parse_finished_jobs.h"
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_limits.h"
#include "slurm/parse/parse_priority.h"
#include "slurm/parse/parse_queue.h"
#include "tests/slurm/recording.h"
#include "tests/source_tree.h"

using namespace rv;
using namespace rv::slurm;

namespace {

std::string questions() {
  std::ifstream file(in_tree("tests/recording/questions.tsv"));
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// As the shell's $'…' writes it.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\x1f' ? "\\x1f" : c == '\x1e' ? "\\x1e" : std::string(1, c);
  return out;
}

const planner::QueuedJob& named(const std::vector<planner::QueuedJob>& jobs, const std::string& name) {
  const auto found =
      std::find_if(jobs.begin(), jobs.end(), [&](const auto& job) { return job.name_key == planner::name_key(name); });
  REQUIRE_MESSAGE(found != jobs.end(), name);
  return *found;
}

bool is_over(const std::string& state) {
  return state != "PENDING" && state != "RUNNING" && state != "SUSPENDED" && state != "SPECIAL_EXIT";
}

}  // namespace

TEST_CASE("the recordings are of rv's own queries") {
  const auto text = questions();
  const auto asks = [&](std::string_view part) { CHECK_MESSAGE(text.find(part) != std::string::npos, part); };
  asks("squeue -h -r -t all -o '" + std::string(poll_format) + "'");
  asks("squeue -a -h -O $'" + escaped(queue_format()) + "'");
  asks("-o " + std::string(accounting_format) + "\n");
  asks("-o " + std::string(finished_jobs_format) + "\n");
  asks("sprio -h -u root -o '" + std::string(factors_format) + "'");
  asks("sshare -U -P -n -o " + std::string(shares_format) + "\n");
  const auto limits = limits_questions("root");
  for (std::size_t begin = 0, end = 0; (end = limits.find('\n', begin)) != std::string::npos; begin = end + 1) {
    asks("'" + limits.substr(begin, end - begin) + "'");
  }
}

TEST_CASE("every release has every recording") {
  std::stringstream rows(questions());
  int count = 0;
  for (std::string row; std::getline(rows, row); ++count) {
    const auto file = row.substr(0, row.find('\t'));
    for (const std::string release : releases) {
      CAPTURE(release);
      CHECK_MESSAGE(recording(release + "/MANIFEST.tsv").find("\n" + file + "\t") != std::string::npos, file);
    }
  }
  CHECK(count > 30);
}

TEST_CASE("the queue of every release: what runs, on which nodes and GPUs, and why the others wait") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto jobs = parse_queue(recording(release + "/queue.epoch.out"));
    const auto& wide = named(jobs, "runmn");
    CHECK(wide.state == "RUNNING");
    CHECK(wide.nodes == 2);
    CHECK(wide.node_names == std::vector<std::string>{"udc-an28-1", "udc-an28-2"});
    CHECK(wide.requested.at("gres/gpu:a6000") == 8);
    CHECK(wide.cpus == 16);
    CHECK(wide.time_limit == std::chrono::hours(4));
    CHECK(wide.start);
    CHECK(!wide.exclusive);
    CHECK(!wide.part_of_het_job);
    CHECK(named(jobs, "runresv").reservation == "class");
    CHECK(named(jobs, "runmpart").partitions == std::vector<std::string>{"gpu-a6000"});
    CHECK(named(jobs, "p_qoswall").qos == planner::DatabaseName("gpulim"));
    CHECK(named(jobs, "p_qoswall").reason == "QOSMaxWallDurationPerJobLimit");
    CHECK(named(jobs, "p_assoc").account == planner::DatabaseName("tiny"));
    CHECK(named(jobs, "p_excl").features == "a100_80gb");
    CHECK(named(jobs, "p_dep").dependency.starts_with("afterok:"));
    CHECK(named(jobs, "p_held").reason == "JobHeldUser");
    CHECK(named(jobs, "p_maint").required_nodes == std::vector<std::string>{"udc-an34-2"});
    CHECK(named(jobs, "new\nline").state == "RUNNING");
    CHECK(named(jobs, "arr").array_tasks == 8);
    CHECK(named(jobs, "arrstep").array_tasks == 5);
    CHECK(std::count_if(jobs.begin(), jobs.end(), [](const auto& job) { return job.part_of_het_job; }) == 2);
    CHECK(std::none_of(jobs.begin(), jobs.end(), [](const auto& job) { return job.exclusive; }));
  }
}

TEST_CASE("a poll and the queue of every release have the same jobs") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto rows = parse_poll(recording(release + "/squeue.facts.epoch.out"));
    const auto jobs = parse_queue(recording(release + "/queue.epoch.out"));
    int tasks = 0;
    std::set<std::string> states;
    for (const auto& job : jobs) tasks += job.array_tasks;
    for (const auto& row : rows) states.insert(row.state);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !is_over(row.state); }) == tasks);
    const std::set<std::string> all{"CANCELLED", "COMPLETED", "DEADLINE",     "FAILED",    "NODE_FAIL", "PENDING",
                                    "PREEMPTED", "RUNNING",   "SPECIAL_EXIT", "SUSPENDED", "TIMEOUT"};
    CHECK(states == all);
  }
}

TEST_CASE("the accounting of every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto rows = parse_accounting(recording(release + "/sacct.epoch.out"));
    const auto has = [&](const std::string& name, const std::string& state) {
      return std::any_of(rows.begin(), rows.end(),
                         [&](const auto& row) { return row.name == name && row.state == state; });
    };
    CHECK(has("tout", "TIMEOUT"));
    CHECK(has("fail3", "FAILED"));
    CHECK(has("canc_run", "CANCELLED"));
    CHECK(has("p_held", "PENDING"));
    CHECK(has("pipe|name|x", "RUNNING"));
    CHECK(has("new\nline", "RUNNING"));
    CHECK(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.name == "het"; }) == 2);
    const auto finished =
        parse_finished_jobs(recording(release + "/ended.epoch.out"), {}, recorded_at(release) + std::chrono::hours(1));
    CHECK(finished.unreadable == 0);
    CHECK(finished.not_over == 0);
    const auto on_gpu = std::find_if(finished.jobs.begin(), finished.jobs.end(),
                                     [](const auto& job) { return job.partition == "gpu"; });
    REQUIRE(on_gpu != finished.jobs.end());
    CHECK(on_gpu->gpu_type == "a6000");
    CHECK(on_gpu->gpus == 1);
    CHECK(on_gpu->state == "COMPLETED");
  }
}

TEST_CASE("limits: accounting and the controller say the same, on every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto limits = parse_limits(recording(release + "/limits.out"), "root", "held");
    REQUIRE(limits.qos);
    REQUIRE(limits.qos->size() == 3);
    CHECK(limits.qos->back().max_tres_per_job == planner::Tres{{"gres/gpu", 2}, {"mem", 10240}});
    CHECK(limits.qos->back().max_jobs_per_user == 7);
    REQUIRE(limits.associations);
    const auto lab = std::find_if(limits.associations->begin(), limits.associations->end(),
                                  [](const auto& one) { return one.account == planner::DatabaseName("lab"); });
    REQUIRE(lab != limits.associations->end());
    CHECK(lab->is_default_account);
    CHECK(lab->max_wall == std::chrono::hours(2));
    CHECK(lab->max_jobs == 5);
    CHECK(lab->group_tres == planner::Tres{{"mem", 20480}});
    const auto away = parse_limits(recording(release + "/limits.dbddown.out"), "root", "held");
    CHECK(!away.qos);
    CHECK(!away.associations);
  }
}
