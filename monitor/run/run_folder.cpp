#include "monitor/run/run_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/os/listing.h"
#include "base/os/random_bytes.h"
#include "monitor/run/job_json.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/number.h"
#include "shared/system/descriptor.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

// Six characters without those that look alike; the first is a letter, so an ID is never mistaken for a job number.
std::string random_id() {
  constexpr std::string_view letters = "abcdefghjkmnpqrstuvwxyz";
  constexpr std::string_view all = "abcdefghjkmnpqrstuvwxyz23456789";
  unsigned char bytes[6];
  if (!os::fill_randomly(bytes)) {
    throw Error(std::string("can't read random numbers: ") + std::strerror(errno), "try again");
  }
  std::string id(1, letters[bytes[0] % letters.size()]);
  for (std::size_t i = 1; i < sizeof bytes; ++i) id += all[bytes[i] % all.size()];
  return id;
}

// Of run.json and all that lies beside it.
constexpr int format_version = 2;

nlohmann::ordered_json or_null(const std::optional<double>& figure) {
  return figure ? nlohmann::ordered_json(*figure) : nlohmann::ordered_json();
}

nlohmann::ordered_json or_null(const std::optional<std::chrono::seconds>& span) {
  return span ? nlohmann::ordered_json(span->count()) : nlohmann::ordered_json();
}

std::optional<double> figure(const nlohmann::json& json, const char* key) {
  if (!json.contains(key) || json[key].is_null()) return std::nullopt;
  return json[key].get<double>();
}

nlohmann::ordered_json to_json(const Candidate& candidate) {
  nlohmann::ordered_json json;
  json["number"] = candidate.number;
  json["job_name"] = candidate.job_name;
  json["summary"] = candidate.summary;
  json["gpu_type"] = candidate.gpu_type;
  json["gpus"] = candidate.gpus;
  json["nodes"] = candidate.nodes;
  json["partition"] = candidate.partition;
  json["free_now"] = candidate.free_now;
  json["time_limit_s"] = candidate.time_limit.count();
  json["cost_su"] = or_null(candidate.cost_su);
  json["su_per_hour"] = or_null(candidate.su_per_hour);
  json["exclude"] = candidate.exclude;
  json["wait"] = {{"p10_s", or_null(candidate.wait.p10)},
                  {"p50_s", or_null(candidate.wait.p50)},
                  {"p90_s", or_null(candidate.wait.p90)},
                  {"basis", candidate.wait.basis}};
  return json;
}

planner::Wait wait_from(const nlohmann::json& json) {
  planner::Wait wait;
  const auto span = [&](const char* key) -> std::optional<std::chrono::seconds> {
    if (json.at(key).is_null()) return std::nullopt;
    return std::chrono::seconds(integer_at<std::int64_t>(json, key));
  };
  wait.p10 = span("p10_s");
  wait.p50 = span("p50_s");
  wait.p90 = span("p90_s");
  wait.basis = json.at("basis");
  return wait;
}

Candidate candidate_from(const nlohmann::json& json) {
  Candidate candidate;
  candidate.number = integer_at<int>(json, "number");
  candidate.job_name = json.at("job_name");
  candidate.summary = json.at("summary");
  candidate.gpu_type = json.at("gpu_type");
  candidate.gpus = integer_at<int>(json, "gpus");
  candidate.nodes = integer_at<int>(json, "nodes");
  candidate.partition = json.at("partition");
  candidate.free_now = json.at("free_now");
  candidate.time_limit = std::chrono::seconds(integer_at<std::int64_t>(json, "time_limit_s"));
  candidate.cost_su = figure(json, "cost_su");
  candidate.su_per_hour = figure(json, "su_per_hour");
  candidate.exclude = json.value("exclude", std::vector<std::string>());
  // Not in the records of older rv: unknown then.
  if (json.contains("wait")) candidate.wait = wait_from(json["wait"]);
  return candidate;
}

}  // namespace

RunFolder RunFolder::create(const std::string& runs) {
  os::make_folder(runs);
  for (int attempt = 0; attempt < 100; ++attempt) {
    RunFolder folder(runs + "/" + random_id());
    // mkdir decides: an ID that is taken, on whatever machine, is not taken twice
    if (::mkdir(folder.path().c_str(), 0700) == 0) {
      for (const auto* sub : {"candidates", "jobs", "ledger", "elements", "chain", "logs", "output", "checkpoint"})
        os::make_folder(folder.file(sub));
      return folder;
    }
    if (errno != EEXIST) {
      throw Error("can't create a run folder in " + runs + ": " + std::strerror(errno),
                  "set RV_HOME to a folder on the shared file system that you can write");
    }
  }
  throw Error("no unused run ID found in " + runs, "remove old runs with rv gc");
}

std::string RunFolder::home() const {
  const auto runs = path_.substr(0, path_.rfind('/'));
  return runs.substr(0, runs.rfind('/'));
}

void RunFolder::publish(const RunRecord& record) const {
  nlohmann::ordered_json json;
  json["format"] = "rv-run";
  json["version"] = format_version;
  json["id"] = record.id;
  json["name"] = record.name;
  write_job(json, record.job);
  json["work_folder"] = record.work_folder;
  json["host"] = record.host;
  json["cluster"] = record.cluster;
  json["created"] = record.created.time_since_epoch().count();
  json["created_ns"] = record.created_ns.count();
  json["head_start_s"] = record.head_start_s;
  if (!record.node_memory.empty()) json["node_memory"] = record.node_memory;
  json["candidates"] = nlohmann::ordered_json::array();
  for (const auto& candidate : record.candidates) json["candidates"].push_back(to_json(candidate));
  os::write_file(file("run.json"), json_dump(json, 1) + "\n");
  append({.time = {}, .name = EventKind::created, .candidate = 0, .job = {}, .more = nlohmann::json::object()});
}

RunRecord RunFolder::record() const {
  const auto text = os::read_file(file("run.json"));
  if (!text) throw Error("no run in " + path_, "rv ps -a lists the runs", ExitCode::no_such_run);
  try {
    const auto json = parse_json<nlohmann::json>(*text, file("run.json"));
    if (json.at("version") != format_version) {
      throw Error("the run in " + path_ + " was written by another version of rv",
                  "use that version of rv, or remove the folder if you don't need the run");
    }
    RunRecord record;
    record.id = json.at("id");
    record.name = json.at("name");
    for (const char* key : {"hold", "command"}) (void)json.at(key);  // every rv has written these
    record.job = read_job(json);
    record.work_folder = json.at("work_folder");
    record.host = json.at("host");
    record.cluster = json.value("cluster", std::string());
    record.created = TimePoint(std::chrono::seconds(integer_at<std::int64_t>(json, "created")));
    record.created_ns = std::chrono::nanoseconds(integer_or(json, "created_ns", std::int64_t{0}));
    record.head_start_s = json.at("head_start_s");
    record.node_memory = json.value("node_memory", std::string());
    for (const auto& candidate : json.at("candidates")) record.candidates.push_back(candidate_from(candidate));
    return record;
  } catch (const nlohmann::json::exception& broken) {
    throw Error(file("run.json") + " can't be read: " + broken.what(),
                "the file was written by another version of rv, or is damaged");
  }
}

std::vector<Event> RunFolder::events(JournalCache* known) const {
  JournalCache none;
  auto& files = (known != nullptr ? *known : none).files;
  for (const auto& name : os::names_in(file("jobs"))) {
    if (!name.ends_with(".jsonl")) continue;
    const std::string path = file("jobs/" + name);
    struct stat status = {};
    auto& kept = files[name];
    if (kept.size >= 0 && ::stat(path.c_str(), &status) == 0 && status.st_size == kept.size) continue;
    const auto text = os::read_file(path).value_or("");
    kept = {.size = static_cast<std::int64_t>(text.size()), .events = parse_events(text)};
  }
  std::vector<std::pair<TimePoint, Event>> all;
  const auto add = [&](const std::vector<Event>& events) {
    // What one file says stays in its order, though the clocks of its writers differ.
    TimePoint latest;
    for (const auto& event : events) {
      latest = std::max(latest, event.time);
      all.emplace_back(latest, event);
    }
  };
  add(parse_events(os::read_file(file("events.jsonl")).value_or("")));
  for (const auto& [name, kept] : files) add(kept.events);
  std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<Event> events;
  events.reserve(all.size());
  for (auto& [time, event] : all) events.push_back(std::move(event));
  return events;
}

void RunFolder::append(Event event) const {
  if (event.time == TimePoint{}) event.time = current_time();
  std::string line = to_line(event);
  os::Descriptor journal(::open(file("events.jsonl").c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  const int fd = journal.number();
  if (fd < 0) {
    throw Error("can't write " + file("events.jsonl") + ": " + std::strerror(errno),
                "check the run folder's permissions");
  }
  // Over NFS two appending clients can overwrite each other: the lock is for that. Where locks don't work the plain
  // append still holds on one host.
  os::lock_file(fd, os::LockMode::exclusive);
  // Behind a line that was cut short (a full disk) this one would be lost with it.
  const off_t size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n') line.insert(line.begin(), '\n');
  const ssize_t written = ::write(fd, line.data(), line.size());
  int reason = errno;
  const bool closed = journal.close();
  if (written == static_cast<ssize_t>(line.size()) && closed) return;
  if (written == static_cast<ssize_t>(line.size())) reason = errno;
  const bool cut_short = written >= 0 && closed;
  throw Error("can't write " + file("events.jsonl") + ": " + (cut_short ? "disk full" : std::strerror(reason)),
              "free some space there, or set RV_HOME to a folder with room");
}

std::string job_name_of(const Candidate& candidate, int attempt) {
  return attempt <= 1 ? candidate.job_name : candidate.job_name + "." + std::to_string(attempt);
}

std::optional<int> attempt_of_job(std::string_view name, std::string_view base) {
  if (!name.starts_with(base)) return std::nullopt;
  name.remove_prefix(base.size());
  if (name.empty()) return 1;
  if (name.front() != '.') return std::nullopt;
  return number_in<int>(name.substr(1), 1);
}

bool is_job_name_of(std::string_view name, std::string_view base) {
  return attempt_of_job(name, base).has_value();
}

}  // namespace rv::monitor
