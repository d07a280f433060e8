#include "monitor/tasks/task_claims.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/os/random_bytes.h"
#include "monitor/ledger/numbered_files.h"
#include "monitor/tasks/task_numbers.h"

namespace rv::monitor {
namespace {

constexpr std::array<std::pair<std::string_view, ClaimKind>, 3> kinds{
    {{"pass", ClaimKind::pass}, {"chunk", ClaimKind::chunk}, {"done", ClaimKind::done}}};

/// A claim is a file: a run has about this many, whatever the number of its tasks.
constexpr int claims_per_node = 200;

}  // namespace

std::string to_line(const TaskClaim& claim) {
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& pair) { return pair.second == claim.kind; });
  std::string line(kind->first);
  for (const auto& word : {claim.start, claim.node, claim.token, numbers_text(claim.tasks)}) {
    line.append(" ").append(word);
  }
  return line + "\n";
}

std::optional<TaskClaim> parse_task_claim(std::string_view text) {
  if (!text.ends_with('\n')) return std::nullopt;
  text.remove_suffix(1);
  std::array<std::string_view, 5> words;
  for (std::size_t place = 0; place < words.size(); ++place) {
    const auto blank = text.find(' ');
    if ((blank == std::string_view::npos) != (place + 1 == words.size())) return std::nullopt;
    words.at(place) = text.substr(0, blank);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  const auto* const kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& pair) { return pair.first == words[0]; });
  auto tasks = numbers_in(words[4], most_tasks);
  if (kind == kinds.end() || !tasks || words[1].empty() || words[2].empty()) return std::nullopt;
  return TaskClaim{kind->second, std::string(words[1]), std::string(words[2]), std::string(words[3]),
                   *std::move(tasks)};
}

void TaskClaims::add(const TaskClaim& claim) {
  if (claim.kind == ClaimKind::pass) {
    if (has_begun(claim.start)) return;
    start_ = claim.start;
    starts_.push_back(claim.start);
    tasks_ = claim.tasks;
    next_ = 0;
    nodes_done_ = 0;
    return;
  }
  // An earlier start whose node was slow: the rules forbid its entry, and it starts none of these tasks.
  if (claim.start != start_) return;
  if (claim.kind == ClaimKind::done) {
    ++nodes_done_;
    return;
  }
  const auto writer = claim.start + "." + claim.node;
  for (const int task : claim.tasks) writers_[task] = writer;
  next_ = std::min(next_ + claim.tasks.size(), tasks_.size());
}

bool TaskClaims::has_begun(const std::string& start) const {
  return std::find(starts_.begin(), starts_.end(), start) != starts_.end();
}

const std::string* TaskClaims::writer_of(int task) const {
  const auto found = writers_.find(task);
  return found == writers_.end() ? nullptr : &found->second;
}

std::vector<int> TaskClaims::next(int most) const {
  const auto first = tasks_.begin() + static_cast<std::ptrdiff_t>(next_);
  return {first, first + std::clamp(most, 0, unclaimed())};
}

int chunk_size(int unclaimed, int total, int nodes, int free) {
  const int many = std::max(free, (total + claims_per_node * nodes - 1) / (claims_per_node * nodes));
  if (nodes == 1) return std::min(unclaimed, many);
  return std::min(many, std::max(1, unclaimed / (2 * nodes)));
}

void ClaimFolder::add(const std::vector<std::string>& texts) {
  for (const auto& text : texts) {
    ++known_;
    const auto claim = parse_task_claim(text);
    if (!claim) {
      throw Error("the record " + folder_ + "/" + std::to_string(known_) + " is not valid",
                  "it was written by another version of rv, or the file system shows only a part of it: try again");
    }
    claims_.add(*claim);
  }
}

void ClaimFolder::read() {
  add(texts_after(folder_, "", known_));
}

bool ClaimFolder::append(TaskClaim claim) {
  claim.token = os::random_hex(8);
  const auto line = to_line(claim);
  const auto texts = append_text(folder_, "", known_, claim.token, line);
  add(texts);
  return texts.front() == line;
}

}  // namespace rv::monitor
