// Ctrl-C as a value.
#pragma once

namespace rv::os {

/// From here on SIGINT and SIGTERM are remembered instead of ending rv.
void catch_interrupts();

/// True once one has come; asking forgets it.
bool take_interrupt();

/// The same, without forgetting it.
bool interrupt_waits();

}  // namespace rv::os
