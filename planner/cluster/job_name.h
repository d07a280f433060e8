// What a job's name tells about which work it is.
#pragma once

#include <cstdint>
#include <string_view>

namespace rv::planner {

/// The same number for jobs that are named alike but for digits ("train-3", "train-17"), as those of a sweep are; 0 for
/// an empty name. Two names may share a number, which then are taken for one work. Kept in place of the name, which is
/// its owner's free text.
std::uint32_t name_key(std::string_view name);

}  // namespace rv::planner
