// A word of a closed list, as a file holds it.
#pragma once

#include <string>
#include <string_view>

namespace rv::monitor {

/// What a word of a file stands for; `unknown` for one that is not in the kind's table. Each kind has its own.
template <typename Kind>
Kind from_word(std::string_view word);

/// `Kind` is an enumeration with a value `unknown` and a to_string(). A word that is not in its table (a newer rv wrote
/// the file) keeps its text.
template <typename Kind>
class FileWord {
 public:
  FileWord() = default;
  FileWord(Kind kind) : kind_(kind) {}

  static FileWord read(std::string_view text) {
    FileWord word(from_word<Kind>(text));
    if (word.kind_ == Kind::unknown) word.foreign_ = text;
    return word;
  }

  Kind kind() const { return kind_; }
  std::string text() const { return kind_ == Kind::unknown ? foreign_ : std::string(to_string(kind_)); }

  bool operator==(Kind kind) const { return kind_ == kind; }
  bool operator==(const FileWord& other) const = default;

 private:
  Kind kind_ = Kind::unknown;
  std::string foreign_;
};

}  // namespace rv::monitor
