#include "reports/pages/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/embedded_file.h"
#include "reports/pages/html.h"
#include "reports/pages/live_chart.h"

namespace rv::pages {
namespace {

std::string_view file_named(std::string_view name) {
  const auto files = embedded::page_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const auto& one) { return one.name == name; });
  return found == files.end() ? std::string_view() : found->text;
}

/// Without the line that sends a browser's tools to the network for its source.
std::string_view library() {
  const auto text = file_named("dygraph.min.js");
  return text.substr(0, text.find("\n//# sourceMappingURL"));
}

/// Nothing of the page may load anything.
constexpr auto policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

std::string id_of(std::size_t number) {
  return fmt::format("part-{}", number + 1);
}

std::string about_html(const About& about) {
  std::string out = "<dl class=\"about\">\n";
  for (const auto& [name, value] : {std::pair{"host", &about.host},
                                    {"when", &about.when},
                                    {"duration", &about.duration},
                                    {"by", &about.who},
                                    {"driver", &about.driver},
                                    {"versions", &about.versions}}) {
    out += fmt::format("<div><dt>{}</dt><dd{}>{}</dd></div>\n", name, value->empty() ? " class=\"unknown\"" : "",
                       value->empty() ? "not known" : escape_html(*value));
  }
  return out + "</dl>\n";
}

}  // namespace

Page::Page(std::string title, std::string style) : title_(std::move(title)), style_(std::move(style)) {}

void Page::heading(std::string html) {
  heading_ = std::move(html);
}

void Page::lead(const std::string& html) {
  lead_ += html;
}

void Page::section(const std::string& title, const std::string& html) {
  if (!html.empty()) sections_.push_back({title, html});
}

std::string Page::html(const About& about) const {
  auto out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n",
      policy, escape_html(title_), file_named("page.css"), style_);
  out += fmt::format("<header>\n<h1>{}</h1>\n{}{}</header>\n", heading_, about_html(about), lead_);
  if (sections_.size() > 1) {
    out += "<nav aria-label=\"contents\"><ol>\n";
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id_of(i), escape_html(sections_[i].title));
    }
    out += "</ol></nav>\n";
  }
  out += "<main>\n";
  bool moves = false;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    out += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id_of(i), escape_html(sections_[i].title),
                       sections_[i].html);
    moves = moves || has_live_chart(sections_[i].html);
  }
  out += "</main>\n";
  if (moves && charts_move()) {
    // The licence asks to be where the library is.
    out += fmt::format(
        "<script type=\"text/plain\" id=\"licence\">\n{}</script>\n<script>{}\n</script>\n<script>\n{}</script>\n",
        file_named("copyright"), library(), file_named("page.js"));
  }
  return out + "</body>\n</html>\n";
}

bool charts_move() {
  return !library().empty();
}

}  // namespace rv::pages
