// Compressed lists of host names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::slurm {

/// No list stands for more: Slurm itself can't have more nodes, and a typing error must not fill the memory.
inline constexpr std::size_t most_hosts = 65'536;

/// "a[1-3,7],b" → a1 a2 a3 a7 b, widths kept ("n[01-02]"), several brackets too ("r[1-2]n[1-2]"). For Slurm's own
/// output: a nothing-word gives an empty list, a broken word, and one that would make it more than `most_hosts`, comes
/// back as it is.
std::vector<std::string> expand_hostlist(std::string_view list);

/// The same for what a user typed.
struct TypedHosts {
  std::vector<std::string> hosts;
  std::string fault;  // what is wrong, naming the word; empty: nothing, and there is at least one host
};
TypedHosts read_typed_hosts(std::string_view list);

}  // namespace rv::slurm
