// Prepares stdin, stdout and stderr: closed streams, and text that must not control the terminal.
#pragma once

namespace rv {

/// Opens /dev/null as a closed stdin, stdout or stderr ("rv ps 2>&-"). Otherwise the next file to be opened would get
/// that descriptor, and messages would be written into it. Must be called first.
void open_closed_streams();

/// From now on, everything printed to the C streams stdout and stderr passes a TerminalFilter if the stream is a
/// terminal; files and pipes receive it unchanged. A write to stderr never fails: a message lost because the disk is
/// full or the terminal is gone must not end the command. rv's own cursor movements use os::move_cursor. `utf8`: the
/// terminal shows UTF-8; otherwise rv's own signs are written in ASCII.
void prepare_output_streams(bool utf8);

}  // namespace rv
