// The name of an enumeration's value, as a file of the run folder has it.
#pragma once

#include <string>
#include <string_view>

namespace rv::monitor {

/// The value with this name; `unknown` if the table of the kind has no such name. Each kind has its own table.
template <typename Kind>
Kind from_name(std::string_view name);

/// `Kind` is an enumeration with a value `unknown` and a to_string(). A name that is not in its table (a newer rv wrote
/// the file) keeps its text.
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
