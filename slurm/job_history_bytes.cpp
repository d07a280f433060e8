// The history's file: a head, the rows, then the words that the rows name by number (a few users, partitions and types
// stand for thousands of rows).
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

#include "shared/fnv1a.h"
#include "slurm/job_history.h"

namespace rv::slurm {
namespace {

constexpr std::array<char, 8> magic{'r', 'v', 'j', 'o', 'b', 's', '0', '2'};

struct Head {
  std::array<char, 8> mark;
  std::uint64_t checksum;  // of all that follows it
  std::int64_t from;
  std::int64_t to;
  std::uint32_t rows;
  std::uint32_t words;
  std::uint32_t shows_others;
  std::uint32_t reserved;
};

struct Row {
  std::int64_t submitted;
  std::int64_t eligible;
  std::int64_t start;
  std::int64_t end;
  std::int64_t limit;
  std::int64_t memory;
  std::uint32_t user, account, partition, qos, state, gpu_type;  // numbers of words
  std::int32_t nodes, cpus, gpus;
  std::uint32_t name_key;
};

constexpr std::size_t checked_from = offsetof(Head, checksum) + sizeof(Head::checksum);

static_assert(sizeof(Head) == 48 && sizeof(Row) == 88, "the file's layout has no padding");

// FNV-1a over eight bytes at a time, for speed: against torn and garbled files.
std::uint64_t checksum(std::string_view bytes) {
  auto sum = fnv_offset<std::uint64_t>;
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const auto size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    sum = (sum ^ word) * fnv_prime<std::uint64_t>;
    sum ^= sum >> 29U;
    bytes.remove_prefix(size);
  }
  return sum;
}

std::int64_t seconds(planner::TimePoint time) {
  return time.time_since_epoch().count();
}

planner::TimePoint time_point(std::int64_t seconds) {
  return planner::TimePoint(std::chrono::seconds(seconds));
}

class Words {
 public:
  std::uint32_t number(const std::string& word) {
    const auto [place, is_new] = numbers_.try_emplace(word, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) {
      const auto size = static_cast<std::uint32_t>(word.size());
      text_.append(reinterpret_cast<const char*>(&size), sizeof size);
      text_ += word;
    }
    return place->second;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(numbers_.size()); }
  const std::string& text() const { return text_; }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  std::string text_;
};

std::optional<std::vector<std::string>> read_words(std::string_view bytes, std::uint32_t count) {
  std::vector<std::string> words;
  while (words.size() < count) {
    std::uint32_t size = 0;
    if (bytes.size() < sizeof size) return std::nullopt;
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    if (bytes.size() < size) return std::nullopt;
    words.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) return std::nullopt;
  return words;
}

}  // namespace

std::string to_bytes(const JobHistory& history) {
  Words words;
  std::string rows;
  rows.reserve(history.jobs.size() * sizeof(Row));
  for (const auto& job : history.jobs) {
    const Row row{.submitted = seconds(job.submitted),
                  .eligible = seconds(job.eligible),
                  .start = seconds(job.start),
                  .end = seconds(job.end),
                  .limit = job.limit.count(),
                  .memory = job.memory.count,
                  .user = words.number(job.user.text()),
                  .account = words.number(job.account.text()),
                  .partition = words.number(job.partition),
                  .qos = words.number(job.qos.text()),
                  .state = words.number(job.state),
                  .gpu_type = words.number(job.gpu_type),
                  .nodes = job.nodes,
                  .cpus = job.cpus,
                  .gpus = job.gpus,
                  .name_key = job.name_key};
    rows.append(reinterpret_cast<const char*>(&row), sizeof row);
  }
  const std::string body = rows + words.text();
  const Head head{.mark = magic,
                  .checksum = 0,
                  .from = seconds(history.from),
                  .to = seconds(history.to),
                  .rows = static_cast<std::uint32_t>(history.jobs.size()),
                  .words = words.count(),
                  .shows_others = history.shows_others ? 1U : 0U,
                  .reserved = 0};
  auto bytes = std::string(reinterpret_cast<const char*>(&head), sizeof head) + body;
  const auto sum = checksum(std::string_view(bytes).substr(checked_from));
  std::memcpy(bytes.data() + offsetof(Head, checksum), &sum, sizeof sum);
  return bytes;
}

std::optional<JobHistory> from_bytes(std::string_view bytes) {
  Head head = {};
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  const auto body = bytes.substr(sizeof head);
  const auto row_bytes = static_cast<std::uint64_t>(head.rows) * sizeof(Row);
  if (head.mark != magic || row_bytes > body.size()) return std::nullopt;
  if (checksum(bytes.substr(checked_from)) != head.checksum) return std::nullopt;
  const auto words = read_words(body.substr(row_bytes), head.words);
  if (!words) return std::nullopt;

  JobHistory history;
  history.from = time_point(head.from);
  history.to = time_point(head.to);
  history.shows_others = head.shows_others != 0;
  history.jobs.reserve(head.rows);
  for (std::size_t i = 0; i < head.rows; ++i) {
    Row row = {};
    std::memcpy(&row, body.data() + i * sizeof row, sizeof row);
    for (const auto word : {row.user, row.account, row.partition, row.qos, row.state, row.gpu_type}) {
      if (word >= words->size()) return std::nullopt;
    }
    history.jobs.push_back({.user = (*words)[row.user],
                            .account = (*words)[row.account],
                            .partition = (*words)[row.partition],
                            .qos = (*words)[row.qos],
                            .state = (*words)[row.state],
                            .submitted = time_point(row.submitted),
                            .eligible = time_point(row.eligible),
                            .start = time_point(row.start),
                            .end = time_point(row.end),
                            .limit = std::chrono::seconds(row.limit),
                            .nodes = row.nodes,
                            .cpus = row.cpus,
                            .memory = {row.memory},
                            .gpu_type = (*words)[row.gpu_type],
                            .gpus = row.gpus,
                            .name_key = row.name_key});
  }
  return history;
}

}  // namespace rv::slurm
