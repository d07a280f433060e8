#pragma once

#include <exception>
#include <string>

namespace rv::workers {

/// Values of the parameter `cause` of a failed measurement. rv reads it (reports/accept/advice.cpp); the text of the
/// error is for people.
inline constexpr const char *out_of_memory = "out_of_memory", *missing_library = "missing_library";

/// Returns one of these for an exception of that type, else an empty string.
std::string cause_of(const std::exception& error);

}  // namespace rv::workers
