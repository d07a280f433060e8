#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rv::workers {

/// One tensor of a file: its type as the format names it (F32, I64, …), its extents, and where its bytes are in the
/// data.
struct StoredTensor {
  std::string type;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;
};

/// 3x7, or "one number" where there are no extents.
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// The tensors that the JSON header of a safetensors file names, with `data_bytes` behind it. What the format
/// forbids is refused: a name twice, another type, bytes that are no tensor's or two tensors'. Throws
/// std::runtime_error.
std::map<std::string, StoredTensor> stored_tensors(std::string_view header, std::uint64_t data_bytes);

/// A file of named tensors in the safetensors format (https://huggingface.co/docs/safetensors): eight bytes with the
/// header's length, the header, the tensors' bytes, all little-endian. All throw std::runtime_error that names the
/// file.
class TensorFile {
 public:
  explicit TensorFile(std::filesystem::path path);

  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  /// That tensor, which must be there, of this type.
  const StoredTensor& tensor(const std::string& name, const std::string& type) const;
  /// Of an F32 tensor; every number is finite.
  std::vector<float> floats(const std::string& name) const;
  /// Of an I64 tensor.
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::runtime_error wrong(const std::string& what) const;

 private:
  template <class T>
  std::vector<T> read(const StoredTensor& tensor) const;

  std::filesystem::path path_;
  std::uint64_t data_ = 0;  ///< where the tensors' bytes begin
  std::map<std::string, StoredTensor> tensors_;
};

/// Writes F32 tensors so that the file is there whole or not at all. Throws std::runtime_error.
struct TensorToStore {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::vector<float> numbers;
};
void write_tensors(const std::filesystem::path& path, const std::vector<TensorToStore>& tensors);

}  // namespace rv::workers
