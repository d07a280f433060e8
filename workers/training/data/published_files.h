#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rv::workers {

/// A file as its makers publish it: its length, bytes, and the MD5 that they give for it.
struct PublishedFile {
  std::string_view name;
  std::uintmax_t bytes;
  std::string_view md5;
};

/// What is known of a file of that name; null: nothing.
const PublishedFile* published(std::string_view name);

/// Throws std::runtime_error where `file` has the name and length of a published file, but not its bytes. A file of
/// another length is the user's own: it is not checked. Nor is one that can't be read.
void check_published(const std::filesystem::path& file);

/// What lies in `folder` in place of what was unpacked from the archive `name`: how to unpack it, or that it is not
/// whole. Empty where there is no such file.
std::string archive_advice(const std::filesystem::path& folder, const std::string& name);

}  // namespace rv::workers
