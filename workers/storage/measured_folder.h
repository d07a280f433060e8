#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rv::workers {

/// A folder whose file system is measured, and the prefix of its figures.
struct MeasuredFolder {
  std::string label;  ///< "scratch", "home"
  std::string path;
};

/// Parses "scratch=/scratch/ann". Throws std::invalid_argument with a hint.
MeasuredFolder measured_folder_from(std::string_view text);

/// Properties of a folder's file system.
struct FolderFacts {
  std::string type;                       ///< as in /proc/self/mountinfo: "ext4", "nfs4", "lustre"; empty: unknown
  std::uint64_t device = 0;               ///< st_dev: equal for two folders of one file system
  std::uint64_t free_bytes = 0;           ///< for this user
  std::optional<std::uint64_t> inodes{};  ///< free inodes; nothing: the file system does not count them
  bool of_this_machine() const;           ///< a type that other machines can't write to
  bool in_memory() const;                 ///< tmpfs: the data exists only in memory
};

/// Throws std::runtime_error, a sentence and a hint: the folder is missing, not a folder, or read-only.
FolderFacts folder_facts(const MeasuredFolder& folder);

/// Why `bytes` in `files` files, written by each of `nodes`, do not fit; empty if they fit. A tenth of the free space
/// is left to others.
std::string lack_of_room(const MeasuredFolder& folder, const FolderFacts& facts, std::uint64_t bytes,
                         std::uint64_t files, std::uint64_t nodes);

/// Parses a size, "256M" → 268435456: a whole number of K, M, G or T. Nothing for anything else, for 0 and on overflow.
std::optional<std::uint64_t> bytes_from(std::string_view text);
/// Prints a size: "256M", "1.5G".
std::string bytes_text(std::uint64_t bytes);

}  // namespace rv::workers
