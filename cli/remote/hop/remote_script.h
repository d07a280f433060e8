// The scripts that run on the login node, as one remote command that every login shell takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::remote {

/// "exec /bin/sh -c '<the embedded script>' rv WORD…": bash, dash, zsh, csh, tcsh and fish read it alike, because the
/// script stands in single quotes without a quote, a newline or an exclamation mark in it. Throws Error(usage) for a
/// word that a shell could take apart; see is_plain_word.
std::string remote_command(std::string_view script, const std::vector<std::string>& words);

}  // namespace rv::remote
