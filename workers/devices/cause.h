#pragma once

#include <exception>
#include <string>

namespace rv::workers {

/// The parameter `cause` of a measurement that failed by that, beside the words: rv reads it
/// (reports/accept/advice.cpp).
inline constexpr const char *out_of_memory = "out_of_memory", *missing_library = "missing_library";

/// One of these, or nothing.
std::string cause_of(const std::exception& error);

}  // namespace rv::workers
