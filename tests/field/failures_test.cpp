// failures.yaml, failures_second.yaml, failures_third.yaml: what failed programs wrote. RV_FIELD_TABLE=1 prints what
// rv why says of the samples that were searched for.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "monitor/diagnosis/diagnosis.h"
#include "tests/source_tree.h"

namespace rv::monitor {
namespace {

struct Row {
  std::string sample, text, cause, diagnosis, blame, says, source;
  int exit = 1;
};

std::vector<Row> rows(const std::string& file = "failures.yaml") {
  const auto value = [](const YAML::Node& node, const char* key) {
    return node[key] ? node[key].as<std::string>() : std::string();
  };
  std::vector<Row> out;
  for (const auto& node : YAML::LoadFile(in_tree("tests/field/" + file))["rows"]) {
    out.push_back({value(node, "sample"), value(node, "text"), value(node, "cause"), value(node, "diagnosis"),
                   value(node, "blame"), value(node, "says"), value(node, "source"), node["exit"].as<int>()});
  }
  return out;
}

Diagnosis diagnosis_of(const Row& row) {
  RunEvidence evidence;
  evidence.view.state = RunState::failed;
  evidence.view.exit_code = row.exit;
  evidence.view.winner = 1;
  evidence.view.nodes = "n[1-2]";
  LogTail log{.file = "logs/n1.err", .node = "n1", .lines = {}, .first_line = 1};
  std::istringstream lines(row.text);
  for (std::string line; std::getline(lines, line);) log.lines.push_back(line);
  evidence.logs.push_back(std::move(log));
  return diagnose(evidence);
}

std::string blamed(const Diagnosis& diagnosis) {
  return diagnosis.bad_nodes.empty() ? "" : "node";
}

// At most one of 12 may be wrong, and no node may be blamed that the row does not blame.
void check_sample(const std::vector<Row>& sample) {
  int right = 0, unknown = 0, wrong = 0, blamed_wrongly = 0;
  const bool print = std::getenv("RV_FIELD_TABLE") != nullptr;
  for (const auto& row : sample) {
    const auto diagnosis = diagnosis_of(row);
    const std::string name(text_of(diagnosis.cause).name);
    (name == row.cause ? right : name == "unknown" ? unknown : wrong) += 1;
    const bool blames_wrongly = blamed(diagnosis) == "node" && row.blame != "node";
    blamed_wrongly += blames_wrongly ? 1 : 0;
    if (print) {
      std::cout << (name == row.cause   ? "right    "
                    : name == "unknown" ? "unknown  "
                                        : "WRONG    ")
                << name << (name == row.cause ? "" : " for " + row.cause) << "  " << blamed(diagnosis)
                << (blames_wrongly ? " WRONGLY" : "") << "  " << row.source << "\n";
    }
  }
  if (print) std::cout << right << " right, " << unknown << " unknown, " << wrong << " wrong\n";
  CHECK(right + unknown + wrong >= 60);
  CHECK(wrong <= (right + unknown + wrong) / 12);
  CHECK(blamed_wrongly == 0);
}

}  // namespace

TEST_CASE("failures of the field: the cause, its words, and whether a node is blamed") {
  auto all = rows();
  for (const char* file : {"failures_second.yaml", "failures_third.yaml"}) {
    std::ranges::move(rows(file), std::back_inserter(all));
  }
  for (const auto& row : all) {
    const auto diagnosis = diagnosis_of(row);
    CAPTURE(row.text);
    CHECK(std::string(text_of(diagnosis.cause).name) == (row.diagnosis.empty() ? row.cause : row.diagnosis));
    CHECK(blamed(diagnosis) == row.blame);
    std::string said = diagnosis.summary;
    for (const auto& proof : diagnosis.proofs) said += "\n" + proof.text;
    CHECK_MESSAGE(said.find(row.says) != std::string::npos, said);
  }
}

TEST_CASE(
    "of the sample that was searched for, at least 55 of 60 are right or unknown, and no node is blamed wrongly") {
  auto sample = rows();
  std::erase_if(sample, [](const Row& row) { return row.sample != "found"; });
  check_sample(sample);
}

TEST_CASE("so it is of the second sample, which was searched for when all rules had been written") {
  check_sample(rows("failures_second.yaml"));
}

TEST_CASE("so it is of the third sample, which somebody else searched for") {
  check_sample(rows("failures_third.yaml"));
}

}  // namespace rv::monitor
