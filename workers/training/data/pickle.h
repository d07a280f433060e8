#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rv::workers {

/// A Python pickle, as far as CIFAR's Python archives use one: protocol 2 as Python 2 wrote it (opcodes: pickletools.py
/// of CPython), with numpy's arrays and nothing else by name. Nothing is ever called or imported: what a pickle wants
/// to be called is a value like others.
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
    made     ///< items: what is called, its arguments as a tuple, then what is set on it
  };
  struct Value {
    Kind kind = Kind::none;
    std::int64_t number = 0;
    std::string_view text;             ///< in the bytes that were given
    std::vector<std::uint32_t> items;  ///< for at(); a value may be in itself
  };

  /// Throws std::runtime_error that completes "FILE …" where the bytes are cut off, damaged or hold anything else.
  explicit Pickle(std::string_view bytes);
  const Value& root() const { return values_[root_]; }
  const Value& at(std::uint32_t value) const { return values_[value]; }
  /// The value of a dict's key; null where it has none, or is no dict.
  const Value* find(const Value& dict, std::string_view key) const;

 private:
  friend class PickleReader;
  std::vector<Value> values_;
  std::uint32_t root_ = 0;
};

}  // namespace rv::workers
