// The name of an enumeration's value, as stored in a file of the run folder.
#pragma once

#include <string>
#include <string_view>

namespace rv::monitor {

/// Returns the value with this name; `unknown` if the table of the enumeration does not have it. Each enumeration has
/// its own table.
template <typename Kind>
Kind from_name(std::string_view name);

/// A value of `Kind`, an enumeration with a value `unknown` and a to_string(). If its table does not have the name,
/// because a newer rv wrote the file, the text of the name is kept.
template <typename Kind>
class StoredName {
 public:
  StoredName() = default;
  StoredName(Kind kind) : kind_(kind) {}

  static StoredName read(std::string_view text) {
    StoredName name(from_name<Kind>(text));
    if (name.kind_ == Kind::unknown) name.foreign_ = text;
    return name;
  }

  Kind kind() const { return kind_; }
  std::string text() const { return kind_ == Kind::unknown ? foreign_ : std::string(to_string(kind_)); }

  bool operator==(Kind kind) const { return kind_ == kind; }
  bool operator==(const StoredName& other) const = default;

 private:
  Kind kind_ = Kind::unknown;
  std::string foreign_;
};

}  // namespace rv::monitor
