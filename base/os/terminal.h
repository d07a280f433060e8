// The terminal that stdin, stdout and stderr are connected to.
#pragma once

#include <cstdio>
#include <string_view>

namespace rv::os {

struct Terminal {
  bool in = false;   // stdin is a terminal
  bool out = false;  // stdout is a terminal
  bool err = false;
  bool one_output = false;  // stdout and stderr are one terminal, file or pipe
  int width = 100;          // columns; 100 if stdout is not a terminal
  bool cursor = false;      // stderr is a terminal whose cursor can be moved: live lines
  bool colour = false;      // on a terminal, unless NO_COLOR is set or TERM=dumb
  bool utf8 = false;        // the locale's characters are UTF-8

  /// The largest width of a table: tables in files and pipes are not cut.
  int table_width() const { return out ? width : unlimited; }
  /// The prefix of advice on stderr.
  std::string_view hint() const { return err && utf8 ? "  →" : "hint:"; }
  static constexpr int unlimited = 1'000'000;

  bool operator==(const Terminal&) const = default;
};

/// Reads the three streams, the locale, COLUMNS, NO_COLOR and TERM.
Terminal read_terminal();

/// Returns false if stdin was a terminal that is gone: its window was closed, or the connection was lost.
bool terminal_is_there();

/// Discards all further output: the terminal is gone, and a write error would only hide the real one.
void discard_output();

/// Writes one of rv's own escape sequences (never text from outside) to `file`, which is stdout or stderr, after the
/// buffered output. It is not filtered (base/border/standard_streams.h).
void move_cursor(std::FILE* file, std::string_view sequence);

/// Returns the current number of columns of the terminal on stderr; `otherwise` if stderr is not a terminal.
int columns_of_stderr(int otherwise);

}  // namespace rv::os
