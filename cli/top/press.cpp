#include "cli/top/press.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace rv::cli::top {
namespace {

using Kind = Key::Kind;

bool matches(const Run& run, const std::string& filter) {
  if (filter.empty()) return true;
  const auto has = [&](std::string_view text) { return lower(text).find(filter) != std::string::npos; };
  return has(run.id) || has(run.name) || has(to_string(run.state));
}

// Order of rows: running, then waiting, then ended.
int urgency(const Run& run) {
  if (monitor::is_final(run.state)) return 2;
  return run.started ? 0 : 1;
}

bool comes_before(const Run& a, const Run& b, Sort sort) {
  switch (sort) {
    case Sort::newest:
      return a.created > b.created;
    case Sort::state:
      return urgency(a) == urgency(b) ? a.created > b.created : urgency(a) < urgency(b);
    case Sort::name:
      return a.name == b.name ? a.created > b.created : a.name < b.name;
    case Sort::left:
      if (a.ends_by.has_value() != b.ends_by.has_value()) return a.ends_by.has_value();
      return a.ends_by == b.ends_by ? a.created > b.created : a.ends_by < b.ends_by;
  }
  return false;
}

void move(const std::vector<const Run*>& shown, Choice& choice, int by) {
  if (shown.empty()) return;
  const int row = std::clamp(std::max(0, selected_row(shown, choice)) + by, 0, static_cast<int>(shown.size()) - 1);
  choice.selected = shown[static_cast<std::size_t>(row)]->id;
}

Pressed type_filter(Choice choice, const Key& key) {
  if (key.kind == Kind::character) choice.filter += lower(std::string(1, key.character));
  if (key.kind == Kind::backspace && !choice.filter.empty()) choice.filter.pop_back();
  if (key.kind == Kind::escape) choice.filter.clear();
  if (key.kind == Kind::escape || key.kind == Kind::enter) choice.typing_filter = false;
  return {.choice = std::move(choice), .action = Action::none, .run = ""};
}

Action action_of(char letter) {
  switch (letter) {
    case 'l':
      return Action::logs;
    case 'w':
      return Action::why;
    case 'i':
      return Action::show;
    case 'e':
      return Action::shell;
    case 'x':
      return Action::stop;
    case 'q':
      return Action::quit;
    default:
      return Action::none;
  }
}

Pressed press_letter(const std::vector<const Run*>& shown, Choice choice, char letter) {
  switch (letter) {
    case 'j':
      move(shown, choice, 1);
      break;
    case 'k':
      move(shown, choice, -1);
      break;
    case '/':
      choice.typing_filter = true;
      break;
    case 's':
      choice.sort = static_cast<Sort>((static_cast<int>(choice.sort) + 1) % 4);
      break;
    case '?':
    case 'h':
      choice.help = true;
      break;
    default:
      break;
  }
  const Action action = action_of(letter);
  if (action == Action::none || action == Action::quit)
    return {.choice = std::move(choice), .action = action, .run = ""};
  const int row = selected_row(shown, choice);
  if (row < 0) return {.choice = std::move(choice), .action = Action::none, .run = ""};
  const Run& run = *shown[static_cast<std::size_t>(row)];
  // For a job that is not a run only rv why has information.
  if (run.is_job && action != Action::why) return {.choice = std::move(choice), .action = Action::none, .run = ""};
  if (action == Action::stop) {
    if (!monitor::is_final(run.state)) choice.asks_to_stop = run.id;
    return {.choice = std::move(choice), .action = Action::none, .run = ""};
  }
  return {.choice = std::move(choice), .action = action, .run = run.id};
}

}  // namespace

std::vector<const Run*> shown_runs(const Known& known, const Choice& choice) {
  std::vector<const Run*> shown;
  for (const auto* list : {&known.runs, &known.jobs}) {
    for (const auto& run : *list) {
      if (matches(run, choice.filter)) shown.push_back(&run);
    }
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const Run* a, const Run* b) { return comes_before(*a, *b, choice.sort); });
  return shown;
}

int selected_row(const std::vector<const Run*>& shown, const Choice& choice) {
  if (shown.empty()) return -1;
  const auto found =
      std::find_if(shown.begin(), shown.end(), [&](const Run* run) { return run->id == choice.selected; });
  return found == shown.end() ? 0 : static_cast<int>(found - shown.begin());
}

Pressed press(const Known& known, Choice choice, const Key& key) {
  if (choice.help) {
    choice.help = false;  // any key
    return {.choice = std::move(choice), .action = Action::none, .run = ""};
  }
  if (!choice.asks_to_stop.empty()) {
    const std::string run = std::exchange(choice.asks_to_stop, "");
    const bool yes = key.kind == Kind::character && (key.character == 'y' || key.character == 'Y');
    return {.choice = std::move(choice), .action = yes ? Action::stop : Action::none, .run = yes ? run : ""};
  }
  if (choice.typing_filter) return type_filter(std::move(choice), key);
  const auto shown = shown_runs(known, choice);
  const int all = static_cast<int>(shown.size());
  switch (key.kind) {
    case Kind::character:
      return press_letter(shown, std::move(choice), key.character);
    case Kind::up:
    case Kind::wheel_up:
      move(shown, choice, -1);
      break;
    case Kind::down:
    case Kind::wheel_down:
      move(shown, choice, 1);
      break;
    case Kind::page_up:
      move(shown, choice, -choice.page);
      break;
    case Kind::page_down:
      move(shown, choice, choice.page);
      break;
    case Kind::home:
      move(shown, choice, -all);
      break;
    case Kind::end:
      move(shown, choice, all);
      break;
    case Kind::click: {
      const int row = key.row - choice.first_row;
      if (row >= 0 && row < choice.page && choice.scrolled + row < all) {
        const int clicked = choice.scrolled + row;
        choice.selected = shown[static_cast<std::size_t>(clicked)]->id;
      }
      break;
    }
    case Kind::enter:
      return press_letter(shown, std::move(choice), 'l');
    case Kind::escape:
      choice.filter.clear();
      break;
    case Kind::backspace:
      break;
  }
  return {.choice = std::move(choice), .action = Action::none, .run = ""};
}

}  // namespace rv::cli::top
