// What a model of GPU can do at most, by its maker's data sheet.
#pragma once

#include <optional>
#include <string>

namespace rv::accept {

/// Of a figure that has one (gemm_bf16, copy, h2d), in the figure's own unit. Nothing: not known.
std::optional<double> peak_of(const std::string& model, const std::string& figure);

/// Of products of this type (fp32, tf32, fp16, bf16, …), TFLOP/s.
std::optional<double> peak_of_products(const std::string& model, const std::string& type);

}  // namespace rv::accept
