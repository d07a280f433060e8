// Where rv speaks.
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

  /// How wide a table may be: nothing is cut on its way into a file or a pipe.
  int table_width() const { return out ? width : unlimited; }
  /// What stands before advice on stderr.
  std::string_view hint() const { return err && utf8 ? "  →" : "hint:"; }
  static constexpr int unlimited = 1'000'000;

  bool operator==(const Terminal&) const = default;
};

/// Looks at the three streams, the locale, COLUMNS, NO_COLOR and TERM.
Terminal read_terminal();

/// False once the terminal that stdin is has gone: a window closed, a connection lost.
bool terminal_is_there();

/// What is said from here on goes nowhere: nobody is left to read it, and an error about that helps nobody.
void discard_output();

/// Writes an escape sequence of rv's own (never text from elsewhere) to `file`, which is stdout or stderr, behind what
/// was printed before. It is not filtered (base/border/standard_streams.h).
void move_cursor(std::FILE* file, std::string_view sequence);

/// Columns of the terminal on stderr at this moment; `otherwise` where there is none. It may have been resized.
int columns_of_stderr(int otherwise);

}  // namespace rv::os
