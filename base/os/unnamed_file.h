// A file without a name, which ends with its last descriptor.
#pragma once

#include "shared/system/descriptor.h"

namespace rv::os {

/// Returns an empty file, open for reading and writing, that is closed on exec. It is in memory, or in $TMPDIR or /tmp
/// on a kernel without memfd_create(2) (before Linux 3.17). Throws Error.
Descriptor unnamed_file();

}  // namespace rv::os
