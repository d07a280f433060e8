// Recognises jobs that do the same work by their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace rv::planner {

/// Returns a number that is the same for names that differ only in digits ("train-3", "train-17"), as the jobs of a
/// sweep do; 0 for an empty name. Two other names may get the same number, and then count as the same work. rv stores
/// the number instead of the name, because a name may contain private text.
std::uint32_t name_key(std::string_view name);

}  // namespace rv::planner
