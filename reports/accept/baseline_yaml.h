// Baselines from YAML and back: reports/accept/baselines.yaml, a site's file, and rv accept --save-baseline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// Throws Error(usage) that names file, line and key.
std::vector<accept::Baseline> parse_baselines(std::string_view text, const std::string& file);

/// Those that travel in the binary, then those of `path` where it is not empty: later ones win. Throws Error(usage).
std::vector<accept::Baseline> baselines_with(const std::string& path, const std::string& named_by = "--baseline");

/// The figures of a judgement as a file that parse_baselines() reads: the median over GPUs of one model, with `source`
/// saying where it comes from. Figures without a value are left out.
std::string baselines_yaml(const accept::Judgement& judgement, const std::string& source);

}  // namespace rv::accept
