// Where rv speaks.
#pragma once

namespace rv::os {

struct Terminal {
  bool in = false;   // stdin is a terminal
  bool out = false;  // stdout is a terminal
  bool err = false;
  int width = 100;      // columns; 100 where stdout is no terminal
  bool colour = false;  // on a terminal, unless NO_COLOR is set or TERM=dumb
  bool utf8 = false;    // the locale's characters are UTF-8

  bool operator==(const Terminal&) const = default;
};

/// Looks at the three streams, the locale, COLUMNS, NO_COLOR and TERM.
Terminal read_terminal();

}  // namespace rv::os
