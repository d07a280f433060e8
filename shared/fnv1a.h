// FNV-1a (Fowler, Noll, Vo): the same in every build and on every machine. Against accidents, not against malice.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace rv {

template <class Word>
inline constexpr Word fnv_offset = std::is_same_v<Word, std::uint32_t> ? 0x811c9dc5U
                                                                       : static_cast<Word>(0xcbf29ce484222325U);
template <class Word>
inline constexpr Word fnv_prime = std::is_same_v<Word, std::uint32_t> ? 0x01000193U : static_cast<Word>(0x100000001b3U);

/// Goes on from `hash`, so that a text may come in parts.
template <class Word = std::uint64_t>
constexpr Word fnv1a(std::string_view bytes, Word hash = fnv_offset<Word>) {
  static_assert(std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t>);
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * fnv_prime<Word>;
  return hash;
}

}  // namespace rv
