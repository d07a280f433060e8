// The six questions of the experiment, answered from what was measured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/sweep/curve.h"

namespace rv::sweep {

struct Answer {
  std::string question;
  bool measured = false;
  std::string answer;    // "not measured" where it was not
  std::string evidence;  // what it rests on, or why nothing is known
};

/// A machine that a sweep ran on, as a person calls it: its GPU's model, else the host.
std::string machine_of(const std::vector<PointResult>& results);

/// The second machine's curve, for questions 3 and 4.
struct OtherMachine {
  std::string name;
  const Curve* curve = nullptr;
};

/// `curve` of the machine `name`. Six, in the order of the seed's key questions.
std::vector<Answer> answer(const Order& order, const Curve& curve, const std::string& name, const OtherMachine& other);

nlohmann::ordered_json to_json(const Answer& answer);

/// "12,345", "0.56": with commas between thousands, four digits where it is smaller.
std::string number_text(double value);

}  // namespace rv::sweep
