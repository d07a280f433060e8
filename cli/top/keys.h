// Bytes from a terminal → keys and mouse clicks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::cli::top {

struct Key {
  enum class Kind {
    character,
    enter,
    escape,
    backspace,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    click,
    wheel_up,
    wheel_down
  };
  Kind kind = Kind::character;
  char character = 0;  // ASCII; other letters are left out
  int row = 0;         // of a click, from 0
  int column = 0;

  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  /// The keys that are whole by now; the beginning of a sequence waits for its rest.
  std::vector<Key> feed(std::string_view bytes);
  /// After a pause without input, a single ESC is the Escape key.
  std::vector<Key> flush();
  bool waits() const { return !held_.empty(); }

 private:
  std::string held_;
};

}  // namespace rv::cli::top
