// Records Ctrl-C and similar signals, to be polled by the program.
#pragma once

namespace rv::os {

/// From now on SIGINT and SIGTERM are recorded instead of ending rv.
void catch_interrupts();

/// The same for SIGHUP, which reports the end of the terminal, unless it is ignored (nohup).
void catch_hangup();

/// Returns true if a signal was recorded, and clears the record.
bool take_interrupt();

/// Returns true if a signal was recorded.
bool interrupt_waits();

/// Returns 128 + the number of the last signal: 130 for Ctrl-C, 143 for SIGTERM.
int interrupt_exit_code();

/// Whether the last signal was SIGHUP.
bool hung_up();

}  // namespace rv::os
