#include "cli/launch/order_script.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/launch/start_run.h"
#include "cli/options/array_option.h"
#include "cli/setup/notify_targets.h"
#include "cli/setup/user_secrets.h"

namespace rv::cli {

namespace {

struct Home {
  Home() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rv-order-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    settings.home = pattern;
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  ~Home() { std::filesystem::remove_all(settings.home); }

  Settings settings;
};

planner::Strategy strategy_on(const std::string& partition, planner::Kind kind) {
  planner::Strategy strategy;
  strategy.kind = kind;
  strategy.gpu.name = strategy.gres_type = "a40";
  strategy.nodes = 2;
  strategy.gpus_per_node = 4;
  strategy.partitions = {partition};
  strategy.time_limit = std::chrono::hours(4);
  strategy.work_time = std::chrono::hours(12);
  strategy.memory_per_node = Mebibytes{1024};
  strategy.cpus_per_node = 4;
  return strategy;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// An order with everything that can come from an option, a setting or another run.
WorkOrder full_order(const Settings& settings) {
  auto order = plain_order({"python", "-c", "print(1)"}, settings, "started,ended");
  order.job.processes_per_node = 3;
  order.job.outputs = {"results"};
  order.job.after = templates::After{"prepare", true};
  order.job.requeue = true;
  order.job.container_options = {"--container-image=nvcr.io#nvidia/pytorch"};
  return order;
}

ResolvedInputs full_inputs() {
  ResolvedInputs inputs;
  inputs.predecessor = templates::Predecessor{.run_folder = "/home/ann/rv/runs/k3f9x2",
                                              .dependency = "afterany:4711",
                                              .elements = 0,
                                              .chain = false,
                                              .requeue = false};
  inputs.environment = "export TOKEN=secret\n";
  return inputs;
}

}  // namespace

TEST_CASE("the script that is shown is the script that is submitted") {
  const Home home;
  set_notify_target(home.settings.home,
                    {.name = "me", .kind = "mail", .to = "ann@example.org", .on = "ended", .as = "", .ca = ""});
  planner::Request request;
  request.gpus = 8;
  planner::Plan plan;
  WorkOrder order = full_order(home.settings);
  ResolvedInputs inputs = full_inputs();
  SUBCASE("a command") {
    plan.strategies = {strategy_on("gpu-a", planner::Kind::plain), strategy_on("gpu-b", planner::Kind::plain)};
  }
  SUBCASE("an array") {
    order.job.array = parse_array("0-9%2");
    plan.strategies = {strategy_on("gpu-a", planner::Kind::plain)};
  }
  SUBCASE("segments, from another run's checkpoint") {
    order.job.chain.emplace().from = "k3f9x2";
    order.job.container_options.clear();
    inputs.checkpoint_folder = home.settings.home + "/runs/k3f9x2/checkpoint";
    std::filesystem::create_directories(inputs.checkpoint_folder);
    plan.strategies = {strategy_on("gpu-a", planner::Kind::checkpoint)};
  }
  SUBCASE("nothing but the GPUs") {
    order = plain_order({}, home.settings);
    inputs = {};
    plan.strategies = {strategy_on("gpu-a", planner::Kind::plain)};
  }
  const auto folder = write_run({}, request, plan, home.settings, order, inputs, 4);
  const auto shown = preview_run(request, order.job, home.settings);
  CHECK(shown.id == "preview");
  const auto record = folder.record();
  REQUIRE(record.candidates.size() == plan.strategies.size());
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const auto submitted = os::read_file(folder.file("candidates/" + std::to_string(number) + "/script.sh"));
    REQUIRE(submitted);
    const auto preview = order_script(order.job, inputs, plan.strategies[i], number, home.settings, shown);
    CHECK(replaced(preview, "preview", folder.id()) == *submitted);
    CHECK(preview.find(notify_folder(home.settings.home)) != std::string::npos);
    if (order.job.hold) continue;
    std::vector<std::string> parts = order.job.container_options;
    parts.insert(parts.end(), {"afterany:4711", "started,ended"});
    for (const auto& part : parts) {
      CAPTURE(part);
      CHECK(preview.find(part) != std::string::npos);
    }
  }
}

TEST_CASE("runs that an order names are resolved") {
  const Home home;
  WorkOrder order = plain_order({"true"}, home.settings);
  const auto plain = resolve_inputs(order.job, home.settings);
  CHECK(!plain.predecessor);
  CHECK(plain.checkpoint_folder.empty());
  CHECK(plain.environment.empty());
  set_user_secret(home.settings.home, "TOKEN", "secret");
  CHECK(!resolve_inputs(order.job, home.settings).environment.empty());
  order.job.after = templates::After{"nobody", true};
  CHECK_THROWS_AS(resolve_inputs(order.job, home.settings), Error);
}

TEST_CASE("a strategy in segments is shown for a command without --checkpoint") {
  const Home home;
  const auto strategy = strategy_on("gpu-a", planner::Kind::checkpoint);
  const auto script = order_script(plain_order({"true"}, home.settings).job, {}, strategy, 1, home.settings,
                                   {.id = "preview", .folder = "/r/preview", .name = "true"});
  CHECK(script.find("\nrv_total=43200\n") != std::string::npos);
  CHECK(script.find("#SBATCH --time-min") == std::string::npos);
}

}  // namespace rv::cli
