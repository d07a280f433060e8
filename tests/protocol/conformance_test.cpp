// The rules are written down twice, in C++ for clients and in bash for jobs. Both are asked about the same ledgers,
// every one up to a length, possible or not, and longer ones drawn at random; both have to say the same.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "monitor/ledger/ledger.h"
#include "rendered_script.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

namespace {

constexpr const char* alphabet[] = {
    "claim 1 1 10 0 - - n1 5 a n1",          "claim 1 2 11 0 - - n2 5 b n2",
    "claim 2 1 12 0 - - n1 5 c n1",          "postpone 1 1 10 0 13 - n1 5 a n1",
    "start 1 1 10 0 0 - n1 5 a n1",          "start 1 1 10 1 0 - n3 5 d n3",
    "start 1 2 11 0 0 - n2 5 b n2",          "start 1 1 12 0 2 - n1 5 c n1",
    "start 2 1 12 0 0 - n1 5 c n1",          "exit 1 1 10 0 exited 0 n1 5 a n1",
    "exit 1 1 10 1 exited 3 n3 5 d -",       "exit 1 1 10 0 terminated 143 n1 5 a n1",
    "exit 1 1 10 0 preempted 143 n1 5 a n1", "exit 2 1 12 0 time_up 0 n1 5 c n1",
    "stop 1 0 0 0 - - login 5 e -",          "retry 2 0 0 0 - - login 5 e -",
    "outcome 1 0 0 0 lost - login 5 e - {}",
};
constexpr const char* element_alphabet[] = {
    "start 1 1 10 0 0 - n1 5 a n1",        "start 1 1 10 1 0 - n3 5 d n3",     "start 2 1 12 0 0 - n1 5 c n1",
    "exit 1 1 10 0 exited 0 n1 5 a n1",    "exit 1 1 10 1 exited 3 n3 5 d -",  "exit 1 1 10 0 terminated 143 n1 5 a n1",
    "exit 1 1 10 0 preempted 1 n1 5 a n1", "exit 2 1 12 0 exited 0 n1 5 c n1", "exit 1 0 0 0 stopped - login 5 e -",
};
const std::vector<JobIdentity> jobs = {
    {1, 1, JobId{10}, 0}, {1, 1, JobId{10}, 1}, {1, 2, JobId{11}, 0}, {1, 1, JobId{12}, 0}, {2, 1, JobId{12}, 0}};

struct Kind {
  std::string script;
  LedgerRules rules;
  int depth = 3;
};
const Kind kinds[] = {
    {"plain", {}, 4}, {"requeue", {.may_restart = true}}, {"chain", {.may_restart = true, .chain = true}}};

template <typename Lines>
std::vector<Entry> parsed(const Lines& lines) {
  std::vector<Entry> entries;
  for (const char* line : lines) entries.push_back(parse_entry(std::string(line) + "\n").value());
  return entries;
}

template <typename Lines>
void write_lines(const std::string& path, const Lines& lines) {
  std::ofstream file(path);
  for (const auto& line : lines) file << line << '\n';
}

// In the format of verdicts.bash.
std::string text_of(const Standing& all) {
  const auto number = [](auto value) { return std::to_string(value); };
  std::string text = number(all.attempt) + "|";
  if (all.claim) text += number(all.claim->candidate) + " " + number(all.claim->job.number);
  text += "|";
  if (all.start) text += number(all.start->job.number) + " " + number(all.start->restart) + " " + all.start->word;
  text += "|";
  if (all.exit) text += all.exit->word + " " + number(all.exit->code.value());
  return text + "|" + (all.stop ? "1" : "") + "|" + (all.outcome ? all.outcome->word : "") + "|";
}

std::string judged(const std::vector<Entry>& entries, const LedgerRules& rules) {
  const auto all = standing_of(entries, rules);
  std::string text = text_of(all);
  for (const auto& job : jobs) {
    text += " " + std::string(to_string(at_gate(all, job, rules)));
    text += " " + std::string(to_string(at_start(all, job, rules)));
  }
  return text;
}

// Every sequence up to `depth` more entries, in the order that verdicts.bash has.
template <typename Visit>
void walk(const std::vector<Entry>& letters, std::vector<Entry>& entries, int depth, const Visit& visit) {
  visit(entries);
  if (depth == 0) return;
  for (const auto& letter : letters) {
    entries.push_back(letter);
    walk(letters, entries, depth - 1, visit);
    entries.pop_back();
  }
}

// The lines that the script's functions answer with, one after the other.
class Answers {
 public:
  explicit Answers(const std::string& arguments)
      : pipe_(::popen(("bash " RV_PROTOCOL_TESTS "/verdicts.bash " + arguments).c_str(), "r")) {
    REQUIRE(pipe_ != nullptr);
  }
  ~Answers() {
    std::free(line_);
    if (pipe_ != nullptr) ::pclose(pipe_);
  }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  std::string next() {
    const auto length = ::getline(&line_, &room_, pipe_);
    return length <= 0 ? "nothing" : std::string(line_, static_cast<std::size_t>(length) - 1);
  }
  // Whether that was all.
  bool end() {
    const bool well = next() == "nothing" && ::pclose(pipe_) == 0;
    pipe_ = nullptr;
    return well;
  }

 private:
  std::FILE* pipe_;
  char* line_ = nullptr;
  std::size_t room_ = 0;
};

std::string shown(const std::vector<Entry>& entries) {
  std::string text;
  for (const auto& entry : entries) text += to_line(entry);
  return text;
}

struct Files {
  explicit Files(const std::string& kind) {
    std::ofstream(at("functions")) << functions_of(rendered_script(kind, {.run_folder = folder.path()}));
    write_lines(at("entries"), alphabet);
    write_lines(at("elements"), element_alphabet);
  }
  std::string at(const std::string& name) const { return folder.path() + "/" + name; }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("scripts and clients agree about every ledger up to a length") {
  const auto letters = parsed(alphabet);
  for (const auto& kind : kinds) {
    const Files files(kind.script);
    Answers answers(files.at("functions") + " " + files.at("entries") + " ledger " + std::to_string(kind.depth));
    int count = 0, wrong = 0;
    std::vector<Entry> entries;
    walk(letters, entries, kind.depth, [&](const auto& ledger) {
      ++count;
      const auto expected = judged(ledger, kind.rules), said = answers.next();
      if (expected == said || ++wrong > 3) return;
      FAIL_CHECK("after\n" << shown(ledger) << kind.script << " scripts say " << said << "\nclients say " << expected);
    });
    CHECK(answers.end());
    CHECK(wrong == 0);
    MESSAGE(kind.script << ": " << count << " ledgers");
  }
}

TEST_CASE("and of longer ones at random") {
  constexpr int ledgers = 2000, longest = 12;
  const auto letters = parsed(alphabet);
  std::mt19937 random(13);  // NOLINT(cert-msc51-cpp): the same ledgers every time
  for (const auto& kind : kinds) {
    const Files files(kind.script);
    std::vector<std::vector<Entry>> drawn(ledgers);
    std::ofstream list(files.at("list"));
    for (auto& ledger : drawn) {
      const auto length = 5 + random() % (longest - 4);
      for (std::size_t i = 0; i < length; ++i) {
        const auto place = random() % letters.size();
        ledger.push_back(letters[place]);
        list << place << ' ';
      }
      list << '\n';
    }
    list.close();
    Answers answers(files.at("functions") + " " + files.at("entries") + " ledger - <" + files.at("list"));
    for (const auto& ledger : drawn) {
      const auto said = answers.next();
      CHECK_MESSAGE(said == judged(ledger, kind.rules), shown(ledger));
    }
    CHECK(answers.end());
  }
}

TEST_CASE("an element's ledger, beside the run's") {
  const auto letters = parsed(alphabet), element_letters = parsed(element_alphabet);
  const std::vector<std::vector<std::size_t>> runs = {{}, {0}, {1}, {0, 13}, {0, 15}, {0, 14}, {0, 14, 2}, {3}};
  for (const auto& [script, rules, depth] : {Kind{"array", {}}, Kind{"array_requeue", {.may_restart = true}}}) {
    const Files files(script);
    std::ofstream list(files.at("list"));
    for (const auto& run : runs) {
      for (const auto place : run) list << place << ' ';
      list << '\n';
    }
    list.close();
    Answers answers(files.at("functions") + " " + files.at("entries") + " element " + files.at("list") + " " +
                    files.at("elements") + " " + std::to_string(depth));
    int count = 0, wrong = 0;
    for (const auto& places : runs) {
      std::vector<Entry> run;
      for (const auto place : places) run.push_back(letters[place]);
      const auto standing = standing_of(run, rules);
      for (const int attempt : {1, 2}) {
        const std::vector<JobIdentity> here = {
            {attempt, 1, JobId{10}, 0}, {attempt, 1, JobId{10}, 1}, {attempt, 2, JobId{11}, 0}};
        std::vector<Entry> entries;
        walk(element_letters, entries, depth, [&](const auto& ledger) {
          ++count;
          std::string expected = text_of(standing);
          for (const auto& job : here) {
            expected +=
                " " + std::string(to_string(at_gate(standing, job, rules))) + " " +
                std::string(to_string(at_element_start(element_standing(ledger, attempt), standing, job, rules)));
          }
          const auto said = answers.next();
          if (expected == said || ++wrong > 3) return;
          FAIL_CHECK("attempt " << attempt << " of the run\n"
                                << shown(run) << "element\n"
                                << shown(ledger) << script << " scripts say " << said << "\nclients say " << expected);
        });
      }
    }
    CHECK(answers.end());
    CHECK(wrong == 0);
    MESSAGE(script << ": " << count << " ledgers of an element");
  }
}
