#include "base/failures/hardware_pattern.h"

#include <string_view>

#include "base/failures/message.h"
#include "base/failures/xid.h"

namespace rv::failures {
namespace {

void add_alternative(std::string& pattern, const std::string& alternative) {
  pattern += (pattern.empty() ? "" : "|") + alternative;
}

/// A pattern of the catalogue ("*" for any text, "^" at the beginning) as an extended regular expression.
std::string expression_of(std::string_view pattern) {
  std::string expression;
  if (pattern.starts_with('^')) {
    expression = "^";
    pattern.remove_prefix(1);
  }
  for (const char c : pattern) {
    if (c == '*') {
      expression += ".*";
      continue;
    }
    if (std::string_view(R"(.[](){}\^$|+?)").find(c) != std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression;
}

}  // namespace

std::string hardware_pattern() {
  std::string pattern;
  for (const auto message : messages_of(Cause::gpu_hardware)) add_alternative(pattern, expression_of(message));
  for (const bool nvswitch : {false, true}) {
    std::string codes;
    for (const auto& fault : faults_to_repair(nvswitch)) {
      const auto code = std::to_string(fault.code);
      add_alternative(codes, fault.pattern.empty() ? code : code + "[^0-9].*" + expression_of(fault.pattern));
    }
    if (codes.empty()) continue;
    std::string line = nvswitch ? "SXid" : "(^|[^S])Xid";
    line += R"( \([^)]*\): 0*()";
    line += codes;
    line += ")([^0-9]|$)";
    add_alternative(pattern, line);
  }
  return pattern;
}

}  // namespace rv::failures
