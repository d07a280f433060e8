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

/// The action as text: "reset the GPU", …; for an unknown code, that the catalogue does not have the code.
std::string_view words_of(XidAction action);

/// Whether the action means that something is wrong with the GPU. False for errors of the program, and for errors after
/// which work continues.
bool is_finding(XidAction action);

}  // namespace rv::workers
