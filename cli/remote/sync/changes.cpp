#include "cli/remote/sync/changes.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/terminal_text.h"
#include "shared/documents/json_dump.h"

namespace rv::sync {

std::string size_in_words(long long bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr std::array units = {"KB", "MB", "GB", "TB", "PB"};
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; amount >= 999.95 && unit + 1 < units.size(); ++unit) amount /= 1000;
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string shown(const std::string& path) {
  return !has_control_character(path) ? path : json_dump(nlohmann::json(path));
}

std::string summary(const Changes& changes) {
  if (changes.none()) return "nothing changed";
  std::string text;
  const auto add = [&](std::size_t count, const char* word) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  };
  add(changes.fresh.size(), "new");
  add(changes.changed.size(), "changed");
  add(changes.gone.size(), "gone");
  if (!changes.fresh.empty() || !changes.changed.empty()) text += ", " + size_in_words(changes.bytes);
  return text;
}

std::string listing(const Changes& changes) {
  std::string text;
  for (const auto& path : changes.fresh) text += fmt::format("new      {}\n", shown(path));
  for (const auto& path : changes.changed) text += fmt::format("changed  {}\n", shown(path));
  for (const auto& path : changes.gone) text += fmt::format("gone     {}\n", shown(path));
  return text;
}

std::string refused_links_text(const Changes& changes) {
  std::string text;
  for (const auto& link : changes.refused_links) {
    text += fmt::format("rv: the link {} leads out of its folder; it stays on the cluster\n", shown(link));
  }
  return text;
}

void add_changes(nlohmann::ordered_json& json, const Changes& changes) {
  json["new"] = changes.fresh;
  json["changed"] = changes.changed;
  json["gone"] = changes.gone;
  json["bytes"] = changes.bytes;
}

}  // namespace rv::sync
