// Text with bytes changed, lost and doubled, for whatever reads what others wrote: it says what it can't read, or reads
// what is left. Under the address sanitizer it is also seen to stay within its text.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace rv::test {

/// What separates fields, numbers at the edge of their types, and bytes of no character.
inline constexpr std::string_view damaging_pieces[] = {
    "|", "=", ",",  "\n", "[",    "]", "(", ")", ":", "-", " ",  "*", "0", "9",           "K",
    "T", "%", "\\", "|",  "\001", "{", "}", "/", "+", ".", "\"", "",  "#", "99999999999", "18446744073709551616"};

inline std::string damaged(std::string text, std::mt19937& random) {
  const auto below = [&random](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
  for (auto times = 1 + below(4); times > 0; --times) {
    const auto at = below(text.size());
    switch (below(5)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(30)));
        break;
      case 3:
        text.insert(at, damaging_pieces[below(std::size(damaging_pieces))]);
        break;
      default:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
    }
  }
  return text;
}

using Parser = std::function<void(std::string_view)>;

/// Whatever becomes of `whole`, the parser returns or throws an Error that says something.
inline void survives(const Parser& parse, const std::string& whole, int times = 300) {
  std::mt19937 random(17);
  REQUIRE(!whole.empty());
  for (int time = 0; time < times; ++time) {
    const auto text = damaged(whole, random);
    CAPTURE(text);
    // A copy of its own length on the heap, so that one byte beyond it is seen.
    const std::vector<char> exact(text.begin(), text.end());
    try {
      parse({exact.data(), exact.size()});
    } catch (const Error& error) {
      CHECK(std::string_view(error.what()) != "");
    } catch (const std::exception& other) {
      FAIL_CHECK("an error for nobody: " << std::string(other.what()));
    }
  }
}

}  // namespace rv::test
