// Ctrl-C as a value.
#pragma once

namespace rv::os {

/// From here on SIGINT and SIGTERM are remembered instead of ending rv.
void catch_interrupts();

/// The same for SIGHUP, the end of the terminal; not where it is ignored, as below nohup.
void catch_hangup();

/// True once one has come; asking forgets it.
bool take_interrupt();

/// The same, without forgetting it.
bool interrupt_waits();

/// 128 and the number of the signal that came last: 130 for Ctrl-C, 143 for SIGTERM.
int interrupt_exit_code();

/// The one that came last was the end of the terminal.
bool hung_up();

}  // namespace rv::os
