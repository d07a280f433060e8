// Parses compressed lists of host names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::slurm {

/// The maximum number of hosts in a list: Slurm can't have more nodes, and a typing error must not fill the memory.
inline constexpr std::size_t most_hosts = 65'536;

/// Expands "a[1-3,7],b" to a1 a2 a3 a7 b. Widths are kept ("n[01-02]"), and a name may have several brackets
/// ("r[1-2]n[1-2]"). It is for Slurm's own output: empty if is_nothing(list). An item that is malformed, or with which
/// the list would exceed `most_hosts`, is returned as it is.
std::vector<std::string> expand_hostlist(std::string_view list);

/// The expansion of a list that a user typed.
struct TypedHosts {
  std::vector<std::string> hosts;
  std::string fault;  // what is wrong with which item; empty: the list is valid and has at least one host
};
TypedHosts read_typed_hosts(std::string_view list);

}  // namespace rv::slurm
