#include "cli/remote/forward/forward_record.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/host_name.h"
#include "cli/remote/forward/local_port.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/system/process_table.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string folder(const std::string& home) {
  return home + "/forwards";
}

/// When the process began, in ticks since the machine started. Empty: the process does not exist.
std::string began(int pid) {
  const auto stat = os::process_stat(pid);
  return stat ? std::to_string(stat->started) : "";
}

bool alive(const ForwardRecord& record) {
  return !record.began.empty() && began(record.pid) == record.began;
}

ForwardRecord from_text(const std::string& text) {
  const Json json = parse_json<Json>(text, "the record of a forward");
  ForwardRecord record{.machine = json.at("machine"),
                       .pid = integer_at<pid_t>(json, "pid"),
                       .began = json.at("began"),
                       .login_node = json.at("login_node"),
                       .run = json.at("run"),
                       .name = json.at("name"),
                       .state = json.at("state"),
                       .refusal = json.value("refusal", ""),
                       .ports = {}};
  for (const Json& port : json.at("ports")) {
    record.ports.push_back({.local = integer_at<int>(port, "local"),
                            .target = {.node = port.at("node"), .port = integer_at<int>(port, "remote")}});
  }
  return record;
}

template <typename Done>
bool wait_for(Done done) {
  for (const auto until = std::chrono::steady_clock::now() + 5s; std::chrono::steady_clock::now() < until;) {
    if (done()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return done();
}

}  // namespace

std::string record_path(const std::string& home, const ForwardRecord& record) {
  return fmt::format("{}/{}-{}.json", folder(home), record.machine, record.pid);
}

void write_record(const std::string& home, const ForwardRecord& record) {
  Json ports = Json::array();
  for (const auto& port : record.ports) {
    ports.push_back({{"local", port.local}, {"node", port.target.node}, {"remote", port.target.port}});
  }
  const Json json{{"machine", record.machine},       {"pid", record.pid},         {"began", record.began},
                  {"login_node", record.login_node}, {"run", record.run},         {"name", record.name},
                  {"state", record.state},           {"refusal", record.refusal}, {"ports", ports}};
  os::make_folder(folder(home));
  os::write_file(record_path(home, record), json_dump(json, 2) + "\n");
}

ForwardRecord own_record() {
  ForwardRecord record;
  record.machine = os::host_name();
  record.pid = ::getpid();
  record.began = began(record.pid);
  return record;
}

std::vector<ForwardRecord> read_records(const std::string& home) {
  std::vector<ForwardRecord> records;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder(home), fault)) {
    if (entry.path().extension() != ".json") continue;
    const auto text = os::read_file(entry.path());
    if (!text) continue;  // it has just ended
    try {
      const ForwardRecord record = from_text(*text);
      if (record.machine == os::host_name() && !alive(record)) {
        ::unlink(entry.path().c_str());
      } else if (!record.ports.empty()) {
        records.push_back(record);
      }
    } catch (const Json::exception&) {
      throw Error(fmt::format("{} is not a record of a forward", entry.path().string()), "remove it", ExitCode::failed);
    }
  }
  std::sort(records.begin(), records.end(),
            [](const auto& a, const auto& b) { return a.ports.front().local < b.ports.front().local; });
  return records;
}

void stop_ports(const std::string& home, ForwardRecord record, const std::vector<int>& ports) {
  std::erase_if(record.ports, [&](const ForwardedPort& port) {
    return std::find(ports.begin(), ports.end(), port.local) != ports.end();
  });
  if (!alive(record)) return;
  if (record.ports.empty()) {
    ::kill(record.pid, SIGTERM);
    if (!wait_for([&] { return !alive(record); })) ::kill(record.pid, SIGKILL);
    ::unlink(record_path(home, record).c_str());
    return;
  }
  write_record(home, record);
  ::kill(record.pid, reread_signal());
  const bool closed =
      wait_for([&] { return std::none_of(ports.begin(), ports.end(), [](int port) { return port_is_taken(port); }); });
  if (!closed) throw Error(fmt::format("process {} does not close its ports", record.pid), "rv forward --stop all");
}

int reread_signal() {
  return SIGUSR1;
}

}  // namespace rv::forward
