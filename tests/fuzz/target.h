// What every fuzz target has around its parsers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.h"

namespace rv::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs a parser, which may refuse its input with a `Refusal`. Any other exception ends the process, and libFuzzer
/// keeps the input.
template <class Refusal = Error, class Parse>
void read_or_refuse(const Parse& parse) {
  try {
    parse();
  } catch (const Refusal& refusal) {
    if (std::string_view(refusal.what()).empty()) throw std::logic_error("a refusal without a message");
  }
}

}  // namespace rv::fuzz

/// libFuzzer's entry point; returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
