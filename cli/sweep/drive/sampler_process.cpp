#include "cli/sweep/drive/sampler_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/pipe.h"
#include "base/os/process.h"
#include "base/text.h"
#include "base/variable.h"

namespace rv::sweep {
namespace {

using Clock = std::chrono::steady_clock;

/// A driver takes seconds to wake up.
constexpr auto start_limit = std::chrono::seconds(60);
constexpr auto stop_limit = std::chrono::seconds(20);

/// True once something was written to the pipe; false when it was closed, or at the limit.
bool hears(int fd, std::chrono::milliseconds limit) {
  const auto last = Clock::now() + limit;
  for (auto left = limit; left.count() > 0;
       left = std::chrono::duration_cast<std::chrono::milliseconds>(last - Clock::now())) {
    pollfd waiting{fd, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(left.count())) < 0 && errno == EINTR) continue;
    std::array<char, 16> word{};
    return (waiting.revents & POLLIN) != 0 && ::read(fd, word.data(), word.size()) > 0;
  }
  return false;
}

}  // namespace

ThisMachine look_at_machine(const std::string& sampler) {
  const auto said = os::run({.argv = {sampler, "--list"},
                             .input = {},
                             .deadline = start_limit,
                             .environment = all_variables(),
                             .folder = {}});
  auto document = parse_json_or_discard<nlohmann::ordered_json>(said.out);
  if (!said.ok() || !document.is_object() || !document.contains("gpus")) {
    throw Error(fmt::format("{} --list ended with code {}{}", sampler, said.exit_code,
                            said.err.empty() ? "" : ": " + one_line(said.err)),
                "check that it runs on this machine by itself");
  }
  ThisMachine machine;
  machine.node = document.value("node", "");
  machine.why_none = document.value("reason", "");
  if (const auto& driver = document["driver"]; driver.is_string()) machine.driver = driver.get<std::string>();
  for (const auto& gpu : document["gpus"]) machine.gpus.push_back(gpu.value("model", "unknown"));
  if (machine.gpus.empty() && machine.why_none.empty()) machine.why_none = "the driver shows none";
  return machine;
}

SamplerProcess::SamplerProcess(const std::string& sampler, const std::string& folder, double every_s, bool gpu) {
  os::Pipe said;
  const os::Descriptor log(::open((folder + "/sampler.log").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const auto nothing = os::null_device();
  child_.emplace(os::ChildOrder{.argv = {sampler, "--folder", folder, "--tree", std::to_string(::getpid()), "--every",
                                         fmt::format("{}", every_s), "--device", gpu ? "gpu" : "cpu"},
                                .in = nothing.number(),
                                .out = said.end(1),
                                .err = log.number(),
                                .group = os::Group::own_session});
  said.close_end(1);
  if (child_->wait_for_start()) {
    child_.reset();
    trouble_ = "the sampler could not be started";
    return;
  }
  if (hears(said.end(0), start_limit)) return;
  const auto why = os::read_file(folder + "/sampler.log").value_or("");
  stop();
  trouble_ = "the sampler took no sample" + (why.empty() ? std::string() : ": " + one_line(why));
}

std::string SamplerProcess::stop() {
  if (!child_) return trouble_;
  ::kill(child_->pid(), SIGTERM);
  const auto last = Clock::now() + stop_limit;
  int status = 0;
  pid_t gone = 0;
  while ((gone = ::waitpid(child_->pid(), &status, WNOHANG)) == 0 && Clock::now() < last) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (gone == 0) {
    ::kill(child_->pid(), SIGKILL);
    ::waitpid(child_->pid(), &status, 0);
    trouble_ = "the sampler did not end";
  } else if (status != 0) {
    trouble_ = fmt::format("the sampler ended with code {}", os::exit_code(status));
  }
  child_.reset();
  return trouble_;
}

}  // namespace rv::sweep
