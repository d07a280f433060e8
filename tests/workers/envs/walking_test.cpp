// That the quadruped and the learner together come to walk, on the host, in seconds of one core.
#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "workers/envs/quadruped.h"
#include "workers/ppo/learner.h"

namespace rv {
namespace {

constexpr double commanded_speed = 0.6;  // m/s ahead

/// Means over a stretch of iterations; an episode's length in steps of 0.02 s, of those that ended in it.
struct Gait {
  double step_reward = 0, episode_length = 0, tracking_error = 0, speed = 0;
};

/// 96 robots on flat ground, all commanded to walk ahead, with nets of three times 24. The policy may change five times
/// as far in an iteration as rv-envs lets it: here it has sixty of them, not hundreds.
class Walkers {
 public:
  Walkers() {
    envs::QuadrupedOptions options;
    options.environments = 96;
    options.rough = false;
    options.speed = commanded_speed;
    robots_ = envs::make_quadruped(options);
    ppo::LearnerRequest request;
    request.settings.hidden = {24, 24, 24};
    request.settings.wanted_kl = 0.05;
    request.precision = "fp32";
    learner_ = ppo::host_learner(*robots_, request);
  }

  Gait learn(int count) {
    Gait gait;
    double episodes = 0, their_steps = 0;
    for (int i = 0; i < count; ++i) {
      const auto outcome = learner_->iterate(false);
      const auto figures = robots_->figures();
      gait.step_reward += outcome.step_reward / count;
      gait.tracking_error += figures.mean_tracking_error / count;
      gait.speed += figures.mean_speed / count;
      episodes += outcome.episodes;
      their_steps += outcome.episodes * outcome.episode_length;
    }
    gait.episode_length = their_steps / episodes;
    return gait;
  }
  std::vector<std::byte> state() const { return learner_->state(); }

 private:
  std::unique_ptr<envs::Environments> robots_;
  std::unique_ptr<ppo::Learner> learner_;
};

}  // namespace

TEST_CASE("the quadruped learns to walk as commanded, and the same bits come twice" * doctest::test_suite("long")) {
  Walkers walkers, again;
  const auto begun = walkers.learn(5);
  again.learn(5);
  CHECK(walkers.state() == again.state());
  again.learn(1);
  CHECK(walkers.state() != again.state());

  // On stiff legs it stands whatever it does; as soon as it steps out it falls, and then learns not to.
  walkers.learn(5);
  const auto falling = walkers.learn(10);
  walkers.learn(30);
  const auto learnt = walkers.learn(10);
  MESSAGE("step reward ", begun.step_reward, " to ", learnt.step_reward, ", error ", begun.tracking_error, " to ",
          learnt.tracking_error, " m/s, speed ", begun.speed, " to ", learnt.speed, " m/s, episodes of ",
          falling.episode_length, " to ", learnt.episode_length, " steps");
  CHECK(learnt.step_reward > 8 * begun.step_reward);
  CHECK(learnt.tracking_error < begun.tracking_error / 2);
  CHECK(learnt.speed > 0.75 * commanded_speed);
  CHECK(learnt.speed < 1.1 * commanded_speed);
  CHECK(learnt.episode_length > 2 * falling.episode_length);
}

}  // namespace rv
