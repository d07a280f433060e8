// Parses values in Slurm's output: numbers, times, durations, and the many texts for "nothing".
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

/// Whether the text stands for "nothing": "", "(null)", "N/A", "None", "NONE", "n/a", "Unknown".
bool is_nothing(std::string_view text);

/// Reads a decimal number; nothing if the text contains anything else.
std::optional<std::int64_t> parse_number(std::string_view text);

/// Reads an amount of memory: "30M", "4G", "512000" (MiB). The suffixes of "1000Mc" and "1000Mn" (per CPU, per node)
/// are ignored.
std::optional<Mebibytes> parse_memory_field(std::string_view text);

/// Reads epoch seconds (SLURM_TIME_FORMAT=%s). Some commands ignore that format and print "2026-11-21T03:54:34", in
/// this machine's time zone. Nothing for "Unknown", "N/A" and 0.
std::optional<planner::TimePoint> parse_time(std::string_view text);

/// Reads a duration: "3-00:00:00", "2:00:00", "10:00". Nothing for "UNLIMITED", "INVALID" and "Partition_Limit".
std::optional<std::chrono::seconds> parse_span(std::string_view text);

/// Splits at every separator; n separators give n + 1 parts. They point into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Splits at separators outside of (), [] and {}, and leaves out empty parts.
std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator);

/// The parts of a temporary string would be dangling, so these overloads are deleted.
template <class Text>
concept TemporaryString = std::is_same_v<std::remove_const_t<Text>, std::string>;
std::vector<std::string_view> split(TemporaryString auto&& text, char separator) = delete;
std::vector<std::string_view> split_outside_brackets(TemporaryString auto&& text, char separator) = delete;

/// Reads a comma-separated list; empty if is_nothing(text).
std::vector<std::string> list_of(std::string_view text);

/// Reads a comma-separated list of names; empty if is_nothing(text).
std::vector<planner::DatabaseName> names_of(std::string_view text);

/// Removes the first line from `text`, and returns it without its newline.
std::string_view next_line(std::string_view& text);

}  // namespace rv::slurm
