#include "cli/remote/hop/ssh_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/os/process.h"
#include "base/trust/private_folder.h"
#include "base/variable.h"
#include "cli/remote/hop/session_settings.h"
#include "cli/remote/hop/ssh_failure.h"
#include "cli/remote/hop/ssh_process.h"
#include "shared/sha256.h"
#include "shared/system/descriptor.h"

namespace rv::remote {

namespace {

/// $XDG_RUNTIME_DIR/rv, else /tmp/rv-UID: a socket's path may have 107 characters, and ssh adds 17 to it for a while.
std::string control_folder() {
  constexpr std::size_t longest = 60;
  const std::string runtime = variable("XDG_RUNTIME_DIR");
  std::string folder = fmt::format("/tmp/rv-{}", ::getuid());
  if (runtime.starts_with('/') && runtime.size() < longest && ::access(runtime.c_str(), W_OK) == 0) {
    folder = runtime + "/rv";
  }
  // Others can write to /tmp: a folder or link that another user made there would receive our connections.
  try {
    trust::make_closed_folder(folder);
  } catch (const Error& fault) {
    throw Error(fault.what(), fault.advice() + "; or set XDG_RUNTIME_DIR to a folder of your own with mode 700");
  }
  return folder;
}

bool has_controlling_terminal() {
  return os::Descriptor(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)).number() >= 0;
}

/// The name of the file beside the control socket that stores ssh's configuration at the login.
constexpr const char* settings_suffix = ".settings";

}  // namespace

SshConnection::SshConnection(std::string host) : host_(std::move(host)) {
  if (host_.empty() || host_.front() == '-') {
    throw Error(fmt::format("invalid host name \"{}\"", host_), "write it like -H login.site.edu, or -H ann@login",
                ExitCode::usage);
  }
  folder_ = control_folder();
  // The same name may mean another machine for another home, whose ssh settings are others.
  socket_ = folder_ + "/" + sha256_hex(host_ + "\n" + variable("HOME")).substr(0, 16);
}

std::vector<std::string> SshConnection::options() const {
  return {"-o", "ControlPath=" + socket_,  "-o", "RemoteCommand=none",
          "-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no"};
}

std::vector<std::string> SshConnection::session(Session kind, const std::string& log,
                                                const std::string& command) const {
  std::vector<std::string> argv{"ssh", "-E", log, "-o", "BatchMode=yes", "-o", "ControlMaster=no"};
  // At the default level ssh prints on stderr that the shared connection continues.
  argv.insert(argv.end(), {"-o", "LogLevel=ERROR", kind == Session::with_terminal ? "-tt" : "-T"});
  const std::vector<std::string> common = options();
  argv.insert(argv.end(), common.begin(), common.end());
  argv.insert(argv.end(), {"--", host_, command});
  return argv;
}

std::optional<SharedSession> SshConnection::shared_session(const std::string& command) const {
  const auto noted = os::read_file(socket_ + settings_suffix);
  if (!noted) return std::nullopt;
  const SessionSettings settings = parse_session_settings(*noted);
  if (settings.forward_x11) return std::nullopt;
  return SharedSession{.socket = socket_,
                       .command = command,
                       .environment = sent_environment(settings, all_variables()),
                       .forward_agent = settings.forward_agent};
}

std::string SshConnection::new_log() const {
  std::string path = folder_ + "/log-XXXXXX";
  const os::Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
  if (file.number() < 0)
    throw Error(fmt::format("can't write in {}: {}", folder_, std::strerror(errno)), "check whether the disk is full");
  return path;
}

bool SshConnection::is_open() const {
  return connect_to(socket_).number() >= 0;
}

void SshConnection::open() const {
  if (is_open()) return;
  // Held while one rv logs in: a second one finds the connection instead of asking for a password as well.
  const auto lock = os::FileLock::wait(folder_ + "/login.lock", os::LockMode::exclusive);
  if (is_open()) return;
  ::unlink(socket_.c_str());  // left by a connection that was killed
  ::unlink((socket_ + settings_suffix).c_str());
  log_in();
}

void SshConnection::log_in() const {
  const std::string log = new_log();
  std::vector<std::string> argv{"ssh", "-M", "-N", "-f", "-T", "-E", log, "-o", "ControlPersist=8h"};
  // A laptop that wakes up elsewhere, or a network that drops connections, is noticed after a minute.
  argv.insert(argv.end(), {"-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4", "-o", "ConnectTimeout=30"});
  if (!has_controlling_terminal()) argv.insert(argv.end(), {"-o", "BatchMode=yes"});
  const std::vector<std::string> common = options();
  argv.insert(argv.end(), common.begin(), common.end());
  argv.insert(argv.end(), {"--", host_});
  const int code = run_ssh_to_background(argv);
  const std::string said = os::read_file(log).value_or("");
  ::unlink(log.c_str());
  if (code != 0) throw ssh_failure(said, host_);
  // A master whose site forbids sharing would sit there unused.
  if (!is_open())
    throw Error(fmt::format("ssh to {} did not create a shared connection", host_), "see ssh -v -M " + host_);
  note_settings();
}

void SshConnection::note_settings() const {
  std::vector<std::string> argv{"ssh", "-G"};
  const std::vector<std::string> common = options();
  argv.insert(argv.end(), common.begin(), common.end());
  argv.insert(argv.end(), {"--", host_});
  const os::Result settings = os::run({.argv = argv, .input = "", .environment = all_variables(), .folder = ""});
  if (settings.ok()) os::write_file(socket_ + settings_suffix, session_lines(settings.out));
}

}  // namespace rv::remote
