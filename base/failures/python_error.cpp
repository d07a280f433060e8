#include "base/failures/python_error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/text.h"

namespace rv::failures {
namespace {

constexpr std::string_view head = "Traceback (most recent call last):";
constexpr std::string_view frame_head = "  File \"";
constexpr std::size_t most_foreign_lines = 20;  // of other processes within one traceback

struct Frame {
  std::string file, function;
  std::optional<long> line;
};

// '  File "train.py", line 12, in main'
std::optional<Frame> frame_in(std::string_view text) {
  if (!text.starts_with(frame_head)) return std::nullopt;
  text.remove_prefix(frame_head.size());
  const auto quote = text.find('"');
  if (quote == std::string_view::npos) return std::nullopt;
  Frame frame;
  frame.file = text.substr(0, quote);
  text.remove_prefix(quote + 1);
  constexpr std::string_view line = ", line ", in = ", in ";
  if (text.starts_with(line)) {
    long number = 0;
    const auto digits = text.substr(line.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc()) frame.line = number;
  }
  if (const auto at = text.find(in); at != std::string_view::npos) frame.function = text.substr(at + in.size());
  return frame;
}

bool of_a_library(const std::string& file) {
  constexpr std::array<std::string_view, 5> places = {"site-packages/", "dist-packages/", "/lib/python3",
                                                      "/lib64/python3", "<frozen "};
  return std::any_of(places.begin(), places.end(), [&](auto place) { return file.find(place) != std::string::npos; });
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// "ValueError: bad shape", "KeyboardInterrupt", "torch.OutOfMemoryError: CUDA …"
bool names_exception(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_word_character);
  const auto type = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (type.empty() || (type.front() >= '0' && type.front() <= '9') || type.ends_with('.')) return false;
  const auto rest = text.substr(type.size());
  if (!rest.empty() && !rest.starts_with(": ") && rest != ":") return false;
  const auto name = type.substr(type.find_last_of('.') + 1);  // npos + 1 is 0
  if (name.empty() || name.front() < 'A' || name.front() > 'Z') return false;
  constexpr std::array<std::string_view, 9> endings = {"Error",     "Exception", "Interrupt", "Exit",   "Warning",
                                                       "Iteration", "Timeout",   "Expired",   "Failure"};
  return !rest.empty() ||
         std::any_of(endings.begin(), endings.end(), [&](auto ending) { return name.ends_with(ending); });
}

bool is_syntax_error(std::string_view text) {
  constexpr std::array<std::string_view, 3> types = {"SyntaxError: ", "IndentationError: ", "TabError: "};
  return std::any_of(types.begin(), types.end(), [&](auto type) { return text.starts_with(type); });
}

class Reader {
 public:
  explicit Reader(std::span<const std::string> lines) : lines_(lines) {}

  std::vector<PythonError> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i];
      if (const auto at = line.find(head); at != std::string_view::npos && line.size() - at <= head.size() + 1) {
        begin(i, at);
      } else if (open_) {
        read(i);
      } else if (auto frame = frame_in(line); frame && frame->function.empty()) {
        // A program's own file that can't be parsed has no traceback's head.
        begin(i, 0);
        frames_.push_back(std::move(*frame));
        only_syntax_ = true;
      }
    }
    return std::move(errors_);
  }

 private:
  void begin(std::size_t index, std::size_t at) {
    open_ = true;
    only_syntax_ = false;
    begin_ = index;
    prefix_ = std::string_view(lines_[index]).substr(0, at);
    frames_.clear();
    foreign_ = 0;
    ignored_ = index > 0 && lines_[index - 1].find("Exception ignored in") != std::string::npos;
  }

  // The line without the prefix that the traceback's first line had (a rank; a logger's time differs, its length does
  // not). Nothing: it is another process's.
  std::optional<std::string_view> own(std::string_view line) const {
    if (prefix_.empty()) return line;
    const auto same = prefix_.substr(0, std::min<std::size_t>(prefix_.size(), 5));
    if (!line.starts_with(same) || line.size() < prefix_.size()) return std::nullopt;
    if (!line.starts_with(prefix_) && prefix_.back() == line[prefix_.size() - 1]) return line.substr(prefix_.size());
    return line.starts_with(prefix_) ? std::optional(line.substr(prefix_.size())) : std::nullopt;
  }

  void read(std::size_t index) {
    auto text = own(lines_[index]);
    if (text && text->ends_with('\r')) text->remove_suffix(1);
    if (text && text->starts_with(' ')) {
      if (auto frame = frame_in(*text)) frames_.push_back(std::move(*frame));
      return;
    }
    const bool ends = text && !frames_.empty() && (only_syntax_ ? is_syntax_error(*text) : names_exception(*text));
    if (ends) return finish(index, *text);
    if (text && text->empty()) return;
    if (++foreign_ > most_foreign_lines) open_ = false;
  }

  void finish(std::size_t index, std::string_view text) {
    open_ = false;
    if (ignored_) return;
    PythonError error{.begin = begin_, .end = index, .text = std::string(text), .file = {}, .line = {}, .function = {}};
    auto frame = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return !of_a_library(f.file); });
    if (frame == frames_.rend()) frame = frames_.rbegin();
    error.file = frame->file;
    error.line = frame->line;
    error.function = frame->function;
    error.chained = !errors_.empty() && follows_another();
    errors_.push_back(std::move(error));
  }

  // "During handling of the above exception, another exception occurred:"
  bool follows_another() const {
    for (std::size_t i = begin_; i-- > 0 && begin_ - i <= 4;) {
      if (lines_[i].find("of the above exception, another exception occurred") != std::string::npos) return true;
      if (lines_[i].find("The above exception was the direct cause of") != std::string::npos) return true;
    }
    return false;
  }

  std::span<const std::string> lines_;
  std::vector<PythonError> errors_;
  bool open_ = false, only_syntax_ = false, ignored_ = false;
  std::size_t begin_ = 0, foreign_ = 0;
  std::string_view prefix_;
  std::vector<Frame> frames_;
};

}  // namespace

std::vector<PythonError> python_errors_in(std::span<const std::string> lines) {
  return Reader(lines).run();
}

std::string describe(const PythonError& error) {
  constexpr std::size_t longest = 200;
  std::string text = one_line(error.text.substr(0, longest));
  if (error.file.empty()) return text;
  text += " (" + error.file;
  if (error.line) text += ":" + std::to_string(*error.line);
  if (!error.function.empty() && error.function != "<module>") text += ", in " + error.function;
  return text + ")";
}

}  // namespace rv::failures
