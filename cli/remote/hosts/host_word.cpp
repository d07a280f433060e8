#include "cli/remote/hosts/host_word.h"

#include <arpa/inet.h>

#include <array>

#include "base/border/checked_name.h"

namespace rv::remote {
namespace {

bool is_numeric(int family, const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(family, text.c_str(), bytes.data()) == 1;
}

}  // namespace

std::optional<ListedHost> ListedHost::parse(std::string_view text) {
  return host_name_rule.allows(text) ? std::optional(ListedHost(text)) : std::nullopt;
}

std::optional<HostAddress> HostAddress::parse(std::string_view text) {
  const std::string word(text);
  // inet_pton reads up to a NUL.
  if (word.find('\0') != std::string::npos) return std::nullopt;
  return is_numeric(AF_INET, word) || is_numeric(AF_INET6, word) ? std::optional(HostAddress(text)) : std::nullopt;
}

bool HostAddress::is_loopback() const {
  return text_.starts_with("127.") || text_ == "::1";
}

}  // namespace rv::remote
