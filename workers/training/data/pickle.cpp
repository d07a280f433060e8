#include "workers/training/data/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace rv::workers {
namespace {

// CIFAR-100's file has about 100,000 values and 150 MiB; a file that was made to exhaust memory is refused here.
constexpr std::size_t most_values = 4'000'000;
constexpr std::string_view known_names[] = {"numpy.core.multiarray _reconstruct", "numpy ndarray", "numpy dtype"};

[[noreturn]] void cut_off() {
  throw std::runtime_error("is cut off or damaged");
}
[[noreturn]] void damaged(std::size_t place) {
  throw std::runtime_error(fmt::format("is damaged at byte {}", place));
}

}  // namespace

/// Python's unpickling machine: a stack with marks, and a memo.
class PickleReader {
 public:
  PickleReader(std::string_view bytes, std::vector<Pickle::Value>& values) : bytes_(bytes), values_(values) {}

  std::uint32_t read() {
    if (bytes_.size() < 2 || byte() != 0x80) throw std::runtime_error("is not a pickle of protocol 2");
    if (const auto protocol = byte(); protocol != 2) {
      throw std::runtime_error(fmt::format("is a pickle of protocol {}, and the published ones are of 2", protocol));
    }
    while (true) {
      const auto opcode = static_cast<unsigned char>(byte());
      if (opcode == '.') break;
      if (!scalar(opcode) && !container(opcode) && !memory(opcode)) {
        throw std::runtime_error(
            fmt::format("has opcode 0x{:02x} at byte {}, which the published files do not use", opcode, at_ - 1));
      }
    }
    if (at_ != bytes_.size() || stack_.size() != 1 || !marks_.empty()) damaged(at_);
    return stack_[0];
  }

 private:
  using Kind = Pickle::Kind;
  using Value = Pickle::Value;

  unsigned int byte() { return static_cast<unsigned char>(take(1)[0]); }
  std::uint32_t number(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) value |= byte() << (8 * i);
    return value;
  }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_) cut_off();
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::string_view line() {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) cut_off();
    const auto text = take(end - at_);
    ++at_;
    return text;
  }

  bool push(Value value) {
    if (values_.size() >= most_values) throw std::runtime_error("has more values than the published files");
    stack_.push_back(static_cast<std::uint32_t>(values_.size()));
    values_.push_back(std::move(value));
    return true;
  }
  bool push(Kind kind, std::int64_t number = 0, std::string_view text = {}) {
    return push(Value{kind, number, text, {}});
  }
  /// The height of the stack at the last mark: items below it are not accessible.
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  std::uint32_t pop() {
    if (stack_.size() <= floor()) damaged(at_);
    const auto value = stack_.back();
    stack_.pop_back();
    return value;
  }
  std::vector<std::uint32_t> pop(std::size_t count) {
    std::vector<std::uint32_t> items(count);
    for (auto i = count; i > 0; --i) items[i - 1] = pop();
    return items;
  }
  std::uint32_t top() const {
    if (stack_.size() <= floor()) damaged(at_);
    return stack_.back();
  }
  std::vector<std::uint32_t> pop_to_mark() {
    if (marks_.empty()) damaged(at_);
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<std::uint32_t> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }
  /// Appends items to the container below them; its memory is bounded by the opcodes of the items.
  bool extend(Kind kind, const std::vector<std::uint32_t>& items) {
    auto& into = values_[top()];
    if (into.kind != kind || (kind == Kind::dict && items.size() % 2 != 0)) damaged(at_);
    into.items.insert(into.items.end(), items.begin(), items.end());
    return true;
  }
  bool tuple(std::size_t count) { return push(Value{Kind::tuple, 0, {}, pop(count)}); }

  bool scalar(unsigned char opcode) {
    switch (opcode) {
      case 'N':
        return push(Kind::none);
      case 0x88:
        return push(Kind::boolean, 1);
      case 0x89:
        return push(Kind::boolean, 0);
      case 'K':
        return push(Kind::integer, number(1));
      case 'M':
        return push(Kind::integer, number(2));
      case 'J':
        return push(Kind::integer, static_cast<std::int32_t>(number(4)));
      case 'U':
        return push(Kind::bytes, 0, take(number(1)));
      case 'T':
        return push(Kind::bytes, 0, take(number(4)));
      default:
        return false;
    }
  }

  bool container(unsigned char opcode) {
    switch (opcode) {
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case '}':
        return push(Kind::dict);
      case ']':
        return push(Kind::list);
      case ')':
        return push(Kind::tuple);
      case 't':
        return push(Value{Kind::tuple, 0, {}, pop_to_mark()});
      case 0x85:
        return tuple(1);
      case 0x86:
        return tuple(2);
      case 0x87:
        return tuple(3);
      case 'a':
        return extend(Kind::list, pop(1));
      case 's':
        return extend(Kind::dict, pop(2));
      case 'e':
        return extend(Kind::list, pop_to_mark());
      case 'u':
        return extend(Kind::dict, pop_to_mark());
      default:
        return false;
    }
  }

  bool memory(unsigned char opcode) {
    switch (opcode) {
      case 'q':
        return keep(number(1));
      case 'r':
        return keep(number(4));
      case 'h':
        return recall(number(1));
      case 'j':
        return recall(number(4));
      case 'c':
        return global();
      case 'R': {
        const auto arguments = pop(), called = pop();
        if (values_[called].kind != Kind::global || values_[arguments].kind != Kind::tuple) damaged(at_);
        return push(Value{Kind::made, 0, {}, {called, arguments}});
      }
      case 'b': {
        const auto state = pop();
        auto& made = values_[top()];
        if (made.kind != Kind::made || made.items.size() != 2) damaged(at_);
        made.items.push_back(state);
        return true;
      }
      default:
        return false;
    }
  }
  bool keep(std::uint32_t place) {
    memo_[place] = top();
    if (memo_.size() > most_values) damaged(at_);
    return true;
  }
  bool recall(std::uint32_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) damaged(at_);
    stack_.push_back(found->second);
    return true;
  }
  bool global() {
    const auto begin = at_;
    const auto module = line();
    const auto name = line();
    const auto whole = bytes_.substr(begin, module.size() + 1 + name.size());
    for (const auto known : known_names) {
      if (module == known.substr(0, known.find(' ')) && name == known.substr(known.find(' ') + 1)) {
        return push(Kind::global, 0, known);
      }
    }
    const auto printable = [](char c) { return c > ' ' && c < 127; };
    if (whole.size() > 80 || !std::all_of(module.begin(), module.end(), printable) ||
        !std::all_of(name.begin(), name.end(), printable)) {
      damaged(begin);
    }
    throw std::runtime_error(fmt::format("uses {}.{}, which the published files do not", module, name));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<Value>& values_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint32_t, std::uint32_t> memo_;
};

Pickle::Pickle(std::string_view bytes) {
  root_ = PickleReader(bytes, values_).read();
}

const Pickle::Value* Pickle::find(const Value& dict, std::string_view key) const {
  if (dict.kind != Kind::dict) return nullptr;
  for (std::size_t i = dict.items.size(); i >= 2; i -= 2) {
    const auto& name = at(dict.items[i - 2]);
    if (name.kind == Kind::bytes && name.text == key) return &at(dict.items[i - 1]);
  }
  return nullptr;
}

}  // namespace rv::workers
