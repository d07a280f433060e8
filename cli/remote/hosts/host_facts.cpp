#include "cli/remote/hosts/host_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/border/refused_input.h"
#include "base/text.h"
#include "shared/number.h"

namespace rv::remote {
namespace {

constexpr std::size_t longest_text = 200, longest_folder = 1024;
constexpr int most_gpus = 1024, most_port = 65535;

RefusedInput refused(std::string_view key, std::string_view value) {
  return RefusedInput(fmt::format("\"{}\" as its {}", one_line(value.substr(0, longest_text)), key));
}

int number_of(std::string_view key, std::string_view text, int least, int most) {
  if (const auto number = number_in<int>(text, least, most)) return *number;
  throw refused(key, text);
}

/// Letters, digits and `others`.
std::string plain_text(std::string_view key, std::string_view text, std::string_view others, std::size_t longest) {
  const bool plain = std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           others.find(c) != std::string_view::npos;
  });
  if (!plain || text.empty() || text.size() > longest) throw refused(key, text);
  return std::string(text);
}

/// $TMPDIR there, and in it the folder that rv named.
std::string folder_of(std::string_view text, std::string_view token) {
  auto folder = plain_text("folder", text, "/._+@,=~%: -", longest_folder);
  if (!folder.starts_with('/') || !folder.ends_with(fmt::format("/rv-host-{}", token)) ||
      folder.find("/../") != std::string::npos) {
    throw refused("folder", text);
  }
  return folder;
}

/// sshd's. A link-local address is not usable without its interface: it counts as unknown.
std::optional<HostAddress> address_of(std::string_view key, std::string_view text) {
  if (text == "-") return std::nullopt;
  const auto interface = text.find('%');
  auto address = HostAddress::parse(text.substr(0, interface));
  constexpr std::size_t longest_interface = 32;
  if (!address) throw refused(key, text);
  if (interface == std::string_view::npos) return address;
  plain_text(key, text.substr(interface + 1), "._-", longest_interface);
  return std::nullopt;
}

}  // namespace

void note_fact(HostFacts& facts, std::string_view words, std::string_view token) {
  const auto blank = std::min(words.find(' '), words.size());
  const auto key = words.substr(0, blank);
  const auto value = words.substr(std::min(blank + 1, words.size()));
  if (key == "system") facts.system = plain_text(key, value, "._+~ -", longest_text);
  if (key == "folder") facts.folder = folder_of(value, token);
  if (key == "gpus")
    facts.gpus = value == "unknown" ? std::nullopt : std::optional(number_of(key, value, 0, most_gpus));
  if (key == "workers") facts.has_workers = value == "same";
  if (key == "machine") facts.machine = plain_text(key, value, ":[] -", longest_text);
  if (key == "port") facts.free_port = number_of(key, value, 1, most_port);
  if (key == "address") facts.address = address_of(key, value);
  if (key == "client") facts.client = address_of(key, value);
}

MeetingPoint meeting_address(const std::vector<HostFacts>& hosts, const ListedHost& first_name) {
  const auto& first = hosts.front();
  if (!first.address) return first_name;
  if (!first.address->is_loopback()) return *first.address;
  for (const auto& other : hosts) {
    // This side is on the first host, and that is where the other saw it come from.
    if (other.client && !(other.address && other.address->is_loopback())) return *other.client;
  }
  const bool one_machine =
      std::all_of(hosts.begin(), hosts.end(), [](const auto& h) { return h.address && h.address->is_loopback(); });
  return one_machine ? MeetingPoint(*HostAddress::parse("127.0.0.1")) : MeetingPoint(first_name);
}

}  // namespace rv::remote
