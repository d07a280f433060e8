#include "cli/remote/forward/listening_ports.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace rv::forward {

namespace {

constexpr std::string_view listening = "0A";
constexpr std::size_t longest_address = 16;

template <typename Number>
bool read_number(std::string_view text, Number& number, int base) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return fault == std::errc() && end == text.data() + text.size();
}

struct Line {
  std::string state;
  std::optional<Listener> listener;
};

/// The kernel writes each 32 bits of an address as a number of this machine's byte order.
bool read_address(std::string_view digits, std::string& address) {
  if (digits.size() != 8 && digits.size() != 32) return false;
  for (; !digits.empty(); digits.remove_prefix(8)) {
    std::uint32_t word = 0;
    if (!read_number(digits.substr(0, 8), word, 16)) return false;
    std::array<char, sizeof word> bytes;
    std::memcpy(bytes.data(), &word, sizeof word);
    address.append(bytes.data(), bytes.size());
  }
  return true;
}

Line read_line(const std::string& text) {
  // number, local, remote, state, queues, timer, retransmits, user, time-out, inode
  constexpr std::size_t columns = 10;
  std::istringstream words(text);
  std::array<std::string, columns> cells;
  for (std::string& cell : cells) words >> cell;
  Line line{.state = cells[3], .listener = std::nullopt};
  Listener found;
  const std::string_view local = cells[1];
  const std::size_t colon = local.rfind(':');
  if (line.state == listening && colon != std::string_view::npos &&
      read_address(local.substr(0, colon), found.address) && read_number(local.substr(colon + 1), found.port, 16) &&
      read_number(cells[7], found.user, 10) && read_number(cells[9], found.inode, 10)) {
    line.listener = found;
  }
  return line;
}

/// `listeners_first`: as the kernel writes its tables, so that a busy node's connections need not be read.
std::vector<Listener> read(std::istream& text, bool listeners_first) {
  std::vector<Listener> listeners;
  std::string words;
  for (bool title = true; std::getline(text, words); title = false) {
    const Line line = read_line(words);
    if (line.listener) listeners.push_back(*line.listener);
    if (listeners_first && !title && line.state != listening) break;
  }
  return listeners;
}

std::string any_address(std::size_t bytes) {
  return std::string(bytes, '\0');
}

}  // namespace

std::vector<Listener> parse_listeners(std::string_view text) {
  std::istringstream lines{std::string(text)};
  return read(lines, /*listeners_first=*/false);
}

std::vector<Listener> read_listeners(const std::string& proc) {
  std::vector<Listener> listeners;
  for (const char* table : {"/net/tcp", "/net/tcp6"}) {
    std::ifstream file(proc + table);
    const auto found = read(file, /*listeners_first=*/true);
    listeners.insert(listeners.end(), found.begin(), found.end());
  }
  return listeners;
}

std::vector<Listener> receivers(const std::vector<Listener>& listeners, const std::string& address, int port) {
  const auto bound_to = [&](const auto& fits) {
    std::vector<Listener> found;
    std::copy_if(listeners.begin(), listeners.end(), std::back_inserter(found),
                 [&](const Listener& listener) { return listener.port == port && fits(listener.address); });
    return found;
  };
  auto found = bound_to([&](const std::string& own) { return unmapped(own) == address; });
  if (found.empty()) found = bound_to([&](const std::string& own) { return own == any_address(address.size()); });
  if (found.empty()) found = bound_to([&](const std::string& own) { return own == any_address(longest_address); });
  return found;
}

std::string address_bytes(const std::string& digits) {
  std::array<char, longest_address> bytes{};
  if (::inet_pton(AF_INET, digits.c_str(), bytes.data()) == 1) return {bytes.data(), 4};
  if (::inet_pton(AF_INET6, digits.c_str(), bytes.data()) == 1) return {bytes.data(), bytes.size()};
  return {};
}

std::string unmapped(const std::string& address) {
  static const std::string mapped = address_bytes("::ffff:0.0.0.0").substr(0, 12);
  return address.size() == longest_address && address.starts_with(mapped) ? address.substr(mapped.size()) : address;
}

}  // namespace rv::forward
