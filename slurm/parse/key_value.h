// One record of `scontrol -o`: Key=value pairs whose values may hold blanks, "word=" and newlines.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace rv::slurm {

class KeyValues {
 public:
  /// `record` begins with NodeName=, PartitionName=, ReservationName= or JobId=. Only the keys of that kind count, each
  /// once and in Slurm's order (record_keys.h): of all such readings, the one with the most keys, and of several the
  /// one with the fewest blanks in values that are not free text. So "State=DOWN" in a Reason or "JobState=FAILED" in a
  /// JobName stays part of the value. The views point into `record`.
  explicit KeyValues(std::string_view record);

  /// The value under the key, empty when there is none.
  std::string_view operator[](std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, std::string_view>> pairs_;
};

/// Takes the next record that begins with `first_key` ("JobId=") off the front of `text`. A newline in a value does not
/// end it. Empty: there is none.
std::string_view next_record(std::string_view& text, std::string_view first_key);

}  // namespace rv::slurm
