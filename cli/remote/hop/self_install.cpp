#include "cli/remote/hop/self_install.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "base/version.h"
#include "cli/remote/hop/build_id.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hop/remote_script.h"
#include "cli/remote/hop/ssh_failure.h"
#include "cli/remote/hop/ssh_process.h"
#include "shared/sha256.h"

namespace rv::remote {

std::string home_word(const std::string& cluster_home) {
  return cluster_home.empty() ? "-" : cluster_home;
}

void install(const SshConnection& connection, const std::string& cluster_home, const std::string& system) {
  check_system(system, connection.host());
  const std::string binary = own_binary();
  const double megabytes = static_cast<double>(binary.size()) / 1e6;
  fmt::print(stderr, "rv: copying rv {} ({:.1f} MB) to {}\n", version, megabytes, connection.host());
  const std::string token = os::random_hex(8);
  const std::string command =
      remote_command("install.sh", {binary_name(), home_word(cluster_home), token, sha256_hex(binary)});
  MarkReader marks(token);
  std::optional<std::string> said;
  const MarkReader::Sink sink{.text = [](std::string_view) {},
                              .mark = [&](std::string_view words, std::string_view) { said = std::string(words); }};
  int signal = 0;
  const std::string log = connection.new_log();
  run_ssh(connection.session(Session::plain, log, command), {.bytes = binary,
                                                             .output =
                                                                 [&](std::string_view bytes) {
                                                                   marks.feed(bytes, sink);
                                                                   return true;
                                                                 },
                                                             .signalled =
                                                                 [&](int number) {
                                                                   signal = number;
                                                                   return false;
                                                                 }});
  const std::string trouble = os::read_file(log).value_or("");
  ::unlink(log.c_str());
  if (said == "installed") return;
  if (!said && signal != 0) {
    throw Error(fmt::format("rv was not copied to {}: interrupted", connection.host()),
                "the next command copies it again", static_cast<ExitCode>(128 + signal));
  }
  if (!said) throw ssh_failure(trouble, connection.host());
  throw install_failure(said->substr(std::min(said->find(' '), said->size())), connection.host());
}

}  // namespace rv::remote
