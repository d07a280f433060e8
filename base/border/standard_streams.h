// The border between this process and whoever reads its stdout and stderr.
#pragma once

namespace rv {

/// Opens /dev/null in the place of a closed stdin, stdout or stderr ("rv ps 2>&-"). Otherwise the next file that is
/// opened would have that number, and messages would be written into it. Call it before anything else.
void open_closed_streams();

/// From here on all that is printed to the C streams stdout and stderr passes a TerminalFilter where the stream is a
/// terminal. Files and pipes get it unchanged. A write to stderr never fails: a message that is lost, because the disk
/// is full or the terminal has gone, must not end what the command does. rv's own cursor movements take
/// os::move_cursor. `utf8`: the terminal's characters are; else rv's own signs are written in ASCII.
void prepare_output_streams(bool utf8);

}  // namespace rv
