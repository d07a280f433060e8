#include "cli/remote/hop/hop.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE's number
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/border/refused_input.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/patient_write.h"
#include "base/os/random_bytes.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/remote/hop/build_id.h"
#include "cli/remote/hop/follow_channel.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hop/remote_script.h"
#include "cli/remote/hop/self_install.h"
#include "cli/remote/hop/ssh_failure.h"
#include "cli/remote/hop/ssh_process.h"
#include "monitor/follow/output_writer.h"

namespace rv::remote {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A single word of a command line may have 128 KiB on Linux, and the login shell gets all of it as one word.
constexpr std::size_t longest_request = 120'000;
constexpr std::size_t kept_chatter = 2000;
constexpr auto patience = 10min;  // for a lost connection to come back
constexpr int deliveries = 5;     // of a signal to a command that has started; the pauses add up to two seconds
constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int ssh_failed = 255;
constexpr int killed = 128;  // and the signal: an ssh that was killed counts as a lost connection, like its own 255

/// The result of an ssh call.
struct SessionEnd {
  bool started = false;                // rv began there
  std::optional<int> code;             // how the command ended
  std::optional<std::string> missing;  // this version is missing there: the system that reported it
  std::string unreadable;              // why the machine's files or system can't be read there
  std::string foreign;                 // the folder or file of another user that rv would have been started from
  std::string writable;                // the same for a file that others can write to
  int ssh_code = 0;
  std::string log;      // ssh's own messages
  std::string chatter;  // what came before rv, if rv did not begin
};

/// While ssh runs, signals are blocked and read between two parts of its output (ssh_process.h).
bool signal_waits() {
  sigset_t pending;
  ::sigemptyset(&pending);
  ::sigpending(&pending);
  return std::any_of(ending_signals.begin(), ending_signals.end(),
                     [&](int number) { return ::sigismember(&pending, number) == 1; });
}

void check_size(const std::string& packed) {
  if (packed.size() <= longest_request) return;
  throw Error("the command line is too long for a remote command",
              "write long arguments to a file, and let the command read the file", ExitCode::usage);
}

class Journey {
 public:
  explicit Journey(const Hop& hop)
      : hop_(hop), connection_(hop.host), output_(/*several_nodes=*/false, [this] { return waited_enough(); }) {
    request_ = {.token = os::random_hex(8),
                .words = hop.words,
                .folder = hop.folder,
                .signal = "",
                .follows = hop.follows,
                .terminal = hop.terminal,
                .resume = {},
                .project = hop.project,
                .dialogue = hop.dialogue};
    terminal_ = !hop.follows && !hop.input && !hop.output && hop.terminal.in && hop.terminal.out && hop.terminal.err;
    const bool raw = terminal_ || hop.raw || hop.dialogue;
    filters_ = !raw && ::isatty(STDOUT_FILENO) == 1;
    if (!raw) output_.filter_terminals();
  }

  int run() {
    connection_.open();
    bool installed = false;
    for (int refusals = 0;;) {
      const SessionEnd end = session();
      if (unwritten_ != 0) {
        throw Error(fmt::format("can't write the output: {}", std::strerror(unwritten_)),
                    "check whether the disk is full");
      }
      if (end.code) return *end.code;
      if (reader_gone_) return 128 + SIGPIPE;
      if (silent_) {
        fmt::print(
            stderr,
            "rv: {0} does not answer; the signal reaches the command if the connection comes back; rv -H {0} ps shows "
            "whether the run continues\n",
            hop_.host);
      }
      // What ended without its code was ended by the signal that was sent to it: it is not resumed.
      if (signal_ != 0 || unread_ || output_.given_up()) return 128 + (signal_ != 0 ? signal_ : SIGINT);
      if (!end.unreadable.empty()) throw unreadable_system(end.unreadable, hop_.host);
      if (!end.foreign.empty()) throw not_started(end.foreign + " there belongs to another user");
      if (!end.writable.empty()) throw not_started("others can write to " + end.writable + " there");
      if (end.missing) {
        if (installed) {
          throw Error(fmt::format("rv was copied to {}, but is missing there", hop_.host),
                      "if several machines share that name without a shared home, name one of them",
                      ExitCode::connection);
        }
        install(connection_, hop_.cluster_home, *end.missing);
        installed = true;
        if (hop_.installed) return hop_.installed();
      } else if (!end.started && session_refused(end.log) && ++refusals < 120) {
        // The site allows one session at a time, and another rv has it.
        std::this_thread::sleep_for(500ms);
      } else if (hop_.follows && (end.started || end.ssh_code > killed)) {
        reconnect();
      } else {
        throw lost(end);
      }
    }
  }

 private:
  std::string command(const HopRequest& request) const {
    const std::string packed = encode(request);
    check_size(packed);
    return remote_command("bootstrap.sh", {binary_name(), home_word(hop_.cluster_home), request.token, packed});
  }

  SessionEnd session() {
    SessionEnd end;
    MarkReader marks(request_.token);
    const MarkReader::Sink sink{.text = [&](std::string_view bytes) { take_text(bytes, end); },
                                .mark =
                                    [&](std::string_view words, std::string_view payload) {
                                      take_mark(words, payload, end);
                                      if (hop_.dialogue && end.started) marks.no_more();
                                    }};
    const std::string log = connection_.new_log();
    const Session kind = terminal_ ? Session::with_terminal : Session::plain;
    const std::string words = command(request_);
    end.ssh_code = run_ssh(connection_.session(kind, log, words),
                           {.input = hop_.follows ? Input::none : Input::inherited,
                            .bytes = hop_.input,
                            .raw_errors = hop_.raw || hop_.dialogue,
                            .terminal = terminal_,
                            .shared = terminal_ ? std::nullopt : connection_.shared_session(words),
                            .output =
                                [&](std::string_view bytes) {
                                  part_came_ = Clock::now();
                                  marks.feed(bytes, sink);
                                  return !reader_gone_ && !given_up_;
                                },
                            .signalled = [&](int number) { return pass_on(number, end.started ? deliveries : 1); }});
    take_text(marks.rest(), end);
    show(out_filter_.finish());
    if (hop_.dialogue && end.started && end.ssh_code != ssh_failed) end.code = end.ssh_code;
    end.log = os::read_file(log).value_or("");
    ::unlink(log.c_str());
    return end;
  }

  /// For a reader that accepts no output. After a signal only its last messages are still to come.
  bool waited_enough() const { return signal_waits() || (signal_ != 0 && Clock::now() - part_came_ > 300ms); }

  void take_text(std::string_view bytes, SessionEnd& end) {
    if (bytes.empty()) return;
    if (end.started) {
      if (hop_.output) {
        hop_.output(bytes);
      } else if (filters_) {
        show(out_filter_.feed(bytes));
      } else {
        show(bytes);
      }
    } else if (end.chatter.size() < kept_chatter) {
      end.chatter += bytes;
    }
  }

  void show(std::string_view bytes) {
    if (unread_ || reader_gone_ || bytes.empty()) return;
    const os::Written written = os::write_patiently(STDOUT_FILENO, bytes, [this] { return waited_enough(); });
    if (written == os::Written::refused && errno != EPIPE) unwritten_ = errno;
    reader_gone_ = written == os::Written::refused;
    unread_ = written == os::Written::given_up;
  }

  void take_mark(std::string_view words, std::string_view payload, SessionEnd& end) {
    if (words == "start") {
      end.started = true;
      if (early_signal_ != 0) send_there(std::exchange(early_signal_, 0), deliveries);
    } else if (words.starts_with("end ")) {
      int code = 0;
      std::from_chars(words.data() + 4, words.data() + words.size(), code);
      end.code = code;
    } else if (words.starts_with("missing ")) {
      end.missing = std::string(words.substr(8));
    } else if (words.starts_with("unreadable ")) {
      end.unreadable = one_line(words.substr(11));
    } else if (words.starts_with("foreign ")) {
      end.foreign = one_line(words.substr(8));
    } else if (words.starts_with("writable ")) {
      end.writable = one_line(words.substr(9));
    } else if (words.starts_with("announce ")) {
      if (hop_.announced) hop_.announced(words.substr(words.find(' ') + 1));
    } else if (words.starts_with("run ")) {
      request_.resume.run = std::string(words.substr(4));
    } else if (words.starts_with("output ")) {
      output_.set_several_nodes(words.find(" several") != std::string_view::npos);
      if (words.find(" together") != std::string_view::npos) output_.all_to_stdout();
      if (words.find(" live") != std::string_view::npos) output_.set_bars(monitor::Bars::live);
    } else if (words.starts_with("log ")) {
      const LogPart part = parse_log_mark(words);
      output_.write(part.stream, part.node, payload);
      if (output_.given_up()) return;
      request_.resume.offsets[part.file] = part.end;
    }
  }

  /// A signal that came here goes to the command there. The second one ends the waiting, and so does a link that hangs.
  bool pass_on(int number, int attempts) {
    if (signal_ != 0) {
      given_up_ = true;
      return false;
    }
    signal_ = number;
    return send_there(number, attempts);
  }

  /// False: the login node does not answer. A command that is not there yet gets the signal when rv begins there.
  bool send_there(int number, int attempts) {
    HopRequest request = request_;
    request.words.clear();
    request.signal = std::to_string(number);
    const std::string log = connection_.new_log();
    const std::string words = command(request);
    Delivery delivery = Delivery::failed;
    // A login node with too many sessions or processes refuses one now and then.
    for (int attempt = 0; delivery == Delivery::failed && attempt < attempts; ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(200ms * attempt);
      delivery = deliver(connection_.session(Session::plain, log, words), connection_.shared_session(words));
    }
    ::unlink(log.c_str());
    if (delivery == Delivery::failed) early_signal_ = number;
    silent_ = delivery == Delivery::silent;
    given_up_ = silent_;
    return !silent_;
  }

  void reconnect() {
    fmt::print(stderr, "rv: the connection to {} is lost; trying again\n", hop_.host);
    request_.resume.wanted = true;
    const auto until = Clock::now() + patience;
    for (auto pause = 500ms;; pause = std::min(pause * 2, 30'000ms)) {
      try {
        connection_.open();
        return;
      } catch (const Error& trouble) {
        if (Clock::now() + pause > until) {
          throw Error(trouble.what(), when_not_resumed(), ExitCode::connection);
        }
      }
      std::this_thread::sleep_for(pause);
    }
  }

  std::string when_not_resumed() const {
    const std::string& run = request_.resume.run;
    if (run.empty()) return fmt::format("rv -H {} ps shows whether a run was started", hop_.host);
    return fmt::format("the run continues: rv -H {} logs -f {}", hop_.host, run);
  }

  Error not_started(const std::string& why) const {
    return {fmt::format("rv was not started on {}: {}", hop_.host, why),
            "if it is yours, chmod go-w it there; otherwise set cluster_home in your config.yaml, or RV_HOME on that "
            "machine, to your own folder",
            ExitCode::connection};
  }

  Error lost(const SessionEnd& end) const {
    if (!end.started && end.ssh_code == ssh_failed) return ssh_failure(end.log, hop_.host);
    if (!end.started) {
      const std::string said = end.chatter.substr(0, end.chatter.find_last_not_of("\r\n") + 1);
      return {fmt::format("the login shell of {} ended with code {} instead of starting rv{}{}", hop_.host,
                          end.ssh_code, said.empty() ? "" : ": ", said),
              fmt::format("check that ssh {} true works: some accounts may not run commands", hop_.host),
              ExitCode::connection};
    }
    return {fmt::format("the connection to {} was lost", hop_.host), hop_.when_lost, ExitCode::connection};
  }

  const Hop& hop_;
  SshConnection connection_;
  HopRequest request_;
  monitor::OutputWriter output_;
  bool terminal_ = false;
  bool filters_ = false;  // stdout is a terminal, and what the login node sends there is filtered
  TerminalFilter out_filter_{TerminalFilter::Cursor::redraws};
  int unwritten_ = 0;         // errno of a write to stdout that failed, but for a reader that has gone
  bool reader_gone_ = false;  // of our stdout
  bool unread_ = false;       // a signal came while the reader stood still: what follows is dropped
  bool given_up_ = false;
  bool silent_ = false;          // the login node, when a signal was to be passed on
  Clock::time_point part_came_;  // of the output from there
  int signal_ = 0;               // the first that came here
  int early_signal_ = 0;         // came before the command was there to get it
};

}  // namespace

void check_length(const std::vector<std::string>& words) {
  HopRequest request;
  request.words = words;
  check_size(encode(request));
}

int run_there(const Hop& hop) {
  try {
    return Journey(hop).run();
  } catch (const RefusedInput& refusal) {
    throw Error(fmt::format("{} sent {}", hop.host, refusal.what()),
                fmt::format("check that ssh {} true works, and whether another program there is called rv", hop.host),
                ExitCode::connection);
  }
}

}  // namespace rv::remote
