#include "cli/open/node_ssh.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/local_command.h"
#include "base/os/process.h"
#include "base/variable.h"
#include "cli/settings/settings.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/run_facts.h"
#include "shared/documents/json_dump.h"
#include "slurm/environment.h"
#include "templates/renderer.h"

namespace rv::cli {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

NodeSshRequest parse_request(const std::string& text) {
  try {
    const Json json = parse_json<Json>(text, "the message to ssh");
    return {.run = json.at("run"), .node = json.at("node"), .key = json.at("key")};
  } catch (const Json::exception&) {
    throw Error("ssh received an invalid message", "check that both machines have the same rv, then try again");
  }
}

/// The host key of the nodes for ssh, one for all nodes that this user reaches through rv; created once.
std::string host_key(const std::string& home) {
  const std::string folder = home + "/ssh";
  std::string path = folder + "/host_key";
  if (::access(path.c_str(), R_OK) == 0) return path;
  os::make_folder(folder);
  const std::string fresh = fmt::format("{}.{}", path, ::getpid());
  const auto made = os::run({.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "rv", "-f", fresh},
                             .input = "",
                             .environment = all_variables(),
                             .folder = ""});
  if (!made.ok()) throw Error("ssh-keygen can't create a key: " + made.err, "check that OpenSSH's client is installed");
  // The process that was first created the key that counts.
  [[maybe_unused]] const int linked = ::link(fresh.c_str(), path.c_str());
  ::unlink(fresh.c_str());
  ::unlink((fresh + ".pub").c_str());
  return path;
}

}  // namespace

std::string to_text(const NodeSshRequest& request) {
  return ascii_json_dump(Json{{"run", request.run}, {"node", request.node}, {"key", request.key}});
}

int serve_node_ssh(const std::string& request) {
  const auto [word, node, key] = parse_request(request);
  const auto settings = read_settings();
  const auto run = monitor::resolve_run(monitor::runs_in(settings.runs_folder()), word);
  auto view = monitor::poll_runs({run}).views.front();
  if (monitor::is_final(view.state)) {
    // A connection that was killed with its job could not take its files away.
    std::error_code ignored;
    std::filesystem::remove_all(run.folder.file("ssh"), ignored);
  }
  auto [argv, nodes, environment] = monitor::location_of(run.folder, view, std::nullopt);
  view.nodes = nodes;
  monitor::check_node(run.folder, view, node);
  os::make_folder(run.folder.file("ssh"));
  const std::string script = run.folder.file("ssh/serve");
  os::write_file(script, templates::render("serve_ssh.bash", {}));
  // Without --unbuffered srun passes on whole lines only, and ssh's protocol has none.
  argv.insert(argv.end(), {"--nodes=1", "--ntasks=1", "--unbuffered", "--quiet"});
  if (!node.empty()) argv.push_back("--nodelist=" + node);
  argv.insert(argv.end(), environment.begin(), environment.end());
  const auto claim = monitor::read_facts(run.folder).claim;
  argv.insert(argv.end(), {"bash", run.folder.file(fmt::format("candidates/{}/script.sh", claim->candidate)), "shell",
                           "bash", script, host_key(settings.home), key});
  return os::run_local(argv, std::nullopt, 5s, slurm::submit_environment()).exit_code;
}

}  // namespace rv::cli
