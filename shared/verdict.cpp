#include "shared/verdict.h"

#include <algorithm>

namespace rv {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::skip:
      return "skip";
    case Verdict::error:
      return "error";
  }
  return "error";
}

std::optional<Verdict> verdict_named(std::string_view word) {
  for (const auto verdict : {Verdict::pass, Verdict::fail, Verdict::skip, Verdict::error}) {
    if (word == to_string(verdict)) return verdict;
  }
  return std::nullopt;
}

Verdict verdict_from(std::string_view word) {
  return verdict_named(word).value_or(Verdict::error);
}

int severity(Verdict verdict) {
  return verdict == Verdict::fail ? 0 : verdict == Verdict::error ? 1 : verdict == Verdict::skip ? 2 : 3;
}

Verdict fold(const std::vector<Verdict>& verdicts) {
  for (const auto worst : {Verdict::fail, Verdict::error, Verdict::skip}) {
    if (std::find(verdicts.begin(), verdicts.end(), worst) != verdicts.end()) return worst;
  }
  return verdicts.empty() ? Verdict::error : Verdict::pass;
}

int exit_code(Verdict verdict, bool allow_skip) {
  switch (verdict) {
    case Verdict::pass:
      return 0;
    case Verdict::fail:
      return 1;
    case Verdict::skip:
      return allow_skip ? 0 : 77;
    case Verdict::error:
      return 3;
  }
  return 3;
}

}  // namespace rv
