#include "remote/hosts/host_facts.h"

#include <algorithm>
#include <charconv>

namespace rv::remote {
namespace {

std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || fault != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

/// sshd's; a link-local one means nothing without its interface.
std::string usable(std::string_view address) {
  return address == "-" || address.find('%') != std::string_view::npos ? "" : std::string(address);
}

}  // namespace

void note_fact(HostFacts& facts, std::string_view words) {
  const auto blank = std::min(words.find(' '), words.size());
  const auto key = words.substr(0, blank);
  const auto value = words.substr(std::min(blank + 1, words.size()));
  if (key == "system") facts.system = std::string(value);
  if (key == "folder") facts.folder = std::string(value);
  if (key == "gpus") facts.gpus = number_of(value);
  if (key == "workers") facts.has_workers = value == "same";
  if (key == "machine") facts.machine = std::string(value);
  if (key == "port") facts.free_port = number_of(value).value_or(0);
  if (key == "address") facts.address = usable(value);
  if (key == "client") facts.client = usable(value);
}

std::string meeting_address(const std::vector<HostFacts>& hosts, const std::string& first_name) {
  const auto& first = hosts.front();
  if (first.address.empty()) return first_name;
  if (!is_loopback(first.address)) return first.address;
  for (const auto& other : hosts) {
    // This side is on the first host, and that is where the other saw it come from.
    if (!other.client.empty() && !is_loopback(other.address)) return other.client;
  }
  const bool one_machine =
      std::all_of(hosts.begin(), hosts.end(), [](const auto& h) { return is_loopback(h.address); });
  return one_machine ? "127.0.0.1" : first_name;
}

}  // namespace rv::remote
