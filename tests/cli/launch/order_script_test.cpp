#include "cli/launch/order_script.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/launch/start_run.h"
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
  order.processes_per_node = 3;
  order.outputs = {"results"};
  order.after = AfterOption{"prepare", true};
  order.requeue = true;
  order.container = {"--container-image=nvcr.io#nvidia/pytorch"};
  return order;
}

OrderGrounds full_grounds() {
  OrderGrounds grounds;
  grounds.following = Following{.record = {.run = "k3f9x2", .only_ok = true},
                                .predecessor = {.run_id = "k3f9x2",
                                                .run_folder = "/home/ann/rv/runs/k3f9x2",
                                                .only_ok = true,
                                                .dependency = "afterany:4711",
                                                .elements = 0,
                                                .chain = false,
                                                .requeue = false}};
  grounds.environment = "export TOKEN=secret\n";
  return grounds;
}

}  // namespace

TEST_CASE("the script that is shown is the script that is submitted") {
  const Home home;
  set_notify_target(home.settings.home,
                    {.name = "me", .kind = "mail", .to = "ann@example.org", .on = "ended", .ca = ""});
  planner::Request request;
  request.gpus = 8;
  planner::Plan plan;
  WorkOrder order = full_order(home.settings);
  OrderGrounds grounds = full_grounds();
  SUBCASE("a command") {
    plan.strategies = {strategy_on("gpu-a", planner::Kind::plain), strategy_on("gpu-b", planner::Kind::plain)};
  }
  SUBCASE("an array") {
    order.array = parse_array("0-9%2");
    plan.strategies = {strategy_on("gpu-a", planner::Kind::plain)};
  }
  SUBCASE("segments, from another run's checkpoint") {
    auto checkpoint = std::make_shared<CheckpointOptions>();
    checkpoint->wanted = true;
    order.checkpoint = checkpoint;
    order.container.clear();
    grounds.checkpoint_from = home.settings.home + "/runs/k3f9x2/checkpoint";
    std::filesystem::create_directories(grounds.checkpoint_from);
    plan.strategies = {strategy_on("gpu-a", planner::Kind::checkpoint)};
  }
  SUBCASE("nothing but the GPUs") {
    order = plain_order({}, home.settings);
    grounds = {};
    plan.strategies = {strategy_on("gpu-a", planner::Kind::plain)};
  }
  const auto folder = write_run({}, request, plan, home.settings, order, grounds, 4);
  const auto shown = preview_run(request, order, home.settings);
  CHECK(shown.id == "preview");
  const auto record = folder.record();
  REQUIRE(record.candidates.size() == plan.strategies.size());
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const auto submitted = os::read_file(folder.file("candidates/" + std::to_string(number) + "/script.sh"));
    REQUIRE(submitted);
    const auto preview = order_script(order, grounds, plan.strategies[i], number, home.settings, shown);
    CHECK(replaced(preview, "preview", folder.id()) == *submitted);
    CHECK(preview.find(notify_folder(home.settings.home)) != std::string::npos);
    if (order.hold()) continue;
    std::vector<std::string> parts = order.container;
    parts.insert(parts.end(), {"afterany:4711", "started,ended"});
    for (const auto& part : parts) {
      CAPTURE(part);
      CHECK(preview.find(part) != std::string::npos);
    }
  }
}

TEST_CASE("the grounds of an order are asked for where it names something") {
  const Home home;
  const auto plain = grounds_of(plain_order({"true"}, home.settings), home.settings);
  CHECK(!plain.following);
  CHECK(plain.checkpoint_from.empty());
  CHECK(plain.environment.empty());
  set_user_secret(home.settings.home, "TOKEN", "secret");
  CHECK(!grounds_of(plain_order({"true"}, home.settings), home.settings).environment.empty());
  WorkOrder order = plain_order({"true"}, home.settings);
  order.after = AfterOption{"nobody", true};
  CHECK_THROWS_AS(grounds_of(order, home.settings), Error);
}

TEST_CASE("a strategy in segments is shown to a command that was not said to save its state") {
  const Home home;
  const auto strategy = strategy_on("gpu-a", planner::Kind::checkpoint);
  const auto facts = job_facts(plain_order({"true"}, home.settings), {}, strategy, 1, home.settings,
                               {.id = "preview", .folder = "/r/preview", .name = "true"});
  CHECK(facts.chain.total == std::chrono::hours(12));
  CHECK(facts.chain.shortest == std::chrono::seconds(0));
}

}  // namespace rv::cli
