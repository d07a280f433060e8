// The border between this process and the user's terminal.
#pragma once

namespace rv {

/// From here on all that is printed to the C streams stdout and stderr passes a TerminalFilter where the stream is a
/// terminal. Files and pipes get it unchanged. rv's own cursor movements take os::move_cursor. `utf8`: the terminal's
/// characters are; else rv's own signs are written in ASCII.
void filter_terminal_streams(bool utf8);

}  // namespace rv
