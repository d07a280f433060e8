#include "cli/remote/forward/relay_link.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "cli/remote/hop/build_id.h"
#include "cli/remote/hop/hop_request.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hop/remote_script.h"
#include "cli/remote/hop/self_install.h"
#include "cli/remote/hop/ssh_failure.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// The login node queries Slurm first, and with --auto starts a step.
constexpr auto answer_time = 120s;

/// The output of the login node's shell if this version of rv is missing there: its system.
std::optional<std::string> missing_system(const std::string& chatter, const std::string& token) {
  std::optional<std::string> system;
  remote::MarkReader marks(token);
  marks.feed(chatter, {.text = [](std::string_view) {},
                       .mark =
                           [&](std::string_view words, std::string_view) {
                             if (words.starts_with("missing ")) system = std::string(words.substr(8));
                           }});
  return system;
}

}  // namespace

RelayLink::RelayLink(os::PollLoop& loop, std::optional<HostSettings> there, FramePipe::Receive receive)
    : loop_(loop), there_(std::move(there)), receive_(std::move(receive)) {
  if (there_) connection_.emplace(there_->host);
}

RelayLink::~RelayLink() {
  close();
}

void RelayLink::close() {
  pipe_.reset();
  child_.reset();
  if (!log_.empty()) ::unlink(log_.c_str());
  log_.clear();
}

void RelayLink::start(const RelayRequest& request, const std::string& token) {
  close();
  hello_.reset();
  const std::vector<std::string> words{"--relay", to_text(request)};
  if (connection_) {
    connection_->open();
    log_ = connection_->new_log();
    remote::HopRequest hop{.token = token,
                           .words = words,
                           .folder = "",
                           .signal = "",
                           .terminal = {},
                           .resume = {},
                           .project = {},
                           .dialogue = false};
    const std::string command = remote::remote_command(
        "bootstrap.sh", {remote::binary_name(), remote::home_word(there_->cluster_home), token, remote::encode(hop)});
    child_ = std::make_unique<os::PipedChild>(connection_->session(remote::Session::plain, log_, command));
  } else {
    child_ = std::make_unique<os::PipedChild>(std::vector<std::string>{"/proc/self/exe", words[0], words[1]});
  }
  pipe_ = std::make_unique<FramePipe>(loop_, child_->from(), child_->to(), [this](const Frame& frame) {
    if (frame.kind == FrameKind::hello) {
      hello_ = hello(frame.payload);
    } else {
      receive_(frame);
    }
  });
  pipe_->greet();
}

AgreedTargets RelayLink::connect(const RelayRequest& request) {
  const auto until = Clock::now() + answer_time;
  bool installed = false;
  while (true) {
    const std::string token = os::random_hex(8);
    start(request, token);
    while (!hello_ && !pipe_->ended() && Clock::now() < until) loop_.run_once(200ms);
    if (hello_) {
      if (!log_.empty()) ::unlink(log_.c_str());  // ssh holds it open
      const Hello said = *hello_;
      if (!said.fault) {
        try {
          return AgreedTargets(request, said);
        } catch (const Error&) {
          close();
          throw;
        }
      }
      close();
      throw Error(*said.fault);
    }
    const std::string chatter = pipe_->chatter();
    const bool ended = pipe_->ended();
    const int code = ended ? child_->wait() : -1;
    const std::string said = log_.empty() ? "" : os::read_file(log_).value_or("");
    close();
    const auto system = missing_system(chatter, token);
    if (connection_ && system && !installed) {
      remote::install(*connection_, there_->cluster_home, *system);
      installed = true;
    } else if (ended && remote::session_refused(said) && Clock::now() < until - answer_time + 10s) {
      std::this_thread::sleep_for(500ms);  // another rv has the only session for a moment
    } else {
      fail(chatter, code, said);
    }
  }
}

void RelayLink::fail(const std::string& chatter, int code, const std::string& log) {
  constexpr int ssh_failed = 255;
  const std::string host = there_ ? there_->host : "this machine";
  if (remote::session_refused(log)) {
    throw Error(fmt::format("{} allows no further session over its connection", host),
                "a forward needs a session: end another forward with rv forward --stop", ExitCode::connection);
  }
  if (there_ && code == ssh_failed) throw remote::ssh_failure(log, host);
  const std::string words = chatter.substr(0, chatter.find_last_not_of("\r\n") + 1);
  throw Error(fmt::format("rv on {} did not answer{}{}", host, words.empty() ? "" : ": ", words),
              there_ ? fmt::format("check that rv -H {} ps works", host) : "check that rv ps works",
              ExitCode::connection);
}

}  // namespace rv::forward
