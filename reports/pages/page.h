// What every page has in common: one file that needs nothing else, nothing from the network; to be read in the dark,
// on a phone and on paper. Where scripts do not run, its charts stand still.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::pages {

/// Where a page's figures come from. What is not known is empty, and the page says so.
struct About {
  std::string host;
  std::string driver;
  std::string versions;
  std::string duration;
  std::string who;
  std::string when;
};

class Page {
 public:
  /// `title`: the window's. `style`: rules of this page's own, below the common ones.
  Page(std::string title, std::string style);

  /// What stands at the top, large; HTML.
  void heading(std::string html);
  /// Between the head and the contents; HTML.
  void lead(const std::string& html);
  /// A part with its line in the contents. None where there is no `html`.
  void section(const std::string& title, const std::string& html);

  std::string html(const About& about) const;

 private:
  struct Section {
    std::string title, html;
  };
  std::string title_, style_, heading_, lead_;
  std::vector<Section> sections_;
};

/// Whether this rv carries the library that makes charts move.
bool charts_move();

}  // namespace rv::pages
