#include "shared/xid_catalogue.h"

#include <doctest/doctest.h>

using namespace rv;

TEST_CASE("an Xid is found by its code and the words of its message, in order") {
  REQUIRE(find_xid(79, false, "GPU has fallen off the bus.") != nullptr);
  CHECK(find_xid(79, false, "")->action == XidAction::reboot);
  const auto* const fatal = find_xid(149, false, "NETIR_LINK_EVT  Fatal   XC0 i0 Link 08");
  const auto* const harmless = find_xid(145, false, "RLW_CTRL        Nonfatal XC0 i0 Link -1");
  REQUIRE(fatal != nullptr);
  REQUIRE(harmless != nullptr);
  CHECK(fatal->action == XidAction::reset_gpu);
  CHECK(harmless->action == XidAction::ignore);
  CHECK(find_xid(999, false, "") == nullptr);
}

TEST_CASE("Xids and SXids are two tables") {
  CHECK(!xid_rows(false).empty());
  CHECK(!xid_rows(true).empty());
  for (const auto& row : xid_rows(true)) CHECK(row.words.empty());
  for (const bool nvswitch : {false, true}) {
    for (const auto& row : xid_rows(nvswitch)) {
      CHECK(row.action != XidAction::unknown);
      CHECK_FALSE(row.meaning.empty());
    }
  }
}
