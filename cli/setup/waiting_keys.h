// Keys that are pressed on the terminal while rv waits.
#pragma once

#include <termios.h>

namespace rv::cli {

/// While it lives, the terminal delivers keys at once and does not show them; Ctrl-C and Ctrl-Z work as before. It does
/// nothing where stdin is not a terminal whose foreground this process is.
class WaitingKeys {
 public:
  WaitingKeys();
  ~WaitingKeys() { end(); }
  WaitingKeys(const WaitingKeys&) = delete;
  WaitingKeys& operator=(const WaitingKeys&) = delete;

  bool active() const { return active_; }
  /// Whether this key has been pressed since the last call. Other keys are dropped.
  bool pressed(char key) const;
  /// The terminal as it was before.
  void end();

 private:
  bool active_ = false;
  termios before_{};
};

}  // namespace rv::cli
