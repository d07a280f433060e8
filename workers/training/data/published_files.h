#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rv::workers {

/// A published file: its length in bytes, and the MD5 that its authors state.
struct PublishedFile {
  std::string_view name;
  std::uintmax_t bytes;
  std::string_view md5;
};

/// The published file of that name; null: unknown.
const PublishedFile* published(std::string_view name);

/// Throws std::runtime_error if `file` has the name and length of a published file, but another content. A file of
/// another length is assumed to be the user's own and is not checked, nor is a file that can't be read.
void check_published(const std::filesystem::path& file);

/// A hint if `folder` has the archive `name` instead of its unpacked files: how to unpack it, or that it is incomplete.
/// Empty without such a file.
std::string archive_advice(const std::filesystem::path& folder, const std::string& name);

}  // namespace rv::workers
