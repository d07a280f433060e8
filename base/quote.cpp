#include "base/quote.h"

#include <algorithm>

#include "base/error.h"

namespace rv {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./,:=+@%^").find(c) != std::string_view::npos;
}

}  // namespace

std::string quote(std::string_view value) {
  if (!value.empty() && std::all_of(value.begin(), value.end(), is_plain)) return std::string(value);
  // Inside single quotes every byte stands for itself but the quote, which is written outside them.
  std::string word = "'";
  for (const char c : value) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string quote_all(std::span<const std::string> arguments) {
  std::string text;
  for (const auto& argument : arguments) {
    if (!text.empty()) text += ' ';
    text += quote(argument);
  }
  return text;
}

bool is_plain_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_./+,:@").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string quote_for_sbatch(std::string_view value) {
  if (value.find('\n') != std::string_view::npos) {
    throw Error("a Slurm option can't contain a newline: " + quote(value), "use a value without newlines",
                ExitCode::usage);
  }
  if (!value.empty() && std::all_of(value.begin(), value.end(), is_plain)) return std::string(value);
  std::string word = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + "\"";
}

}  // namespace rv
