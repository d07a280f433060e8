#pragma once

#include <string>

namespace rv::workers {

/// A table of where the time of a step goes, part after part, of a load as MODEL:BATCH:PRECISION, beside what this GPU
/// reaches by itself.
void print_profile(const std::string& load);

}  // namespace rv::workers
