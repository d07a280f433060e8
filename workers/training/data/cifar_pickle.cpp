#include "workers/training/data/cifar_pickle.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workers/system/checked_product.h"
#include "workers/training/data/pickle.h"

namespace rv::workers {
namespace {

using Kind = Pickle::Kind;
using Value = Pickle::Value;

/// A matrix of bytes, as numpy pickles it.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  bool columns_first = false;  ///< in Fortran order
  std::string_view bytes;
  unsigned char at(std::size_t row, std::size_t column) const {
    return static_cast<unsigned char>(bytes[columns_first ? column * rows + row : row * columns + column]);
  }
};

/// The value if it is a tuple with this many items, else null.
const Value* tuple_of(const Value* value, std::size_t count) {
  return value != nullptr && value->kind == Kind::tuple && value->items.size() == count ? value : nullptr;
}

/// The arguments of the call of `name` that made the value, else null. `state` receives the state that was set on it.
const Value* made_by(const Pickle& pickle, const Value& value, std::string_view name, const Value*& state) {
  if (value.kind != Kind::made || value.items.size() != 3 || pickle.at(value.items[0]).text != name) return nullptr;
  state = &pickle.at(value.items[2]);
  return &pickle.at(value.items[1]);
}

/// Whether it is numpy's dtype("u1"), unsigned bytes.
bool is_bytes(const Pickle& pickle, const Value& dtype) {
  const Value* state = nullptr;
  const auto* const arguments = made_by(pickle, dtype, "numpy dtype", state);
  if (tuple_of(arguments, 3) == nullptr) return false;
  const auto& code = pickle.at(arguments->items[0]);
  return code.kind == Kind::bytes && code.text == "u1";
}

Matrix matrix_of(const Pickle& pickle, const Value& value) {
  const auto no_matrix = [] { return std::runtime_error("has no matrix of bytes as its data"); };
  const Value* state = nullptr;
  // numpy's __reduce__: _reconstruct(ndarray, (0,), "b"), then (version, shape, dtype, Fortran's order, bytes).
  if (made_by(pickle, value, "numpy.core.multiarray _reconstruct", state) == nullptr) throw no_matrix();
  if (tuple_of(state, 5) == nullptr) throw no_matrix();
  const auto* const shape = tuple_of(&pickle.at(state->items[1]), 2);
  const auto& order = pickle.at(state->items[3]);
  const auto& bytes = pickle.at(state->items[4]);
  if (shape == nullptr || !is_bytes(pickle, pickle.at(state->items[2])) || order.kind != Kind::boolean ||
      bytes.kind != Kind::bytes) {
    throw no_matrix();
  }
  const auto &rows = pickle.at(shape->items[0]), &columns = pickle.at(shape->items[1]);
  if (rows.kind != Kind::integer || columns.kind != Kind::integer || rows.number < 0 || columns.number < 0) {
    throw no_matrix();
  }
  if (checked_product({static_cast<std::uint64_t>(rows.number), static_cast<std::uint64_t>(columns.number)}) !=
      bytes.text.size()) {
    throw std::runtime_error(
        fmt::format("has {} bytes of data for {} × {}", bytes.text.size(), rows.number, columns.number));
  }
  return {static_cast<std::size_t>(rows.number), static_cast<std::size_t>(columns.number), order.number != 0,
          bytes.text};
}

}  // namespace

void add_pickled(std::string_view bytes, std::string_view labels, ImageSet& into) {
  constexpr std::size_t pixels = std::size_t{32} * 32;
  const Pickle pickle(bytes);
  const auto *const data = pickle.find(pickle.root(), "data"), *const list = pickle.find(pickle.root(), labels);
  if (data == nullptr || list == nullptr || list->kind != Kind::list) {
    throw std::runtime_error(fmt::format("has no data or no list of {}", labels));
  }
  const auto matrix = matrix_of(pickle, *data);
  if (matrix.columns != 3 * pixels || matrix.rows != list->items.size() || matrix.rows == 0) {
    throw std::runtime_error(fmt::format("has {} labels and data of {} × {} in place of {} columns", list->items.size(),
                                         matrix.rows, matrix.columns, 3 * pixels));
  }
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const auto& label = pickle.at(list->items[row]);
    if (label.kind != Kind::integer || label.number < 0 || label.number >= into.classes) {
      throw std::runtime_error(fmt::format("has no label of {} classes for its sample {}", into.classes, row));
    }
    into.labels.push_back(static_cast<std::uint8_t>(label.number));
    for (std::size_t p = 0; p < pixels; ++p) {
      for (std::size_t c = 0; c < 3; ++c) into.pixels.push_back(matrix.at(row, c * pixels + p));
    }
  }
}

}  // namespace rv::workers
