#include "monitor/run_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "monitor/atomic_file.h"
#include "planner/error.h"

namespace rv::monitor {
namespace {

// Six characters without those that look alike; the first is a letter, so an ID is never mistaken for a job number.
std::string random_id() {
  constexpr std::string_view letters = "abcdefghjkmnpqrstuvwxyz";
  constexpr std::string_view all = "abcdefghjkmnpqrstuvwxyz23456789";
  unsigned char bytes[6];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    throw Error(std::string("no random numbers: ") + std::strerror(errno), "try again");
  }
  std::string id(1, letters[bytes[0] % letters.size()]);
  for (std::size_t i = 1; i < sizeof bytes; ++i) id += all[bytes[i] % all.size()];
  return id;
}

TimePoint now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const auto end = line.find_first_of(" \n");
    if (end != 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return words;
}

template <typename Number>
std::optional<Number> number(const std::string& word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

TimePoint epoch(const std::string& word) {
  return TimePoint(std::chrono::seconds(number<std::int64_t>(word).value_or(0)));
}

ExitKind exit_kind(const std::string& word) {
  if (word == "terminated") return ExitKind::terminated;
  if (word == "time_up") return ExitKind::time_up;
  if (word == "no_progress") return ExitKind::no_progress;
  if (word == "predecessor") return ExitKind::predecessor;
  return ExitKind::exited;
}

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
    return std::chrono::seconds(json.at(key).get<std::int64_t>());
  };
  wait.p10 = span("p10_s");
  wait.p50 = span("p50_s");
  wait.p90 = span("p90_s");
  wait.basis = json.at("basis");
  return wait;
}

Candidate candidate_from(const nlohmann::json& json) {
  Candidate candidate;
  candidate.number = json.at("number");
  candidate.job_name = json.at("job_name");
  candidate.summary = json.at("summary");
  candidate.gpu_type = json.at("gpu_type");
  candidate.gpus = json.at("gpus");
  candidate.nodes = json.at("nodes");
  candidate.partition = json.at("partition");
  candidate.free_now = json.at("free_now");
  candidate.time_limit = std::chrono::seconds(json.at("time_limit_s").get<std::int64_t>());
  candidate.cost_su = figure(json, "cost_su");
  candidate.su_per_hour = figure(json, "su_per_hour");
  candidate.exclude = json.value("exclude", std::vector<std::string>());
  // Not in the records of older rv: unknown then.
  if (json.contains("wait")) candidate.wait = wait_from(json["wait"]);
  return candidate;
}

}  // namespace

RunFolder RunFolder::create(const std::string& runs) {
  make_folder(runs);
  for (int attempt = 0; attempt < 100; ++attempt) {
    RunFolder folder(runs + "/" + random_id());
    // mkdir decides: an ID that is taken, on whatever machine, is not taken twice
    if (::mkdir(folder.path().c_str(), 0700) == 0) {
      for (const auto* sub : {"candidates", "jobs", "logs", "output", "checkpoint"}) make_folder(folder.file(sub));
      return folder;
    }
    if (errno != EEXIST) {
      throw Error("can't make a run folder in " + runs + ": " + std::strerror(errno),
                  "set RV_HOME to a folder on the shared file system that you can write");
    }
  }
  throw Error("no unused run ID found in " + runs, "remove old runs there");
}

void RunFolder::publish(const RunRecord& record) const {
  nlohmann::ordered_json json;
  json["format"] = "rv-run";
  json["version"] = 1;
  json["id"] = record.id;
  json["name"] = record.name;
  json["hold"] = record.hold;
  json["command"] = record.command;
  json["work_folder"] = record.work_folder;
  json["host"] = record.host;
  json["cluster"] = record.cluster;
  json["created"] = record.created.time_since_epoch().count();
  json["created_ns"] = record.created_ns.count();
  json["head_start_s"] = record.head_start_s;
  json["requeue"] = record.requeue;
  if (record.chain) {
    json["chain"] = {{"total_s", record.chain->total.count()}, {"shortest_s", record.chain->shortest.count()}};
  }
  if (record.array) json["array"] = {{"elements", record.array->elements}, {"at_once", record.array->at_once}};
  if (record.after) json["after"] = {{"run", record.after->run}, {"only_ok", record.after->only_ok}};
  json["candidates"] = nlohmann::ordered_json::array();
  for (const auto& candidate : record.candidates) json["candidates"].push_back(to_json(candidate));
  write_file(file("run.json"), json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  append({.time = {}, .name = "created", .candidate = 0, .job = {}, .more = nlohmann::json::object()});
}

RunRecord RunFolder::record() const {
  const auto text = read_file(file("run.json"));
  if (!text) throw Error("no run at " + path_, "rv ps -a lists the runs", ExitCode::no_such_run);
  try {
    const auto json = nlohmann::json::parse(*text);
    RunRecord record;
    record.id = json.at("id");
    record.name = json.at("name");
    record.hold = json.at("hold");
    record.command = json.at("command").get<std::vector<std::string>>();
    record.work_folder = json.at("work_folder");
    record.host = json.at("host");
    record.cluster = json.value("cluster", std::string());
    record.created = TimePoint(std::chrono::seconds(json.at("created").get<std::int64_t>()));
    record.created_ns = std::chrono::nanoseconds(json.value("created_ns", std::int64_t{0}));
    record.head_start_s = json.at("head_start_s");
    record.requeue = json.value("requeue", false);
    if (json.contains("chain")) {
      record.chain = ChainRecord{.total = std::chrono::seconds(json["chain"].at("total_s").get<std::int64_t>()),
                                 .shortest = std::chrono::seconds(json["chain"].value("shortest_s", std::int64_t{0}))};
    }
    if (json.contains("array"))
      record.array =
          ArrayRecord{json["array"].at("elements").get<std::vector<int>>(), json["array"].value("at_once", 0)};
    if (json.contains("after")) record.after = AfterRecord{json["after"].at("run"), json["after"].at("only_ok")};
    for (const auto& candidate : json.at("candidates")) record.candidates.push_back(candidate_from(candidate));
    return record;
  } catch (const nlohmann::json::exception& broken) {
    throw Error(file("run.json") + " can't be read: " + broken.what(),
                "the run was written by another rv or is damaged");
  }
}

std::optional<Claim> RunFolder::claim() const {
  const auto text = read_file(file("claim"));
  if (!text) return std::nullopt;
  const auto words = words_of(*text);
  if (words.size() < 4) return std::nullopt;  // can't be: a claim is complete before it is linked
  Claim claim;
  claim.node = words[2];
  claim.time = epoch(words[3]);
  if (words[1] == "stop") {
    claim.by_stop = true;
    return claim;
  }
  claim.candidate = number<int>(words[0]).value_or(0);
  claim.job = slurm::parse_job_id(words[1]).value_or(JobId{});
  return claim;
}

std::optional<ExitRecord> parse_exit_record(std::string_view line) {
  const auto words = words_of(std::string(line));
  if (words.size() < 4) return std::nullopt;
  return ExitRecord{.code = number<int>(words[0]).value_or(-1),
                    .time = epoch(words[1]),
                    .job = slurm::parse_job_id(words[2]).value_or(JobId{}),
                    .kind = exit_kind(words[3])};
}

std::optional<ExitRecord> RunFolder::exit_record() const {
  const auto text = read_file(file("exit"));
  return text ? parse_exit_record(*text) : std::nullopt;
}

std::vector<Event> RunFolder::events() const {
  std::vector<Event> events = parse_events(read_file(file("events.jsonl")).value_or(""));
  if (DIR* folder = ::opendir(file("jobs").c_str())) {
    while (const dirent* entry = ::readdir(folder)) {
      const std::string_view name = entry->d_name;
      if (!name.ends_with(".jsonl")) continue;
      auto more = parse_events(read_file(file("jobs/" + std::string(name))).value_or(""));
      events.insert(events.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    ::closedir(folder);
  }
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return events;
}

void RunFolder::append(Event event) const {
  if (event.time == TimePoint{}) event.time = now();
  const std::string line = to_line(event);
  const int fd = ::open(file("events.jsonl").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) {
    throw Error("can't write " + file("events.jsonl") + ": " + std::strerror(errno),
                "check the run folder's permissions");
  }
  // Over NFS two appending clients can overwrite each other: the lock is for that. Where locks don't work the plain
  // append still holds on one host.
  ::flock(fd, LOCK_EX);
  const ssize_t written = ::write(fd, line.data(), line.size());
  const int reason = errno;
  ::close(fd);
  if (written != static_cast<ssize_t>(line.size())) {
    throw Error("can't write " + file("events.jsonl") + ": " + (written < 0 ? std::strerror(reason) : "disk full"),
                "free some space there, or set RV_HOME to a folder with room");
  }
}

bool RunFolder::claim_for_stop(const std::string& host) const {
  const std::string mine = file(".claim.stop." + std::to_string(::getpid()));
  write_file(mine, "0 stop " + host + " " + std::to_string(now().time_since_epoch().count()) + "\n");
  ::link(mine.c_str(), file("claim").c_str());  // the content decides, as in the job's gate
  ::unlink(mine.c_str());
  const auto held = claim();
  if (!held) throw Error("can't claim the run folder " + path_, "check its permissions");
  return held->by_stop;
}

std::vector<std::string> list_runs(const std::string& runs) {
  std::vector<std::string> ids;
  DIR* folder = ::opendir(runs.c_str());
  if (folder == nullptr) {
    if (errno == ENOENT) return ids;
    throw Error("can't read " + runs + ": " + std::strerror(errno), "check the folder's permissions or RV_HOME");
  }
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    const RunFolder run(fmt::format("{}/{}", runs, name));
    if (name.front() != '.' && ::access(run.file("run.json").c_str(), F_OK) == 0) ids.push_back(name);
  }
  ::closedir(folder);
  return ids;
}

}  // namespace rv::monitor
