#include "cli/open/page_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/border/checked_name.h"
#include "reports/pages/html.h"

namespace rv::cli {

namespace {

constexpr std::size_t longest = 2000;
constexpr std::string_view token_word = "?token=";

bool is_plain(char c) {
  const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter_or_digit || std::string_view("-._~%").find(c) != std::string_view::npos;
}

bool is_page(std::string_view text) {
  const std::size_t query = std::min(text.find('?'), text.size());
  const std::string_view path = text.substr(0, query);
  std::string_view token = text.substr(query);
  if (!token.empty() && !token.starts_with(token_word)) return false;
  token.remove_prefix(token.empty() ? 0 : token_word.size());
  return text.size() <= longest && path.starts_with('/') && path.find("//") == std::string_view::npos &&
         std::all_of(path.begin(), path.end(), [](char c) { return c == '/' || is_plain(c); }) &&
         std::all_of(token.begin(), token.end(), is_plain);
}

constexpr NameRule page_rule{
    .what = "page", .expected = "a path like /lab, followed at most by ?token=", .allows = is_page};

}  // namespace

PagePath::PagePath(std::string text) : text_(std::move(text)) {
  check_name(page_rule, text_);
}

std::string page_address(bool secure, int local_port, const PagePath& page) {
  return fmt::format("{}://127.0.0.1:{}{}", secure ? "https" : "http", local_port, page.text());
}

std::string redirection_page(const std::string& address) {
  // The policy does not hold for the redirection itself.
  return fmt::format(
      "<!DOCTYPE html><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">"
      "<meta name=\"referrer\" content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0;url={}\">\n",
      pages::escape_html(address));
}

}  // namespace rv::cli
