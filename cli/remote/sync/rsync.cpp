#include "cli/remote/sync/rsync.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "base/border/checked_name.h"
#include "base/error.h"
#include "base/os/patient_write.h"
#include "base/os/random_bytes.h"
#include "base/os/streamed_command.h"
#include "base/os/terminal.h"
#include "base/os/unnamed_file.h"
#include "base/variable.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hop/self_install.h"
#include "cli/remote/sync/inside_path.h"
#include "cli/remote/sync/rsync_shell.h"
#include "shared/system/descriptor.h"

namespace rv::sync {

namespace {

// rsync's own exit codes, rsync(1).
constexpr int some_vanished = 24;
constexpr int some_failed = 23;
constexpr int interrupted = 20;
constexpr int not_started = 127;

/// A file without a name, at its beginning, for a child's stdin.
os::Descriptor holding(const std::string& content) {
  auto file = os::unnamed_file();
  const auto written = os::write_patiently(file.number(), content, [] { return false; });
  if (written != os::Written::all || ::lseek(file.number(), 0, SEEK_SET) != 0) {
    throw Error("no space for the list of files", "close some programs, or set TMPDIR to a folder with room");
  }
  return file;
}

std::string listed(const std::vector<std::string>& paths) {
  // rsync takes a line that begins with # or ; for a comment, even among names that end with NUL.
  std::string text;
  for (const auto& path : paths) {
    text += "./" + path;
    text += '\0';
  }
  return text;
}

std::vector<std::string> environment() {
  auto variables = all_variables();
  std::erase_if(variables, [](const std::string& text) {
    return text.starts_with("LC_ALL=") || text.starts_with("TZ=") || text.starts_with("RSYNC_");
  });
  variables.emplace_back("LC_ALL=C");
  variables.emplace_back("TZ=UTC");
  return variables;
}

class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted) {}
  ~Progress() {
    if (shown_) os::move_cursor(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void take(std::string_view line) {
    const auto text = wanted_ ? parse_progress(line) : std::nullopt;
    if (!text) return;
    os::move_cursor(stderr, "\r\033[K");
    fmt::print(stderr, "rv: {}", *text);
    shown_ = true;
  }

 private:
  bool wanted_;
  bool shown_ = false;
};

class OneRsync {
 public:
  explicit OneRsync(const RsyncOrder& order) : order_(order), token_(os::random_hex(8)) {}

  RsyncEnd run() {
    const int code = start();
    if (failure_ && failure_->code() == ExitCode::connection && !end_.folder.empty()) {
      throw Error(failure_->what(), "the files that have arrived stay; the same command transfers the rest",
                  ExitCode::connection);
    }
    if (failure_) throw *failure_;
    if (!end_.absent && !installed_ && code != 0 && code != some_vanished) throw trouble(code);
    return std::move(end_);
  }
  /// rv had to be copied to the login node first, and the bytes that rsync had sent by then are lost.
  bool installed() const { return installed_; }

 private:
  std::vector<std::string> argv() const {
    std::vector<std::string> words{"rsync", "-lpt", "--no-human-readable", "--chmod=Du+rwx"};
    // An interrupted transfer resumes, and never writes into a file that has other hard links.
    words.insert(words.end(), {"--partial-dir=.rv-partial", fmt::format("--out-format={}", out_format)});
    words.insert(words.end(), order_.options.begin(), order_.options.end());
    if (order_.shows_progress) words.emplace_back("--info=progress2");
    if (order_.paths) words.insert(words.end(), {"--from0", "--files-from=-"});
    std::string source = order_.local_folder;
    if (!order_.there.host.empty()) {
      words.insert(words.end(), {"-e", shell()});
      // What comes here has no links that lead out of its folder, and no program that others would run as this user.
      // Without name1 rsync does not report the links.
      if (!order_.to_cluster) words.insert(words.end(), {"--safe-links", "--info=name1,symsafe1", "--chmod=ug-s"});
      // Sources shrink; what a run has made rarely does.
      if (order_.place != RsyncTarget::output) words.emplace_back("-z");
      source = "x:./";
    }
    words.emplace_back(order_.to_cluster ? "./" : source);
    words.emplace_back(order_.to_cluster ? source : "./");
    return words;
  }

  std::string shell() const {
    return rsync_shell({.token = token_,
                        .host = order_.there.host,
                        .home = remote::home_word(order_.there.cluster_home),
                        .place = order_.place,
                        .name = order_.name});
  }

  int start() {
    const os::Descriptor list = holding(listed(order_.paths.value_or(std::vector<std::string>())));
    Progress progress(order_.shows_progress);
    std::string refused_path;
    Lines lines([&](std::string_view line) {
      if (auto transfer = parse_transfer(line)) {
        if (!is_inside(transfer->path)) refused_path = transfer->path;
        end_.transfers.push_back(std::move(*transfer));
      } else if (auto link = parse_refused_link(line)) {
        end_.refused_links.push_back(std::move(*link));
      } else {
        progress.take(line);
      }
    });
    remote::MarkReader marks(token_);
    const remote::MarkReader::Sink sink{.text = [&](std::string_view bytes) { said_ += bytes; },
                                        .mark = [&](std::string_view words, std::string_view) { take_mark(words); }};
    const int code = os::run_streamed({.argv = argv(),
                                       .environment = environment(),
                                       .folder = order_.folder,
                                       .input = list.number(),
                                       .out = [&](std::string_view bytes) { lines.feed(bytes); },
                                       .err = [&](std::string_view bytes) { marks.feed(bytes, sink); }});
    said_ += marks.rest();
    if (!refused_path.empty()) {
      throw Error(fmt::format("rsync names a file outside of the folder: {}", printable(refused_path)),
                  "the other machine sent that name; nothing is done with it");
    }
    return code;
  }

  void take_mark(std::string_view words) {
    if (words == "installed") {
      installed_ = true;
    } else if (words == "copy is open") {
      end_.copy_is_open = true;
    } else if (words.starts_with("copy trouble ")) {
      end_.copy_trouble = std::string(words.substr(std::string_view("copy trouble ").size()));
    } else if (words == "absent") {
      end_.absent = true;
    } else if (words.starts_with("folder ")) {
      end_.folder = std::string(words.substr(7));
    } else if (words.starts_with("run ")) {
      end_.run = std::string(words.substr(4));
    } else if (const auto error = parse_failure(words)) {
      failure_ = *error;
    }
  }

  Error trouble(int code) const {
    const std::string line = said_.substr(0, said_.find('\n'));
    if (code == not_started && said_.empty()) {
      return {"rsync can't be started on this machine",
              "install it (Debian: rsync); rv run --no-sync works without it"};
    }
    if (code == interrupted || code == 128 + SIGINT || code == 128 + SIGTERM) {
      return {"interrupted; the next transfer continues", "", ExitCode::interrupted};
    }
    if (code == some_failed && line.find("could not make way") != std::string::npos) {
      return {fmt::format("a folder is on one side where a file is on the other: {}", line),
              "remove or rename one of the two"};
    }
    if (code == some_failed) {
      return {fmt::format("some files could not be copied: {}", line), "make it readable, or name it in .rvignore"};
    }
    return {fmt::format("rsync failed with code {}{}{}", code, line.empty() ? "" : ": ", line),
            order_.there.host.empty() ? "check whether the disk is full" : "try again; check whether a disk is full"};
  }

  const RsyncOrder& order_;
  std::string token_;
  RsyncEnd end_;
  bool installed_ = false;
  std::optional<Error> failure_;
  std::string said_;
};

}  // namespace

RsyncEnd run_rsync(const RsyncOrder& order) {
  OneRsync first(order);
  RsyncEnd end = first.run();
  if (!first.installed()) return end;
  OneRsync second(order);
  end = second.run();
  if (second.installed()) {
    throw Error(fmt::format("rv was copied to {}, but is missing there", order.there.host),
                "if several machines share that name without a shared home, name one of them", ExitCode::connection);
  }
  return end;
}

}  // namespace rv::sync
