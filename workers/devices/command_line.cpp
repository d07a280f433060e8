#include "workers/devices/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace rv::workers {
namespace {

/// Shortens CLI11's messages such as "--model: x not in {a,b}" or "The following arguments were not expected: x
/// --modle".
std::string in_words(const std::string& text) {
  const auto extra = text.find("not expected: ");
  if (extra != std::string::npos) return text.substr(extra);
  constexpr std::string_view of_list = " not in {";
  const auto at = text.find(of_list);
  if (at == std::string::npos || !text.ends_with('}')) return text;
  std::string names;
  for (const char c : text.substr(at + of_list.size(), text.size() - at - of_list.size() - 1)) {
    names += c == ',' ? std::string(", ") : std::string(1, c);
  }
  return text.substr(0, at) + " is not one of " + names;
}

/// "0.1 to 86400" of CLI11's "FLOAT:FLOAT in [0.1 - 86400]"; empty without a range.
std::string range_of(const CLI::Option& option) {
  const auto type = option.get_type_name();
  const auto begin = type.find(" in [");
  const auto gap = type.find(" - ", begin);
  const auto end = type.find(']', begin);
  if (begin == std::string::npos || gap == std::string::npos || end == std::string::npos) return "";
  return type.substr(begin + 5, gap - begin - 5) + " to " + type.substr(gap + 3, end - gap - 3);
}

/// "mlp, resnet18" of CLI11's "TEXT:{mlp,resnet18}"; empty without such a list, or if the description has its names.
std::string choices_of(const CLI::Option& option) {
  const auto type = option.get_type_name();
  const auto begin = type.find('{');
  if (begin == std::string::npos || !type.ends_with('}')) return "";
  std::string names;
  std::size_t described = 0;
  for (std::size_t at = begin + 1; at < type.size();) {
    const auto end = std::min(type.find(',', at), type.size() - 1);
    const auto name = type.substr(at, end - at);
    if (option.get_description().find(name) != std::string::npos) ++described;
    names += (names.empty() ? "" : ", ") + name;
    at = end + 1;
  }
  return described > 1 ? "" : names;
}

/// Help in the form of rv's: a name for the value, then the description with "(default: 60; 0.1 to 86400)".
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const auto type = option->get_type_name();
    const auto colon = type.find(':');
    const auto first = type.substr(0, colon);
    std::string name = first == "FLOAT" || first == "INT" || first == "UINT" ? "N" : first;
    if (type.ends_with(":FILE")) name = "FILE";
    if (type.ends_with(":DIR")) name = "DIR";
    return " " + name + (option->get_expected_max() > 1 ? " ..." : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    auto text = option->get_description();
    const auto value = option->get_default_str();
    std::string more = choices_of(*option);
    const auto add = [&more](const std::string& part) { more += (more.empty() || part.empty() ? "" : "; ") + part; };
    if (!value.empty() && text.find("default: ") == std::string::npos) add("default: " + value);
    add(range_of(*option));
    if (more.empty()) return text;
    if (!text.ends_with(')')) return fmt::format("{} ({})", text, more);
    text.pop_back();
    return fmt::format("{}; {})", text, more);
  }
};

}  // namespace

void describe_device(CLI::App& app, std::string& device) {
  app.add_option("--device", device,
                 "auto, gpu or cpu. auto: the GPUs; without a GPU the CPU is used and the result is a skip")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->transform([](const std::string& text) { return text == "gpu" ? std::string("cuda") : text; })
      ->capture_default_str();
}

int refused(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  fmt::print(stderr, "{0}: error: {1}\nhint: {0} --help lists the options\n", app.get_name(), in_words(error.what()));
  return 2;
}

int run_program(CLI::App& app, int argc, const char* const* argv, const std::function<void()>& complete,
                const std::function<int()>& run) {
  try {
    app.formatter(std::make_shared<HelpFormat>());
    app.parse(argc, argv);
    if (complete) complete();
    return run();
  } catch (const CLI::ParseError& error) {
    return refused(app, error);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 3;
  }
}

}  // namespace rv::workers
