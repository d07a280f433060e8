// The terminal as rv top uses it: another screen, no echo, keys and clicks at once. Leaving gives everything back.
#pragma once

#include <termios.h>

#include <string>
#include <string_view>
#include <utility>

namespace rv::cli::top {

class FullScreen {
 public:
  FullScreen() { enter(); }
  ~FullScreen() { leave(); }
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;

  void enter();
  void leave();

  /// Columns and rows at this moment.
  static std::pair<int, int> size();
  static void write(std::string_view bytes);

 private:
  bool entered_ = false;
  termios before_ = {};
};

}  // namespace rv::cli::top
