#include "workers/devices/command_line.h"

#include <fmt/format.h>

#include <cstdio>
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

}  // namespace

void describe_device(CLI::App& app, std::string& device) {
  app.add_option("--device", device,
                 "auto: the GPUs; without a GPU the CPU is used and the result is a skip. cuda: only GPUs")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
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
