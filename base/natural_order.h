// Natural order of names: n2 before n10.
#pragma once

#include <string_view>

namespace rv {

/// Runs of digits compare as numbers, everything else as bytes. A total order: equal numbers (1, 01) are ordered by
/// bytes.
struct NaturalOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};

}  // namespace rv
