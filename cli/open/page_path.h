// The page of a server on a run's node, as the login node names it.
#pragma once

#include <string>

namespace rv::cli {

/// What follows "http://127.0.0.1:PORT": a path, and at most a token. No host, port, user or scheme can be in it, and
/// no character that is special in HTML or a shell.
class PagePath {
 public:
  /// "/lab?token=0a1b": letters, digits and - . _ ~ % / without "//", then "?token=" and letters, digits and - . _ ~ %.
  /// Throws Error.
  explicit PagePath(std::string text);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The page's address on this machine.
std::string page_address(bool secure, int local_port, const PagePath& page);

/// A page for a browser that sends it on to `address`, and from which no script runs.
std::string redirection_page(const std::string& address);

}  // namespace rv::cli
