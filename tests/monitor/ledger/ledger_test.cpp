#include "monitor/ledger/ledger.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

constexpr LedgerRules once{};
constexpr LedgerRules again{.may_restart = true};
constexpr LedgerRules chain{.may_restart = true, .chain = true};

Entry entry(EntryKind kind, int candidate = 0, unsigned job = 0, std::string word = "-", int attempt = 1) {
  Entry made;
  made.kind = kind;
  made.attempt = attempt;
  made.candidate = candidate;
  made.job = JobId{job};
  made.word = std::move(word);
  if (kind == EntryKind::exit) made.code = 0;
  return made;
}

const Entry claim = entry(EntryKind::claim, 1, 10);
const Entry start = entry(EntryKind::start, 1, 10, "0");
const Entry ended = entry(EntryKind::exit, 1, 10, "exited");
const Entry terminated = entry(EntryKind::exit, 1, 10, "terminated");
const Entry stop = entry(EntryKind::stop);
const Entry retry = entry(EntryKind::retry, 0, 0, "-", 2);
const Entry lost = entry(EntryKind::outcome, 0, 0, "lost");
const JobIdentity winner{.attempt = 1, .candidate = 1, .job = JobId{10}};
const JobIdentity sibling{.attempt = 1, .candidate = 2, .job = JobId{11}};
const JobIdentity of_second_attempt{.attempt = 2, .candidate = 1, .job = JobId{12}};

Standing after(const std::vector<Entry>& entries, const LedgerRules& rules = once) {
  return standing_of(entries, rules);
}

Verdict gate(const std::vector<Entry>& entries, const JobIdentity& job, const LedgerRules& rules = once) {
  return at_gate(after(entries, rules), job, rules);
}

Verdict before_user_code(const std::vector<Entry>& entries, const JobIdentity& job, const LedgerRules& rules = once) {
  return at_start(after(entries, rules), job, rules);
}

Entry full() {
  Entry all;
  all.kind = EntryKind::outcome;
  all.attempt = 3;
  all.candidate = 2;
  all.job = JobId{4294967295};
  all.restart = 7;
  all.word = "failed";
  all.code = -1;
  all.node = "n1.example";
  all.time = TimePoint(std::chrono::seconds(1800000000));
  all.token = "10.n1.77.123";
  all.nodes = "n[1-2,7]";
  all.more = {{"detail", "exit code 3\non n1"}, {"ended", 1800000001}};
  return all;
}

}  // namespace

TEST_CASE("a line holds an entry whole") {
  for (const auto kind : {EntryKind::claim, EntryKind::postpone, EntryKind::start, EntryKind::exit, EntryKind::stop,
                          EntryKind::retry, EntryKind::outcome}) {
    auto one = full();
    one.kind = kind;
    const auto line = to_line(one);
    CHECK(line.find('\n') == line.size() - 1);
    const auto read = parse_entry(line);
    REQUIRE(read);
    CHECK(read->kind == kind);
    CHECK(to_line(*read) == line);
    CHECK(read->more == one.more);
    CHECK(read->code == -1);
  }
  const auto least = parse_entry(to_line(Entry{}));
  REQUIRE(least);
  CHECK(!least->code);
  CHECK(least->more.is_null());
}

TEST_CASE("a line as jobs write it: filled up with blanks, so that its room is on the disk beforehand") {
  const auto read = parse_entry("exit 2 1 77 3 terminated 143 n1 1800000000 77.n1.5.99 n[1-2]" + std::string(200, ' ') +
                                "\nwhat an earlier, longer line left behind\n");
  REQUIRE(read);
  CHECK(read->attempt == 2);
  CHECK(read->restart == 3);
  CHECK(read->word == "terminated");
  CHECK(read->code == 143);
  CHECK(read->nodes == "n[1-2]");
  CHECK(read->more.is_null());
}

TEST_CASE("a torn line is not an entry, wherever it was cut") {
  const auto line = to_line(full());
  for (std::size_t length = 0; length < line.size(); ++length) CHECK(!parse_entry(line.substr(0, length)));
}

TEST_CASE("an unreadable entry is not an entry") {
  for (const char* line :
       {"\n", "begun 1 1 10 0 - - n 5 t n\n", "claim one 1 10 0 - - n 5 t n\n", "claim 1 1 10x 0 - - n 5 t n\n",
        "claim 1 1 -10 0 - - n 5 t n\n", "claim 1 1 99999999999 0 - - n 5 t n\n", "claim 1 1 10 0 - - n late t n\n",
        "claim 1 1 10 0 - - n 5\n", " claim 1 1 10 0 - - n 5 t n\n", "Claim 1 1 10 0 - - n 5 t n\n"}) {
    CAPTURE(line);
    CHECK(!parse_entry(line));
  }
}

TEST_CASE("a field's text can't be read as another field or line") {
  auto hostile = full();
  hostile.word = "exited 0 n1 5 t n\nclaim 1 1 10";
  hostile.node = "";
  hostile.token = "a\tb\x7F";
  hostile.nodes = " ";
  hostile.more = {{"detail", "\xFF\xFE no UTF-8\n\0 claim 1 1 10"}};
  const auto line = to_line(hostile);
  CHECK(line.find('\n') == line.size() - 1);
  const auto read = parse_entry(line);
  REQUIRE(read);
  CHECK(read->word == "exited_0_n1_5_t_n_claim_1_1_10");
  CHECK(read->node == "-");
  CHECK(read->token == "a_b_");
  CHECK(read->nodes == "_");
  CHECK(read->more.is_object());
}

TEST_CASE("broken JSON at a line's end is left out, and the rest counts") {
  const auto read = parse_entry("stop 1 0 0 0 - - login 5 t - {\"detail\": \n");
  REQUIRE(read);
  CHECK(read->kind == EntryKind::stop);
  CHECK(read->more.is_null());
}

TEST_CASE("the first claim of an attempt counts, and a claim after a stop, an outcome or an end does not") {
  const auto second = entry(EntryKind::claim, 2, 11);
  CHECK(after({claim, second}).claim->job == JobId{10});
  CHECK(!after({stop, claim}).claim);
  CHECK(!after({lost, claim}).claim);
  CHECK(after({claim, retry, entry(EntryKind::claim, 2, 11)}).claim == std::nullopt);
  CHECK(after({claim, retry, entry(EntryKind::claim, 1, 12, "-", 2)}).claim->job == JobId{12});
}

TEST_CASE("a start counts only from the claim's holder, once, and while nothing has closed the run") {
  CHECK(after({claim, start}).start);
  CHECK(!after({start}).start);
  CHECK(!after({claim, entry(EntryKind::start, 2, 11, "0")}).start);
  CHECK(!after({claim, entry(EntryKind::start, 1, 12, "0")}).start);
  CHECK(after({claim, entry(EntryKind::start, 1, 12, "1")}, chain).start);
  CHECK(!after({claim, stop, start}).start);
  CHECK(!after({claim, lost, start}).start);
  CHECK(after({claim, start, start}).starts.size() == 1);
  CHECK(after({claim, start, start}, again).starts.size() == 2);
  CHECK(!after({claim, retry, start}).start);
}

TEST_CASE("a start answers the end before it, where it may be made again") {
  CHECK(after({claim, start, terminated, start}, again).exit == std::nullopt);
  CHECK(after({claim, start, ended, start}, again).exit);
}

TEST_CASE("an exit counts after what was concluded without it, but not after a stop that came before the start") {
  CHECK(after({claim, start, lost, ended}).exit);
  CHECK(after({claim, start, stop, ended}).exit);
  CHECK(!after({claim, stop, ended}).exit);
  CHECK(!after({claim, lost, ended}).exit);
  CHECK(after({claim, ended}).exit);  // the site's set-up failed
  CHECK(!after({claim, start, entry(EntryKind::exit, 2, 11, "exited")}).exit);
  CHECK(!after({claim, start, retry, ended}).exit);
}

TEST_CASE("the first exit counts, and an end after a TERM is final only where nothing may start again") {
  const auto failed = [] {
    auto one = ended;
    one.code = 3;
    return one;
  }();
  CHECK(after({claim, start, ended, failed}).exit->code == 0);
  CHECK(after({claim, start, terminated}).has_ended(once));
  CHECK(!after({claim, start, terminated}, again).has_ended(again));
  CHECK(after({claim, start, stop, terminated}, again).has_ended(again));
  const auto preempted = entry(EntryKind::exit, 1, 10, "preempted");
  CHECK(after({claim, start, preempted}).has_ended(once));
  CHECK(!after({claim, start, preempted}, again).has_ended(again));
  CHECK(gate({claim, start, preempted}, winner, again) == Verdict::pass);
  CHECK(at_element_start(element_standing(std::vector{start, preempted}, 1), after({claim}), winner, again) ==
        Verdict::start);
}

TEST_CASE("a stop, an outcome: once; a retry: the next number, and not after either") {
  CHECK(after({stop, stop}).stop->number == 1);
  CHECK(!after({claim, start, ended, stop}).stop);
  CHECK(after({lost, entry(EntryKind::outcome, 0, 0, "done")}).outcome->word == "lost");
  CHECK(after({retry}).attempt == 2);
  CHECK(after({entry(EntryKind::retry, 0, 0, "-", 3)}).attempt == 1);
  CHECK(after({stop, retry}).attempt == 1);
  CHECK(after({lost, retry}).attempt == 1);
  CHECK(after({claim, retry, retry}).attempt == 2);
}

TEST_CASE("the gate's decision follows from the entries") {
  CHECK(gate({}, winner) == Verdict::claim);
  CHECK(gate({claim}, winner) == Verdict::pass);
  CHECK(gate({claim}, sibling) == Verdict::yield);
  CHECK(gate({claim}, {.attempt = 1, .candidate = 1, .job = JobId{12}}) == Verdict::yield);
  CHECK(gate({claim}, {.attempt = 1, .candidate = 1, .job = JobId{12}}, chain) == Verdict::pass);
  CHECK(gate({stop}, winner) == Verdict::stopped);
  CHECK(gate({lost}, winner) == Verdict::over);
  CHECK(gate({claim, start, ended}, winner) == Verdict::over);
  CHECK(gate({claim, start, ended, stop}, winner) == Verdict::over);
  CHECK(gate({claim, retry}, winner) == Verdict::yield);
  CHECK(gate({claim, retry}, of_second_attempt) == Verdict::claim);
  CHECK(gate({claim}, of_second_attempt) == Verdict::behind);
  CHECK(gate({claim, start, ended}, of_second_attempt) == Verdict::behind);  // an end that another attempt follows
  CHECK(gate({lost}, of_second_attempt) == Verdict::over);
  CHECK(gate({entry(EntryKind::postpone, 1, 10, "13")}, winner) == Verdict::yield);
  CHECK(gate({entry(EntryKind::postpone, 1, 10, "13")}, sibling) == Verdict::claim);
  CHECK(gate({claim, start, terminated}, winner, again) == Verdict::pass);
}

TEST_CASE("before user code") {
  CHECK(before_user_code({}, winner) == Verdict::yield);
  CHECK(before_user_code({claim}, winner) == Verdict::start);
  CHECK(before_user_code({claim, start}, winner) == Verdict::refused);
  CHECK(before_user_code({claim, start}, winner, again) == Verdict::start);
  CHECK(before_user_code({claim, stop}, winner) == Verdict::stopped);
  CHECK(before_user_code({claim, lost}, winner, again) == Verdict::over);
  CHECK(before_user_code({claim, retry}, winner, again) == Verdict::yield);
}

TEST_CASE("a client's permitted decisions follow from the entries") {
  CHECK(may_stop(after({claim, start}), once));
  CHECK(!may_stop(after({claim, start, ended}), once));
  CHECK(!may_stop(after({stop}), once));
  CHECK(!may_stop(after({lost}), once));
  CHECK(may_retry(after({claim}), JobId{10}, once));
  CHECK(!may_retry(after({claim}), JobId{11}, once));
  CHECK(!may_retry(after({claim}), std::nullopt, once));
  CHECK(may_retry(after({}), std::nullopt, once));
  CHECK(!may_retry(after({claim, start}), JobId{10}, once));
  CHECK(may_retry(after({claim, start}), JobId{10}, again));
  // With --retries the command may be started again only once its end is on record.
  const LedgerRules retries{.may_restart = false, .chain = false, .retries = true};
  CHECK(!may_retry(after({claim, start}), JobId{10}, retries));
  CHECK(may_retry(after({claim, start, ended}), JobId{10}, retries));
  CHECK(!may_retry(after({claim, start, ended}), JobId{10}, once));
  CHECK(!may_retry(after({claim, stop}), JobId{10}, again));
  CHECK(!may_retry(after({claim, lost}), JobId{10}, again));
  CHECK(may_write_outcome(after({claim, stop})));
  CHECK(!may_write_outcome(after({lost})));
}

TEST_CASE("in an element's ledger, entries of earlier attempts do not count after a retry") {
  const std::vector<Entry> first{start, ended};
  CHECK(element_standing(first, 1).exit);
  CHECK(!element_standing(first, 2).start);
  CHECK(element_standing(first, 2).length == 2);
  const auto run = after({claim});
  CHECK(at_element_start(element_standing({}, 1), run, winner, once) == Verdict::start);
  CHECK(at_element_start(element_standing(std::vector{start}, 1), run, winner, once) == Verdict::refused);
  CHECK(at_element_start(element_standing(std::vector{start}, 1), run, winner, again) == Verdict::start);
  CHECK(at_element_start(element_standing(first, 1), run, winner, again) == Verdict::over);
  CHECK(at_element_start(element_standing(std::vector{start, terminated}, 1), run, winner, again) == Verdict::start);
  CHECK(at_element_start(element_standing(std::vector{start, terminated}, 1), run, winner, once) == Verdict::over);
  CHECK(at_element_start(element_standing({}, 1), after({claim, stop}), winner, once) == Verdict::stopped);
  CHECK(at_element_start(element_standing({}, 1), after({}), winner, once) == Verdict::yield);
}

TEST_CASE("an end recorded by another process of the same job does not end the start that counts") {
  auto by_first = ended, restarted = start;
  by_first.token = "first";
  restarted.token = "second";
  // A node that comes back after Slurm has started the job elsewhere; its set-up fails there.
  CHECK(!after({claim, restarted, by_first}).exit);
  CHECK(after({claim, restarted, by_first}, chain).exit);  // its segments have files for that
  auto by_second = ended;
  by_second.token = "second";
  by_second.code = 3;
  CHECK(after({claim, restarted, by_first, by_second}, again).exit->code == 3);
  CHECK(element_standing(std::vector{restarted, by_first}, 1).exit == std::nullopt);
  CHECK(element_standing(std::vector{by_first}, 1).exit);
}
