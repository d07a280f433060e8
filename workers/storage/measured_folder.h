#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rv::workers {

/// A folder whose file system is measured, and the name that its figures begin with.
struct MeasuredFolder {
  std::string label;  ///< "scratch", "home"
  std::string path;
};

/// "scratch=/scratch/ann". Throws std::invalid_argument with the way out.
MeasuredFolder measured_folder_from(std::string_view text);

/// What a folder's file system says of itself.
struct FolderFacts {
  std::string type;                       ///< as in /proc/self/mountinfo: "ext4", "nfs4", "lustre"; empty: not known
  std::uint64_t device = 0;               ///< st_dev: two folders of one file system have the same
  std::uint64_t free_bytes = 0;           ///< for this user
  std::optional<std::uint64_t> inodes{};  ///< free ones; nothing: the file system does not count them
  bool of_this_machine() const;           ///< a kind that no other machine can write to
  bool in_memory() const;                 ///< tmpfs: there is nothing behind the page cache
};

/// Throws std::runtime_error, a sentence with the way out: not there, no folder, read-only.
FolderFacts look_at(const MeasuredFolder& folder);

/// What keeps `bytes` in `files` files, by each of `nodes`, from fitting; empty: nothing. A tenth of what is free is
/// left to the others.
std::string lack_of_room(const MeasuredFolder& folder, const FolderFacts& facts, std::uint64_t bytes,
                         std::uint64_t files, std::uint64_t nodes);

/// "256M" → 268435456: whole numbers of K, M, G and T. Nothing for anything else, for 0 and for what overflows.
std::optional<std::uint64_t> bytes_from(std::string_view text);
/// "256M", "1.5G": for people.
std::string bytes_text(std::uint64_t bytes);

}  // namespace rv::workers
