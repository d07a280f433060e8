#include "base/border/active_content.h"

#include <algorithm>
#include <array>
#include <string>

namespace rv {
namespace {

/// Shown as text by every browser, whatever is in them.
constexpr std::array<std::string_view, 9> text_extensions{"csv",  "json", "jsonl", "log", "md",
                                                          "toml", "txt",  "yaml",  "yml"};
constexpr std::array<std::string_view, 22> page_extensions{
    "desktop", "eml",  "hta", "htm", "html",       "js",     "mht", "mhtml", "mjs", "pdf", "shtml",
    "svg",     "svgz", "swf", "url", "webarchive", "webloc", "xht", "xhtml", "xml", "xsl", "xul"};

/// In lower case; empty if it has none.
std::string lower_extension(std::string_view name) {
  const auto base = name.substr(name.rfind('/') + 1);
  const auto dot = base.rfind('.');
  if (dot == std::string_view::npos) return "";
  std::string extension(base.substr(dot + 1));
  for (auto& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

template <class List>
bool lists(const List& list, const std::string& extension) {
  return std::find(list.begin(), list.end(), extension) != list.end();
}

/// Behind byte order marks, blanks and NULs: "<" for HTML and XML, "%PDF-".
bool begins_as_page(std::string_view content) {
  const auto begin = content.find_first_not_of(std::string_view("\xEF\xBB\xBF\xFE\xFF \t\n\v\f\r\0", 12));
  if (begin == std::string_view::npos) return false;
  return content[begin] == '<' || content.substr(begin).starts_with("%PDF-");
}

}  // namespace

bool has_active_content(std::string_view name, std::string_view content) {
  const auto extension = lower_extension(name);
  if (lists(text_extensions, extension)) return false;
  return lists(page_extensions, extension) || begins_as_page(content);
}

}  // namespace rv
