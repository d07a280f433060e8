// The keys of scontrol's records, in the order in which Slurm prints them.
#pragma once

#include <span>
#include <string_view>

namespace rv::slurm {

/// The form of a value.
enum class KeyText {
  word,     // usually without blanks
  free,     // free text, a path, …: may contain blanks and "word="
  stamped,  // free text with "[root@1795740746]" after its first line
};

struct RecordKey {
  std::string_view name;
  KeyText text = KeyText::word;
};

/// Returns the keys of the kind of record that begins with this line: a node, partition, reservation or job. Empty for
/// another line. The order is from the sources of 20.11 to 26.05 (sprint_node_table() and similar functions), which
/// agree.
std::span<const RecordKey> record_keys(std::string_view line);

}  // namespace rv::slurm
