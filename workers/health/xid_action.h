#pragma once

#include <string_view>

#include "shared/xid_catalogue.h"
#include "workers/health/xid.h"

namespace rv::workers {

struct XidMeaning {
  XidAction action = XidAction::unknown;
  std::string_view text;  ///< empty: the catalogue has no such code
};

XidMeaning meaning_of(const Xid& xid);

/// "reset the GPU", …; of an unknown code that it is not in the catalogue.
std::string_view words_of(XidAction action);

/// False for errors of the program, and for those after which work goes on.
bool is_finding(XidAction action);

}  // namespace rv::workers
