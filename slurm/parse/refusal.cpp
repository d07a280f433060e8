#include "slurm/parse/refusal.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "slurm/parse/field.h"

namespace rv::slurm {

namespace {

constexpr std::string_view verdict_mark = "Batch job submission failed: ";

struct Line {
  std::string text;
  bool is_error = false;  // "error:" or "fatal:" stood before it
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// Colours and other escape sequences of a terminal.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      if (text[i] != '\r') plain += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '[') {
      while (i < text.size() && !is_letter(text[i])) ++i;
    }
  }
  return plain;
}

/// Without the rules and frames around a banner's text.
std::string_view without_frame(std::string_view text) {
  constexpr std::string_view frame = " \t*=#|~!_-+>";
  const auto begin = text.find_first_not_of(frame);
  if (begin == std::string_view::npos) return {};
  // An option at the beginning keeps its dashes: "--account=lab is required".
  const auto option = begin >= 2 && text.substr(begin - 2, 2) == "--" && (begin == 2 || text[begin - 3] == ' ');
  text.remove_prefix(option ? begin - 2 : begin);
  while (!text.empty() && frame.find(text.back()) != std::string_view::npos && text.back() != '!')
    text.remove_suffix(1);
  return text;
}

Line line_of(std::string_view raw) {
  const std::string plain = without_escapes(raw);
  std::string_view text = plain;
  Line line;
  for (const std::string_view program : {"sbatch: ", "slurm_submit_batch_job: "}) {
    if (text.starts_with(program)) text.remove_prefix(program.size());
  }
  for (const std::string_view level : {"error: ", "fatal: ", "error:", "fatal:"}) {
    if (!text.starts_with(level)) continue;
    line.is_error = true;
    text.remove_prefix(level.size());
    break;
  }
  line.text = without_frame(text);
  return line;
}

bool has_content(const std::string& text) {
  return std::count_if(text.begin(), text.end(), is_letter) >= 3;
}

template <std::size_t N>
bool names_any(const std::string& text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// "QOSMaxCpuPerJobLimit", "AssocMaxNodes": Slurm's own name of the limit.
bool is_limit_name(const std::string& text) {
  return text.find(' ') == std::string::npos && (text.starts_with("QOS") || text.starts_with("Assoc"));
}

/// How much a line says about the request.
int weight(const Line& line) {
  // What a filter that refuses says of the job, and what one that greets or checks says beside it.
  constexpr std::array<std::string_view, 35> telling{
      "not allowed",  "not permitted", "not enabled", "not available",  "no longer",    "not valid",
      "invalid",      "unknown",       "must ",       "require",        "expired",      "exceed",
      "denied",       "missing",       "cannot",      "can't",          "can not",      "not been provided",
      "lower than",   "too many",      "too long",    "too much",       "at most",      "at least",
      "only ",        "specify ",      "limit",       "reject",         "refuse",       "no allocation",
      "insufficient", "not a member",  "takes no",    "please submit ", "not submitted"};
  constexpr std::array<std::string_view, 8> headings{"error",     "failed", "failure",        "warning",
                                                     "attention", "notice", "job submission", "submission"};
  constexpr std::array<std::string_view, 9> beside{"welcome",   "contact ", "support",       "http://", "https://",
                                                   "questions", "for help", "documentation", "note:"};
  const std::string text = lower(line.text);
  if (is_limit_name(line.text)) return 8;
  // "Verifying valid jobname...OK"
  if (text.ends_with("ok") || text.ends_with("passed") || text.ends_with("...")) return text.ends_with("...") ? 1 : -5;
  int sum = line.is_error ? 2 : 0;
  if (names_any(text, telling)) sum += 4;
  if (names_any(text, headings)) sum += 1;
  if (names_any(text, beside)) sum -= 3;
  if (line.text.find(' ') == std::string::npos) sum -= 2;
  return sum;
}

/// The line and those that go on with its sentence.
std::string sentence_at(const std::vector<Line>& lines, std::size_t at) {
  constexpr std::size_t most_bytes = 300;
  // The beginning of the sentence may stand on the lines before.
  const auto goes_on = [&](std::size_t line) {
    const std::string& before = lines[line - 1].text;
    const char first = lines[line].text.front();
    const bool open = before.ends_with(':') || before.ends_with(',');
    // A message of several lines has "error:" only before the first.
    const bool wrapped = first >= '0' && first <= '9' && !lines[line].is_error && lines[line - 1].is_error;
    return open || (wrapped && is_letter(before.back())) ||
           (first >= 'a' && first <= 'z' && std::string_view(".!?").find(before.back()) == std::string_view::npos);
  };
  while (at > 0 && !lines[at - 1].text.ends_with(':') && goes_on(at)) --at;
  std::string text = lines[at].text;
  for (++at; at < lines.size() && goes_on(at) && text.size() < most_bytes; ++at) text += " " + lines[at].text;
  return text;
}

struct Verdict {
  std::string text;
  bool adds = false;  // it says more than that Slurm refuses, and more than the lines before it
};

/// Takes Slurm's own verdict out of the lines.
std::optional<Verdict> take_verdict(std::vector<Line>& lines) {
  std::optional<Verdict> verdict;
  std::erase_if(lines, [&](const Line& line) {
    const std::string_view text = line.text;
    // Of sbatch --test-only; what is wrong then stands before it as well.
    constexpr std::string_view test_mark = "allocation failure: ";
    const std::size_t at = text.find(verdict_mark);
    if (at != std::string_view::npos) {
      verdict = {std::string(text.substr(at + verdict_mark.size())), true};
    } else if (text.starts_with(test_mark)) {
      verdict = {std::string(text.substr(test_mark.size())), false};
    } else {
      return false;
    }
    if (verdict->text == "Unspecified error") verdict->adds = false;
    return true;
  });
  return verdict;
}

}  // namespace

Refusal parse_refusal(std::string_view out, std::string_view err) {
  std::vector<Line> lines;
  for (std::string_view text : {out, err}) {
    while (!text.empty()) {
      Line line = line_of(next_line(text));
      if (has_content(line.text)) lines.push_back(std::move(line));
    }
  }
  Refusal refusal;
  for (const Line& line : lines) refusal.lines.push_back(line.text);
  const auto verdict = take_verdict(lines);
  const bool generic = !verdict || verdict->text == "Unspecified error";
  const auto best =
      std::max_element(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return weight(a) < weight(b); });
  constexpr int says_something = 4;
  if (best != lines.end() && (generic || weight(*best) >= says_something)) {
    refusal.summary = sentence_at(lines, static_cast<std::size_t>(best - lines.begin()));
    if (verdict && verdict->adds && refusal.summary != verdict->text) refusal.summary += ": " + verdict->text;
  } else {
    refusal.summary = verdict ? verdict->text : "no answer and no error message";
  }
  return refusal;
}

}  // namespace rv::slurm
