// Ports of this machine's loopback.
#pragma once

#include "shared/system/descriptor.h"

namespace rv::forward {

/// A listening socket at 127.0.0.1, for port `remote` of a node. Throws Error(usage) when the port is taken, with a
/// free one, or not for this user.
os::Descriptor listen_at(int port, int remote);

/// Whether a process listens there, on loopback or on all addresses.
bool port_is_taken(int port);

/// A free port, from `wanted` upwards where there is one near.
int free_port(int wanted);

}  // namespace rv::forward
