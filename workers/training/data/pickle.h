#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rv::workers {

/// A reader of Python pickles, for what CIFAR's Python archives use: protocol 2 as Python 2 wrote it (opcodes:
/// pickletools.py of CPython), with numpy's arrays as the only named objects. Nothing is ever called or imported: a
/// call in a pickle becomes a value.
class Pickle {
 public:
  enum class Kind {
    none,
    boolean,
    integer,
    bytes,  ///< Python 2's str
    list,
    tuple,
    dict,    ///< items: key, value, key, value…
    global,  ///< text: "module name"
    made     ///< a call; items: the callable, its arguments as a tuple, then the state that is set
  };
  struct Value {
    Kind kind = Kind::none;
    std::int64_t number = 0;
    std::string_view text;             ///< refers to the bytes given to the constructor
    std::vector<std::uint32_t> items;  ///< indices for at(); a value may contain itself
  };

  /// Throws std::runtime_error that completes "FILE …" if the bytes are truncated, damaged or contain anything else.
  explicit Pickle(std::string_view bytes);
  const Value& root() const { return values_[root_]; }
  const Value& at(std::uint32_t value) const { return values_[value]; }
  /// The value of a dict's key; null if the key is missing or `dict` is not a dict.
  const Value* find(const Value& dict, std::string_view key) const;

 private:
  friend class PickleReader;
  std::vector<Value> values_;
  std::uint32_t root_ = 0;
};

}  // namespace rv::workers
