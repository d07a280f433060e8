#include "workers/training/data/tensor_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/documents/json_or_discard.h"
#include "workers/system/checked_product.h"
#include "workers/system/regular_file.h"
#include "workers/system/whole_file.h"

namespace rv::workers {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are read as they lie");

using SortedJson = nlohmann::json;

/// The format's limit.
constexpr std::uint64_t most_header_bytes = 100'000'000;

std::uint64_t bytes_of(const std::string& type) {
  static const std::map<std::string, std::uint64_t> sizes{{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8},
                                                          {"I32", 4}, {"I16", 2}, {"I8", 1},  {"U8", 1},   {"BOOL", 1}};
  const auto found = sizes.find(type);
  return found == sizes.end() ? 0 : found->second;
}

/// Parses the header's JSON; refuses duplicate names and deep nesting.
SortedJson parsed(std::string_view header) {
  std::set<std::string> names;
  const auto check = [&names](int depth, SortedJson::parse_event_t event, const SortedJson& value) {
    const bool begins =
        event == SortedJson::parse_event_t::object_start || event == SortedJson::parse_event_t::array_start;
    if (begins && depth > 2) throw std::runtime_error("has a header that is nested too deep");
    if (event == SortedJson::parse_event_t::key && depth == 1 && !names.insert(value.get<std::string>()).second) {
      throw std::runtime_error(fmt::format("has {} twice", value.get<std::string>()));
    }
    return true;
  };
  auto json = parse_json_or_discard<SortedJson>(header, check);
  if (json.is_object()) return json;
  throw std::runtime_error("has a header that is not a JSON object; check that it is a safetensors file");
}

std::optional<std::vector<std::uint64_t>> whole_numbers(const SortedJson& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const auto& one : *found) {
    const auto number = integer_in<std::uint64_t>(one);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

StoredTensor tensor_of(const std::string& name, const SortedJson& json, std::uint64_t data_bytes) {
  const auto refused = [&name](const std::string& what) {
    return std::runtime_error(fmt::format("{} {}", name, what));
  };
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json["dtype"].is_string()) {
    throw refused("is not described by dtype, shape and data_offsets");
  }
  const auto shape = whole_numbers(json, "shape"), offsets = whole_numbers(json, "data_offsets");
  if (!shape || !offsets || offsets->size() != 2) throw refused("has no sensible shape or data_offsets");
  StoredTensor tensor{json["dtype"].get<std::string>(), *shape, (*offsets)[0], (*offsets)[1]};
  const auto each = bytes_of(tensor.type);
  if (each == 0) throw refused(fmt::format("has type {}, which is not supported", tensor.type));
  if (tensor.begin > tensor.end || tensor.end > data_bytes)
    throw refused("extends beyond the end of the file, which is cut off");
  const bool empty = std::find(shape->begin(), shape->end(), 0U) != shape->end();
  std::optional<std::uint64_t> count = empty ? 0 : 1;
  for (const auto extent : *shape) {
    if (count) count = checked_product({*count, extent});
  }
  if (!count || *count > data_bytes) throw refused(fmt::format("is larger than the file: {}", shape_text(*shape)));
  if (checked_product({*count, each}) != tensor.end - tensor.begin) {
    throw refused(
        fmt::format("has {} bytes, which is not {} of {}", tensor.end - tensor.begin, shape_text(*shape), tensor.type));
  }
  return tensor;
}

}  // namespace

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return shape.empty() ? "one number" : fmt::format("{}", fmt::join(shape, "x"));
}

std::map<std::string, StoredTensor> stored_tensors(std::string_view header, std::uint64_t data_bytes) {
  const auto json = parsed(header);
  std::map<std::string, StoredTensor> tensors;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  for (const auto& [name, described] : json.items()) {
    if (name == "__metadata__") continue;
    const auto& tensor = tensors[name] = tensor_of(name, described, data_bytes);
    places.emplace_back(tensor.begin, tensor.end);
  }
  // Every byte belongs to exactly one tensor.
  std::sort(places.begin(), places.end());
  std::uint64_t reached = 0;
  for (const auto& [begin, end] : places) {
    if (begin != reached)
      throw std::runtime_error(fmt::format("has bytes of no tensor or of two tensors at {}", begin));
    reached = end;
  }
  if (reached != data_bytes) {
    throw std::runtime_error(fmt::format("has {} bytes of tensors instead of {}", data_bytes, reached));
  }
  return tensors;
}

std::runtime_error TensorFile::wrong(const std::string& what) const {
  return std::runtime_error(fmt::format("{}: {}", path_.string(), what));
}

TensorFile::TensorFile(std::filesystem::path path) : path_(std::move(path)) {
  const RegularFile file(path_);
  const auto size = file.bytes();
  std::uint64_t header_bytes = 0;
  if (size < sizeof header_bytes) throw wrong("is too short for a safetensors file");
  if (!file.read(0, reinterpret_cast<char*>(&header_bytes), sizeof header_bytes)) throw wrong("cannot be read");
  data_ = sizeof header_bytes + header_bytes;
  if (header_bytes > most_header_bytes || data_ > size) {
    throw wrong(fmt::format("claims a header of {} bytes; it is cut off, or not a safetensors file", header_bytes));
  }
  std::string header(header_bytes, '\0');
  if (!file.read(sizeof header_bytes, header.data(), header.size())) {
    throw wrong("cannot be read to the end of its header");
  }
  try {
    tensors_ = stored_tensors(header, size - data_);
  } catch (const std::runtime_error& error) {
    throw wrong(error.what());
  }
}

const StoredTensor& TensorFile::tensor(const std::string& name, const std::string& type) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw wrong(fmt::format("{} is missing", name));
  if (found->second.type != type) throw wrong(fmt::format("{} is {} and should be {}", name, found->second.type, type));
  return found->second;
}

template <class T>
std::vector<T> TensorFile::read(const StoredTensor& tensor) const {
  std::vector<T> numbers((tensor.end - tensor.begin) / sizeof(T));
  const RegularFile file(path_);
  if (!file.read(data_ + tensor.begin, reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(T))) {
    throw wrong("cannot be read to its end");
  }
  return numbers;
}

std::vector<float> TensorFile::floats(const std::string& name) const {
  auto numbers = read<float>(tensor(name, "F32"));
  if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) {
    throw wrong(fmt::format("{} has an element that is infinite or NaN", name));
  }
  return numbers;
}

std::vector<std::int64_t> TensorFile::integers(const std::string& name) const {
  return read<std::int64_t>(tensor(name, "I64"));
}

void write_tensors(const std::filesystem::path& path, const std::vector<TensorToStore>& tensors) {
  auto json = nlohmann::ordered_json::object();
  std::uint64_t reached = 0;
  for (const auto& one : tensors) {
    const auto end = reached + one.numbers.size() * sizeof(float);
    json[one.name] = {{"dtype", "F32"}, {"shape", one.shape}, {"data_offsets", {reached, end}}};
    reached = end;
  }
  auto header = json_dump(json);
  // Padded with spaces, so that the data begins at a multiple of eight.
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint64_t header_bytes = header.size();
  std::vector<std::string_view> parts{{reinterpret_cast<const char*>(&header_bytes), sizeof header_bytes}, header};
  for (const auto& one : tensors) {
    parts.emplace_back(reinterpret_cast<const char*>(one.numbers.data()), one.numbers.size() * sizeof(float));
  }
  replace_file(path, parts);
}

}  // namespace rv::workers
