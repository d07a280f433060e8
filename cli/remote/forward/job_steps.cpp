#include "cli/remote/forward/job_steps.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "cli/remote/hop/build_id.h"
#include "slurm/environment.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;

os::Result ask(std::vector<std::string> argv, std::chrono::milliseconds deadline) {
  return os::run({.argv = std::move(argv),
                  .input = "",
                  .deadline = deadline,
                  .environment = slurm::submit_environment(),
                  .folder = ""});
}

void append(std::vector<std::string>& words, std::vector<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Numeric addresses of a node as Slurm reports it; empty if unknown.
std::vector<std::string> node_addresses(const std::string& node) {
  const auto record = ask({"scontrol", "show", "node", node, "--oneliner"}, 10s);
  std::istringstream words(record.out);
  std::string address;
  for (std::string word; words >> word;) {
    if (word.starts_with("NodeAddr=")) address = word.substr(9);
  }
  if (address.empty()) return {};
  if (numeric_address(address, 1)) return {address};
  // A static program can't ask the system's resolver itself.
  const auto answer = ask({"getent", "ahosts", address}, 10s);
  std::vector<std::string> addresses;
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string first = line.substr(0, line.find(' '));
    if (numeric_address(first, 1) && std::find(addresses.begin(), addresses.end(), first) == addresses.end()) {
      addresses.push_back(first);
    }
  }
  return addresses;
}

}  // namespace

std::string program_for_nodes(const std::string& home) {
  const std::string folder = home + "/bin";
  std::string path = folder + "/" + remote::binary_name();
  if (::access(path.c_str(), X_OK) == 0) return path;
  os::make_folder(folder);
  // Whole from the start: a step of another forward may start it at any moment.
  os::write_file(path, remote::own_binary(), 0700);
  return path;
}

std::vector<Target> ports_of_job(std::vector<std::string> step, const std::vector<std::string>& nodes,
                                 const std::string& program, const std::string& array) {
  const std::string count = std::to_string(nodes.size());
  append(step, {"--nodes=" + count, "--ntasks=" + count, "--ntasks-per-node=1",
                fmt::format("--nodelist={}", fmt::join(nodes, ",")), program, "--listening-ports", array});
  const auto result = ask(step, 60s);
  if (!result.ok()) {
    throw Error(fmt::format("Slurm could not run a step on {}: {}", fmt::join(nodes, ", "),
                            result.timed_out ? "no reply within a minute" : result.err),
                "name the ports instead of --auto", ExitCode::slurm);
  }
  std::vector<Target> targets;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Target target;
    std::string rest;
    if (!(words >> target.node >> target.port) || words >> rest) continue;
    if (std::find(nodes.begin(), nodes.end(), target.node) != nodes.end()) targets.push_back(target);
  }
  std::sort(targets.begin(), targets.end(),
            [](const Target& a, const Target& b) { return std::tie(a.node, a.port) < std::tie(b.node, b.port); });
  return targets;
}

JobSteps::JobSteps(os::PollLoop& loop, StepOn step, std::string program, std::string array, Send send)
    : loop_(loop),
      argv_(std::move(step)),
      program_(std::move(program)),
      array_(std::move(array)),
      send_(std::move(send)) {}

JobSteps::Step& JobSteps::step(const std::string& node) {
  if (const auto found = steps_.find(node); found != steps_.end()) return found->second;
  std::vector<std::string> argv = argv_(node);
  append(argv, {"--nodes=1", "--ntasks=1", "--nodelist=" + node, program_, "--relay-on-node", array_});
  auto child = std::make_unique<os::PipedChild>(argv, slurm::submit_environment());
  Step& step = steps_[node];
  step.child = std::move(child);
  step.srun =
      std::make_unique<FramePipe>(loop_, step.child->from(), step.child->to(), [this, node](const Frame& frame) {
        if (frame.kind == FrameKind::line) {
          call(node, line_offer(frame.payload));
        } else {
          receive(frame);
        }
      });
  step.srun->greet();
  return step;
}

void JobSteps::call(const std::string& node, const LineOffer& offer) {
  std::vector<Address> addresses;
  if (offer.port != 0) {
    for (const auto& text : node_addresses(node)) addresses.push_back(*numeric_address(text, offer.port));
  }
  steps_.at(node).caller = std::make_unique<LineCaller>(
      loop_, std::move(addresses), offer, [this, node](os::Descriptor socket) { speak(node, std::move(socket)); });
}

void JobSteps::speak(const std::string& node, os::Descriptor socket) {
  Step& step = steps_.at(node);
  if (socket.number() >= 0) {
    step.line = std::make_unique<FrameSocket>(loop_, std::move(socket), [this](const Frame& frame) { receive(frame); });
    step.line->pipe.greet();
  }
  step.speaks = true;
  for (const Frame& frame : std::exchange(step.held, {})) send(step, frame);
}

void JobSteps::send(Step& step, const Frame& frame) {
  if (!step.speaks) {
    step.held.push_back(frame);
  } else {
    (step.line ? step.line->pipe : *step.srun).send(frame);
  }
}

void JobSteps::receive(const Frame& frame) {
  send_(frame);
  note(frame);
}

void JobSteps::open(const std::string& node, const Frame& frame) {
  try {
    send(step(node), frame);
    passages_[frame.channel] = {.node = node};
  } catch (const Error& fault) {
    send_({.kind = FrameKind::refused, .channel = frame.channel, .payload = fault.what()});
  }
}

void JobSteps::ask(const std::string& node, const Frame& frame) {
  send(step(node), frame);
}

void JobSteps::pass_on(const Frame& frame) {
  const auto passage = passages_.find(frame.channel);
  if (passage == passages_.end()) return;
  send(steps_.at(passage->second.node), frame);
  note(frame);
}

void JobSteps::note(const Frame& frame) {
  const auto passage = passages_.find(frame.channel);
  if (passage == passages_.end()) return;
  const bool broken = frame.kind == FrameKind::reset || frame.kind == FrameKind::refused;
  if (broken || (frame.kind == FrameKind::eof && ++passage->second.ends == 2)) passages_.erase(passage);
}

bool JobSteps::some_ended() {
  for (auto& [node, step] : steps_) {
    if (step.caller) step.caller->check_time();
  }
  const std::size_t before = steps_.size();
  std::erase_if(steps_, [&](const auto& entry) {
    if (!entry.second.ended()) return false;
    std::erase_if(passages_, [&](const auto& passage) {
      if (passage.second.node != entry.first) return false;
      send_({.kind = FrameKind::reset, .channel = passage.first, .payload = ""});
      return true;
    });
    return true;
  });
  return steps_.size() != before;
}

}  // namespace rv::forward
