#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "shared/number.h"
#include "workers/ranks/ranks.h"

namespace rv::workers {
namespace {

/// Expands "1-3" or "07" between a prefix and a suffix; leading zeros are kept.
void expand_range(std::string_view range, const std::string& prefix, std::string_view suffix,
                  std::vector<std::string>& names) {
  const auto dash = range.find('-');
  const auto low = range.substr(0, dash), high = dash == std::string_view::npos ? low : range.substr(dash + 1);
  const auto from = number_in<unsigned>(low), to = number_in<unsigned>(high);
  if (!from || !to || *to < *from || *to - *from > 65536) {
    throw std::invalid_argument(fmt::format("\"{}\" is not a range of host numbers", range));
  }
  for (auto i = *from; i <= *to; ++i) names.push_back(fmt::format("{}{:0{}}{}", prefix, i, low.size(), suffix));
}

}  // namespace

std::vector<std::string> expand_nodelist(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    // An item ends at a comma outside brackets.
    std::size_t end = 0;
    for (bool inside = false; end < text.size() && (inside || text[end] != ','); ++end) {
      if (text[end] == '[') inside = true;
      if (text[end] == ']') inside = false;
    }
    const auto item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto open = item.find('['), close = item.find(']');
    if (open == std::string_view::npos) {
      names.emplace_back(item);
      continue;
    }
    if (close == std::string_view::npos || close < open) {
      throw std::invalid_argument(fmt::format("\"{}\" is not a list of hosts: a bracket is not closed", item));
    }
    auto ranges = item.substr(open + 1, close - open - 1);
    while (!ranges.empty()) {
      const auto range = ranges.substr(0, ranges.find(','));
      ranges.remove_prefix(std::min(range.size() + 1, ranges.size()));
      expand_range(range, std::string(item.substr(0, open)), item.substr(close + 1), names);
    }
  }
  if (names.empty()) throw std::invalid_argument("an empty list of hosts");
  return names;
}

std::vector<std::string> own_names() {
  std::vector<std::string> names;
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) {
    names.emplace_back(host.data());
    const auto dot = names.front().find('.');
    if (dot != std::string::npos) names.push_back(names.front().substr(0, dot));
  }
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return names;
  for (const auto* i = list; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr) continue;
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* address = nullptr;
    if (i->ifa_addr->sa_family == AF_INET) address = &reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr;
    if (i->ifa_addr->sa_family == AF_INET6) address = &reinterpret_cast<const sockaddr_in6*>(i->ifa_addr)->sin6_addr;
    if (address != nullptr && inet_ntop(i->ifa_addr->sa_family, address, text.data(), text.size()) != nullptr) {
      names.emplace_back(text.data());
    }
  }
  freeifaddrs(list);
  return names;
}

std::string own_full_name() {
  const auto names = own_names();
  if (names.empty()) return "";
  addrinfo hints{};
  hints.ai_flags = AI_CANONNAME;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  auto name = names.front();
  if (getaddrinfo(name.c_str(), nullptr, &hints, &found) == 0 && found != nullptr) {
    // An alias of another host does not count as a name of this one.
    if (found->ai_canonname != nullptr && std::string_view(found->ai_canonname).starts_with(name + ".")) {
      name = found->ai_canonname;
    }
    freeaddrinfo(found);
  }
  return name;
}

}  // namespace rv::workers
