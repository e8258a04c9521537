// SPDX-License-Identifier: BSD-2-Clause
#include "shell_head.hpp"

#include <fmt/format.h>

namespace ballast::report {
namespace {

constexpr std::string_view kOptions =
    R"(first=1                            # --resume-from: the steps before it are made
timeout=${BALLAST_TIMEOUT:-}         # --timeout: seconds that each gate is waited for; else an hour beyond what the plan knows
interval=${BALLAST_INTERVAL:-10}    # --interval: seconds between two looks at it

usage() {
  echo "usage: sh $0 [--resume-from STEP] [--timeout SECONDS] [--interval SECONDS]"
}
wrong_usage() {
  echo "$0: $1" >&2
  usage >&2
  exit 2
}
number() {
  case $2 in
    '' | *[!0-9]* | ??????????*) wrong_usage "$1: '$2': expected a whole number" ;;
  esac
}
while [ $# -gt 0 ]; do
  option=$1
  case $option in
    -h | --help) usage; exit 0 ;;
    --*=*) value=${option#*=}; option=${option%%=*} ;;
    *) [ $# -gt 1 ] || wrong_usage "$option: unknown, or its value is missing"
       shift; value=$1 ;;
  esac
  shift
  case $option in
    --resume-from) first=$value ;;
    --timeout) timeout=$value ;;
    --interval) interval=$value ;;
    *) wrong_usage "$option: unknown" ;;
  esac
done
number --resume-from "$first"
[ -z "$timeout" ] || number --timeout "$timeout"
number --interval "$interval"
if [ "$first" -lt 1 ] || [ "$first" -gt "$steps" ]; then
  wrong_usage "--resume-from $first: there are steps 1 to $steps"
fi
)";

constexpr std::string_view kFunctions = R"(
# begin STEP TITLE: says what is done; false where the step was made before
begin() {
  [ "$1" -ge "$first" ] || return 1
  echo "step $1 of $steps: $2"
}
# failed STEP COMMAND
failed() {
  echo "step $1: failed: $2" >&2
  stopped "$1" 1
}
stopped() {
  echo "stopped in step $1 of $steps; nothing after it was done. To go on: sh $0 --resume-from $1" >&2
  exit "$2"
}
)";

/// Going on with the same step would stop at the same place: the plan must be made to fit.
constexpr std::string_view kUnexpected =
    R"(# unexpected STEP MADE NAME: the state is not the one that the plan was made for; MADE is the last step before it that is done
unexpected() {
  echo "step $1: not in the expected state: $3" >&2
  echo "stopped with $2 of $steps steps made, and none after them. The cluster has changed, and to go on here would stop again." >&2
  echo "A script of what is left from its state now: hplan resume --made $2 --shell -t SNAPSHOT PLAN.json" >&2
  exit 1
}
)";

constexpr std::string_view kAwait =
    R"(# await STEP SECONDS GATE: until `holds` holds; SECONDS is what the plan knows of it; status 4 where it never does
await() {
  patience=${timeout:-$((3600 + $2))}
  waited=0
  while :; do
    if told=$(holds 2>&1 >/dev/null); then return 0; fi
    [ "$waited" -gt 0 ] || echo "  waiting: $3"
    if [ "$waited" -ge "$patience" ]; then
      echo "step $1: after $waited s this does not hold: $3" >&2
      [ -z "$told" ] || echo "$told" >&2
      stopped "$1" 4
    fi
    sleep "$interval"
    waited=$((waited + (interval > 0 ? interval : 1)))
  done
}
)";

}  // namespace

std::string script_functions(const ScriptHead& head) {
  std::string text = "set -eu\n\n";
  text += fmt::format("steps={}\n", head.steps);
  text += kOptions;
  if (!head.tools.empty()) {
    text += fmt::format("for tool in {}; do\n", head.tools);
    text +=
        "  command -v \"$tool\" >/dev/null || { echo \"$0: $tool is needed and is not here\" >&2; "
        "exit 1; }\n"
        "done\n";
  }
  text += kFunctions;
  if (head.has_checks) text += kUnexpected;
  if (head.has_gates) text += kAwait;
  return text;
}

}  // namespace ballast::report
