#include "base/os/user_name.h"

#include <unistd.h>

#include <fstream>

#include "base/variable.h"

namespace rv::os {
namespace {

/// Read by hand, because getpwuid needs shared libraries at run time.
std::string name_in_passwd(uid_t user) {
  std::ifstream passwd("/etc/passwd");
  const std::string uid = std::to_string(user);
  for (std::string line; std::getline(passwd, line);) {
    const std::size_t name_end = line.find(':');
    const std::size_t password_end = line.find(':', name_end + 1);
    if (name_end == std::string::npos || password_end == std::string::npos) continue;
    if (line.compare(password_end + 1, uid.size() + 1, uid + ":") == 0) return line.substr(0, name_end);
  }
  return {};
}

std::string name_in_environment() {
  for (const char* name : {"USER", "LOGNAME"}) {
    if (std::string value = variable(name); !value.empty()) return value;
  }
  return {};
}

}  // namespace

std::string user_name() {
  const std::string name = name_in_environment();
  return name.empty() ? name_in_passwd(::getuid()) : name;
}

std::string effective_user_name() {
  const std::string name = name_in_passwd(::geteuid());
  return name.empty() ? name_in_environment() : name;
}

}  // namespace rv::os
