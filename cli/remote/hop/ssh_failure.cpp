#include "cli/remote/hop/ssh_failure.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <array>
#include <charconv>
#include <vector>

#include "base/text.h"

namespace rv::remote {

namespace {

struct Kind {
  const char* words;  // OpenSSH's
  const char* message;
  const char* advice;  // {} is the host
};

// The first that is found counts. The words are those of OpenSSH 7.4 to 9.9, which are not translated.
constexpr std::array kinds{
    Kind{"Could not resolve hostname", "the address of {} is unknown",
         "check the name, your network or VPN, and the Host entries in ~/.ssh/config"},
    Kind{"REMOTE HOST IDENTIFICATION HAS CHANGED", "{} shows a host key that differs from the earlier one",
         "ask your site whether the key was changed; if so, remove the old one: ssh-keygen -R {}"},
    Kind{"Host key verification failed", "the host key of {} is not known or was not accepted",
         "run ssh {} once in a terminal and compare the fingerprint with your site's"},
    Kind{"Too many authentication failures", "{} ended the login after too many keys",
         "name the right key in ~/.ssh/config: IdentityFile and IdentitiesOnly yes"},
    Kind{"Permission denied", "{} refused the login",
         "try ssh {}; check user name, key (ssh-add -l) and password; without a terminal rv can't ask for one"},
    Kind{"Connection refused", "{} answers, but no ssh server listens there", "check the port in ~/.ssh/config"},
    Kind{"timed out", "{} did not answer in time",
         "check that you are on the site's network or VPN; ssh -v {} shows where it stops"},
    Kind{"No route to host", "{} can't be reached from this network",
         "check that you are on the site's network or VPN"},
    Kind{"Network is unreachable", "{} can't be reached from this network",
         "check that you are on the site's network or VPN"},
    Kind{"Bad configuration option", "ssh does not understand its configuration", "see ssh -G {}"},
    Kind{"Connection closed", "{} closed the connection during the login",
         "the server may be busy or refuse this address: wait a little, then try ssh -v {}"},
    Kind{"Connection reset", "{} closed the connection during the login",
         "the server may be busy or refuse this address: wait a little, then try ssh -v {}"},
};

std::string last_line(std::string_view text) {
  const auto lines = last_lines(text, 1);
  auto line = lines.empty() ? std::string_view() : lines.front();
  // Who says it is named beside it.
  if (constexpr std::string_view itself = "ssh: "; line.starts_with(itself)) line.remove_prefix(itself.size());
  return one_line(line);
}

std::string filled(std::string_view pattern, const std::string& host) {
  return fmt::format(fmt::runtime(pattern), host);
}

/// "5.14.0-70.el9" → {5, 14}.
std::array<int, 2> release(std::string_view text) {
  std::array<int, 2> numbers{};
  const auto major = std::from_chars(text.data(), text.data() + text.size(), numbers[0]);
  if (major.ptr != text.data() + text.size()) {
    std::from_chars(major.ptr + 1, text.data() + text.size(), numbers[1]);
  }
  return numbers;
}

}  // namespace

Error ssh_failure(std::string_view log, const std::string& host) {
  for (const Kind& kind : kinds) {
    if (log.find(kind.words) == std::string_view::npos) continue;
    return {fmt::format("{} (ssh: {})", filled(kind.message, host), last_line(log)), filled(kind.advice, host),
            ExitCode::connection};
  }
  const std::string line = last_line(log);
  return {fmt::format("the connection to {} failed{}", host, line.empty() ? "" : fmt::format(" (ssh: {})", line)),
          fmt::format("ssh -v {} shows where it stops", host), ExitCode::connection};
}

bool session_refused(std::string_view log) {
  return log.find("Session open refused by peer") != std::string_view::npos;
}

Error install_failure(std::string_view text, const std::string& host) {
  const std::string said = last_line(text);
  std::string advice = fmt::format("try again; ssh {} shows whether rv's home there can be written", host);
  if (text.find("No space left") != std::string_view::npos || text.find("quota") != std::string_view::npos) {
    advice = "free some space there, or choose another folder: cluster_home in your config.yaml";
  } else if (text.find("Permission denied") != std::string_view::npos ||
             text.find("belongs to another user") != std::string_view::npos ||
             text.find("Read-only") != std::string_view::npos) {
    advice = "set cluster_home in your config.yaml to your own folder there";
  } else if (text.find("kernel too old") != std::string_view::npos) {
    advice = "its Linux is too old for this rv: 3.2 or newer is needed";
  } else if (text.find("xec format error") != std::string_view::npos) {
    advice = "this rv was built for other processors";
  } else if (text.find("checksum") != std::string_view::npos) {
    advice = "the copy was incomplete or damaged: try again";
  }
  return {fmt::format("rv can't be copied to {}: {}", host, said.empty() ? "no reason was given" : said), advice,
          ExitCode::connection};
}

Error unreadable_system(std::string_view why, const std::string& host) {
  return {
      fmt::format("the system of {} can't be read: {}", host, why),
      fmt::format("check the PATH that a start-up file there sets, such as ~/.bashrc: ssh {} uname -a must work", host),
      ExitCode::connection};
}

void check_system(std::string_view system, const std::string& host) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= system.size();) {
    const std::size_t end = std::min(system.find(' ', at), system.size());
    words.emplace_back(system.substr(at, end - at));
    at = end + 1;
  }
  words.resize(3);
  utsname here{};
  ::uname(&here);
  if (words[0].empty()) throw unreadable_system("uname printed nothing", host);
  if (words[0] != "Linux") {
    throw Error(fmt::format("{} runs {}, and rv runs on Linux only", host, words[0]),
                "name a login node of the cluster", ExitCode::connection);
  }
  if (words[1] != here.machine) {
    throw Error(fmt::format("{} has {} processors, but this rv is built for {}", host, words[1], here.machine),
                fmt::format("build rv there, and run it there: ssh {}", host), ExitCode::connection);
  }
  // The oldest kernel that a static program with glibc 2.26 and later starts on.
  if (release(words[2]) < std::array<int, 2>{3, 2}) {
    throw Error(fmt::format("{} runs Linux {}, which is too old for rv", host, words[2]),
                "Linux 3.2 or newer is needed: ask for a newer login node", ExitCode::connection);
  }
}

}  // namespace rv::remote
