// Words that name a host, checked before they reach another host's script, a folder's name or ssh.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rv::remote {

/// The name of a host in --hosts, by host_name_rule. It is not an option of ssh, not a hidden file and does not leave a
/// folder.
class ListedHost {
 public:
  static std::optional<ListedHost> parse(std::string_view text);

  const std::string& text() const { return text_; }
  operator const std::string&() const { return text_; }  // NOLINT(google-explicit-constructor): every name is a string

  bool operator==(const ListedHost&) const = default;

 private:
  explicit ListedHost(std::string_view text) : text_(text) {}

  std::string text_;
};

/// A numeric IPv4 or IPv6 address without an interface, as inet_pton takes it.
class HostAddress {
 public:
  static std::optional<HostAddress> parse(std::string_view text);

  const std::string& text() const { return text_; }
  bool is_loopback() const;
  bool operator==(const HostAddress&) const = default;

 private:
  explicit HostAddress(std::string_view text) : text_(text) {}

  std::string text_;
};

/// The rendezvous of the ranks: an address or a name, both checked.
class MeetingPoint {
 public:
  MeetingPoint(const ListedHost& name) : text_(name.text()) {}         // NOLINT(google-explicit-constructor)
  MeetingPoint(const HostAddress& address) : text_(address.text()) {}  // NOLINT(google-explicit-constructor)

  const std::string& text() const { return text_; }
  bool operator==(const MeetingPoint&) const = default;

 private:
  std::string text_;
};

}  // namespace rv::remote
