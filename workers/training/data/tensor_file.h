#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rv::workers {

/// One tensor of a file: its type in the format's terms (F32, I64, …), its shape, and the position of its bytes in the
/// data.
struct StoredTensor {
  std::string type;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;
};

/// Prints a shape as "3x7", or as "one number" if it has no dimensions.
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// Reads the tensors from the JSON header of a safetensors file, which `data_bytes` bytes of data follow. Refuses what
/// the format forbids: a duplicate name, an unknown type, bytes that belong to no tensor or to two. Throws
/// std::runtime_error.
std::map<std::string, StoredTensor> stored_tensors(std::string_view header, std::uint64_t data_bytes);

/// A file of named tensors in the safetensors format (https://huggingface.co/docs/safetensors): eight bytes with the
/// header's length, the header, the tensors' bytes, all little-endian. All functions throw std::runtime_error that
/// names the file.
class TensorFile {
 public:
  explicit TensorFile(std::filesystem::path path);

  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  /// The tensor of this name, which must exist and have this type.
  const StoredTensor& tensor(const std::string& name, const std::string& type) const;
  /// The values of an F32 tensor. All must be finite.
  std::vector<float> floats(const std::string& name) const;
  /// The values of an I64 tensor.
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::runtime_error wrong(const std::string& what) const;

 private:
  template <class T>
  std::vector<T> read(const StoredTensor& tensor) const;

  std::filesystem::path path_;
  std::uint64_t data_ = 0;  ///< offset of the tensors' bytes
  std::map<std::string, StoredTensor> tensors_;
};

/// Writes F32 tensors to a file, completely or not at all. Throws std::runtime_error.
struct TensorToStore {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::vector<float> numbers;
};
void write_tensors(const std::filesystem::path& path, const std::vector<TensorToStore>& tensors);

}  // namespace rv::workers
