#include "cli/kubernetes/pods/names.h"

#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "base/regex_pattern.h"
#include "base/terminal_text.h"
#include "base/wrong_value.h"

namespace rv::kubernetes {
namespace {

constexpr std::size_t label_length = 63, domain_length = 253, image_length = 512;
// Behind it stand an index, a random suffix and, for a JobSet, the names of its parts.
constexpr std::size_t run_name_length = 40;

constexpr std::string_view label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view word = "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";

std::string domain() {
  return fmt::format("{0}(\\.{0})*", label);
}

bool matches(const std::string& pattern, const std::string& text) {
  // The expression's ^ and $ are those of a line.
  if (text.find('\n') != std::string::npos || text.find('\0') != std::string::npos) return false;
  return RegexPattern("^(" + pattern + ")$").first_group(text).has_value();
}

void check(bool right, const std::string& option, const std::string& text, std::string_view what,
           std::string_view advice) {
  if (right) return;
  const auto shown = text.size() > 80 ? text.substr(0, 77) + "..." : text;
  throw wrong_value(option, shown, fmt::format("a valid {}", what), std::string(advice));
}

bool is_qualified(const std::string& text, bool needs_domain) {
  const auto slash = text.find('/');
  if (slash == std::string::npos)
    return !needs_domain && text.size() <= label_length && matches(std::string(word), text);
  const auto before = text.substr(0, slash), after = text.substr(slash + 1);
  return before.size() <= domain_length && matches(domain(), before) && after.size() <= label_length &&
         matches(std::string(word), after);
}

}  // namespace

void check_run_name(const std::string& option, const std::string& text) {
  check(text.size() <= run_name_length && matches("[a-z]([-a-z0-9]*[a-z0-9])?", text), option, text,
        "name of a job in Kubernetes",
        "lowercase letters, digits and \"-\", beginning with a letter, at most 40 characters: --name rv-monday");
}

void check_namespace(const std::string& option, const std::string& text) {
  check(text.size() <= label_length && matches(std::string(label), text), option, text, "namespace",
        "lowercase letters, digits and \"-\", at most 63 characters: --namespace gpu-tests");
}

void check_secret(const std::string& option, const std::string& text) {
  check(text.size() <= domain_length && matches(domain(), text), option, text, "name of a secret",
        "lowercase letters, digits, \"-\" and \".\": --pull-secret registry");
}

void check_image(const std::string& option, const std::string& text) {
  // The host may have capitals, the path may not; what follows is a tag, a digest or both.
  const std::string host =
      "([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*(:[0-9]{1,5})?/)?";
  const std::string part = "[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*";
  const std::string pattern =
      host + part + "(/" + part + ")*(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,128})?";
  check(text.size() <= image_length && matches(pattern, text), option, text, "image",
        "write it as registry.example/team/rv-workers:1.0");
}

void check_label_key(const std::string& option, const std::string& text) {
  check(is_qualified(text, false), option, text, "key of a label", "write it as example.com/name or name");
}

void check_label_value(const std::string& option, const std::string& text) {
  check(text.empty() || (text.size() <= label_length && matches(std::string(word), text)), option, text,
        "value of a label", "letters, digits, \"-\", \"_\" and \".\", at most 63 characters");
}

void check_resource(const std::string& option, const std::string& text) {
  check(is_qualified(text, true), option, text, "resource of a device plugin",
        "write it as nvidia.com/gpu or rdma/hca_shared_devices_a: kubectl describe node shows them");
}

void check_variable(const std::string& option, const std::string& text) {
  check(matches("[A-Za-z_][A-Za-z0-9_]*", text), option, text, "name of a variable",
        "write it as NCCL_SOCKET_IFNAME=eth0");
}

void check_value(const std::string& option, const std::string& name, const std::string& value) {
  // The filter changes each byte that is not UTF-8.
  const bool right = !has_control_character(value) && terminal_text(value) == value;
  if (right) return;
  throw Error(fmt::format("{} {}: the value must be one line of text", option, name),
              "a manifest can't contain control characters or bytes that are not UTF-8", ExitCode::usage);
}

bool is_node_name(const std::string& text) {
  // By hand: it is asked of every line of a log.
  const auto inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  char before = '.';
  for (const char c : text) {
    const bool divides = c == '.' || c == '-';
    if (!inner(c) && !divides) return false;
    if (divides && before == '.') return false;
    if (c == '.' && before == '-') return false;
    before = c;
  }
  return !text.empty() && text.size() <= domain_length && inner(before);
}

}  // namespace rv::kubernetes
