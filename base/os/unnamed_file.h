// A file that no folder lists: gone with its last descriptor.
#pragma once

#include "shared/system/descriptor.h"

namespace rv::os {

/// In memory, or in $TMPDIR or /tmp on a kernel without memfd_create(2) (before Linux 3.17). Empty, open for reading
/// and writing, closed in children that are not given it. Throws Error.
Descriptor unnamed_file();

}  // namespace rv::os
