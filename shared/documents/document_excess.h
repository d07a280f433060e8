// Limits of documents from outside this process, checked before they are decoded. nlohmann/json copies, prints and
// reads MessagePack by recursion, so 200,000 "[" would end the process by a stack overflow.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rv {

/// Levels of lists and objects within each other. The documents that rv writes have at most 8.
inline constexpr std::size_t deepest_document = 100;
/// A snapshot of a cluster with 10,000 nodes has some 10 MB.
inline constexpr std::size_t largest_document = std::size_t{256} << 20;
/// yaml-cpp needs many times the memory of its text.
inline constexpr std::size_t largest_yaml = std::size_t{4} << 20;

/// The reason why the text is not decoded, in the form "it is nested more than 100 levels deep"; empty if it may be.
/// The text may be anything, also not JSON.
std::string json_excess(std::string_view text);

/// The same for MessagePack. A document that is cut short, and more bytes behind it, are not an excess.
std::string msgpack_excess(std::string_view bytes);

/// The same for YAML: its size, the nesting of its brackets, and the levels of its indentation.
std::string yaml_excess(std::string_view text);

}  // namespace rv
