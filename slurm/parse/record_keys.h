// The keys of scontrol's records, in the order in which Slurm prints them.
#pragma once

#include <span>
#include <string_view>

namespace rv::slurm {

/// What a value looks like.
enum class KeyText {
  word,     // without blanks, as a rule
  free,     // a person's text, a path, …: blanks and "word=" occur
  stamped,  // free, and "[root@1795740746]" stands behind its first line
};

struct RecordKey {
  std::string_view name;
  KeyText text = KeyText::word;
};

/// Of the kind of record that begins with this line: a node, partition, reservation or job. Empty for another line.
/// From the sources of 20.11 to 26.05 (sprint_node_table() and its like), whose orders agree.
std::span<const RecordKey> record_keys(std::string_view line);

}  // namespace rv::slurm
