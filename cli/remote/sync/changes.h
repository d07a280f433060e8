// The changes of a push or a pull, as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rv::sync {

struct Changes {
  std::vector<std::string> fresh;
  std::vector<std::string> changed;
  std::vector<std::string> gone;
  long long bytes = 0;  // of the new and changed files
  /// They lead out of the folder, and were left where they are.
  std::vector<std::string> refused_links = {};

  bool none() const { return fresh.empty() && changed.empty() && gone.empty(); }
};

/// "3 new, 2 changed, 1 gone, 12.4 KB"; "nothing changed".
std::string summary(const Changes& changes);

/// One line a path: "new      a", "changed  b", "gone     c". A name with control characters stands in quotes, as JSON
/// writes it.
std::string listing(const Changes& changes);

/// A line for each refused link.
std::string refused_links_text(const Changes& changes);

/// 999 → "999 B", 12400 → "12.4 KB"; powers of 1000.
std::string size_in_words(long long bytes);

/// The path as a person may see it.
std::string shown(const std::string& path);

/// Adds new, changed, gone and bytes to the document.
void add_changes(nlohmann::ordered_json& json, const Changes& changes);

}  // namespace rv::sync
