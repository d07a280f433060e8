// One record of `scontrol -o`: Key=value pairs whose values may hold blanks, "word=" and newlines.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace rv::slurm {

class KeyValues {
 public:
  /// `record` begins with NodeName=, PartitionName=, ReservationName= or JobId=. A text such as "State=DOWN" in a
  /// Reason or "JobState=FAILED" in a JobName stays part of that value. To separate keys from such texts, only keys of
  /// that kind of record count, each once and in Slurm's order (record_keys.h). Of all possible readings the one with
  /// the most keys is used, and of several such readings the one with the fewest blanks in values that are not free
  /// text. The views point into `record`.
  explicit KeyValues(std::string_view record);

  /// The value of the key; empty if the record does not have it.
  std::string_view operator[](std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, std::string_view>> pairs_;
};

/// Removes the next record that begins with `first_key` ("JobId=") from `text`, and returns it; empty if there is none.
/// A newline in a value does not end the record.
std::string_view next_record(std::string_view& text, std::string_view first_key);

}  // namespace rv::slurm
