// The small forms inside Slurm's output: numbers, times, spans, and the many words for "nothing".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// "", "(null)", "N/A", "None", "NONE", "n/a", "Unknown".
bool is_nothing(std::string_view text);

/// A decimal number that is the whole text.
std::optional<std::int64_t> parse_number(std::string_view text);

/// "30M", "4G", "512000" (MiB), "1000Mc" and "1000Mn" (per CPU, per node): the amount alone.
std::optional<Mebibytes> parse_memory_field(std::string_view text);

/// Epoch seconds (SLURM_TIME_FORMAT=%s), or "2026-11-21T03:54:34" in this machine's time zone where a command ignored
/// the format. Nothing for "Unknown", "N/A" and 0.
std::optional<planner::TimePoint> parse_time(std::string_view text);

/// "3-00:00:00", "2:00:00", "10:00", "UNLIMITED" (nothing), "INVALID", "Partition_Limit" (nothing).
std::optional<std::chrono::seconds> parse_span(std::string_view text);

/// Splits at every separator; n separators give n + 1 parts. They point into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The same without separators inside (), [] or {}, and without empty parts.
std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator);

/// The parts of a temporary string would point at nothing: the compiler refuses.
template <class Text>
concept TemporaryString = std::is_same_v<std::remove_const_t<Text>, std::string>;
std::vector<std::string_view> split(TemporaryString auto&& text, char separator) = delete;
std::vector<std::string_view> split_outside_brackets(TemporaryString auto&& text, char separator) = delete;

/// A comma list; nothing-words give an empty list.
std::vector<std::string> list_of(std::string_view text);

/// The same of names.
std::vector<planner::DatabaseName> names_of(std::string_view text);

/// Takes the next line off the front of `text`, without its end.
std::string_view next_line(std::string_view& text);

}  // namespace rv::slurm
