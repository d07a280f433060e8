// The session with one host over a separate ssh connection, which lasts as long as the acceptance: when it ends, for
// any it, the host's side ends what it started (cli/remote/hosts/host.sh).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/os/poll_loop.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hosts/host_facts.h"
#include "cli/remote/hosts/hosts_list.h"
#include "cli/remote/hosts/report_archive.h"
#include "shared/system/descriptor.h"

namespace rv::remote {

/// The workers that a host may have already: their folder here, and "SHA-256  name" of each.
struct KnownWorkers {
  std::string folder;
  std::vector<std::string> sums;
};

class HostSession {
 public:
  using Clock = std::chrono::steady_clock;
  using Bytes = std::shared_ptr<const std::string>;
  struct Sink {
    ReportKind kind;
    std::function<void(std::string_view text)> output;                // of the node's script
    std::function<void(const std::vector<Report>& reports)> reports;  // all reports that the node has sent
  };

  /// Starts ssh, which never prompts. Throws Error if ssh is not installed.
  HostSession(Host host, const KnownWorkers& workers, Sink sink);
  /// Ends ssh.
  ~HostSession();
  HostSession(const HostSession&) = delete;
  HostSession& operator=(const HostSession&) = delete;

  const Host& host() const { return host_; }
  const HostFacts& facts() const { return facts_; }
  bool ready() const { return ready_; }                     // the facts are complete
  std::optional<int> ended_with() const { return ended_; }  // the node's script
  bool clean() const { return clean_; }                     // nothing of it is left there
  bool over() const { return over_; }                       // no more comes from there
  bool started() const { return started_; }                 // start() was called: reports and output are accepted
  /// Data of the host that rv does not accept; the connection is closed. Empty: none.
  const std::string& refused() const { return refused_; }
  bool sending() const { return !queue_.empty(); }
  Clock::duration silence(Clock::time_point now) const { return now - last_sign_; }
  const std::string& token() const { return token_; }

  /// `name`: below the private folder. Throws Error for a name or mode that the line can't carry.
  void send_file(const std::string& name, const std::string& mode, Bytes content);
  /// The node's script begins, as node `rank` of `nodes`.
  void start(int rank, int nodes, const MeetingPoint& meeting, int port, int slots);
  void beat() { send_line("beat"); }
  /// The host's side is to end what it started and to go.
  void end() { send_line("end"); }
  /// Gives up the connection.
  void drop();

  /// Why nothing more comes: ssh's own words with what they mean, after over().
  Error failure() const;

  /// `loop` must outlive it.
  void watch(os::PollLoop& loop);

 private:
  /// Throws Error, naming the host, for a line with a control character: the other side would read two.
  void send_line(const std::string& line);
  void feed();
  void drain();
  void bytes_came(std::string_view bytes);
  void take_mark(std::string_view words, std::string_view payload);
  void refuse_before_start(std::string_view what) const;

  Host host_;
  std::string token_;
  Sink sink_;
  MarkReader marks_;
  HostFacts facts_;
  os::Descriptor to_, from_, log_;
  pid_t pid_ = -1;
  os::PollLoop* loop_ = nullptr;
  std::deque<Bytes> queue_;
  std::size_t sent_ = 0;  // of the first
  bool sends_files_ = false;
  bool ready_ = false, started_ = false, clean_ = false, over_ = false;
  std::string refused_;
  std::optional<int> ended_;
  Clock::time_point last_sign_ = Clock::now();
};

/// Ends, over separate connections, what these sessions may have left on their hosts: those that began there and did
/// not say that they are clean. Waits ten seconds at most. Names of those where that could not be done.
std::vector<std::string> end_what_is_left(const std::vector<const HostSession*>& sessions);

}  // namespace rv::remote
