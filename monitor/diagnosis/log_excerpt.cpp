#include "monitor/diagnosis/log_excerpt.h"

#include <string_view>

#include "base/failures/log_failures.h"
#include "monitor/diagnosis/element_causes.h"

namespace rv::monitor {
namespace {

constexpr std::size_t tail_lines = 10;
constexpr std::size_t longest_text = 300;  // bytes of one line

}  // namespace

void add_log_excerpt(Diagnosis& diagnosis, const RunEvidence& evidence) {
  const LogTail* chosen = nullptr;
  for (const auto& log : evidence.logs) {
    const bool err = log.file.ends_with(".err");
    if (chosen == nullptr || (err && !chosen->file.ends_with(".err"))) chosen = &log;
  }
  if (chosen == nullptr) return;
  if (evidence.view.array) diagnosis.tail_element = element_of_log(chosen->file);
  const auto& lines = chosen->lines;
  const auto from = lines.size() > tail_lines ? lines.size() - tail_lines : 0;
  for (std::size_t i = from; i < lines.size(); ++i) {
    std::string_view last;  // state of a progress bar
    failures::for_each_piece(lines[i], [&](std::string_view piece) { last = piece; });
    diagnosis.tail.emplace_back(last.substr(0, longest_text));
  }
}

}  // namespace rv::monitor
