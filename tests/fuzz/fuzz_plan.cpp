// SPDX-License-Identifier: BSD-2-Clause
// Plan files: whatever is read is written so that it reads back equal and renders; errors have a
// place and one line.
#include <cstdint>
#include <cstdlib>

#include "ballast/plan/estimate.hpp"
#include "ballast/plan/select.hpp"
#include "ballast/plan/shape.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void render(const ballast::plan::Plan& plan) {
  using namespace ballast::report;
  require(!plan_to_text(plan).empty());
  require(!plan_to_shell(plan).empty());
  require(!plan_to_markdown(plan).empty());
  require(!plan_to_html(plan).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ballast;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto read = report::plan_from_json(text, "f");
  if (!read) {
    const Error& error = read.error();
    require(error.place.line > 0 && error.place.column > 0);
    require(!error.message.empty() && error.message.find('\n') == std::string::npos);
    return 0;
  }
  const std::string written = report::plan_to_json(read->plan);
  const auto again = report::plan_from_json(written, "again");
  require(again.has_value() && again->seal_holds && report::plan_to_json(again->plan) == written);
  render(read->plan);
  plan::Plan plan = std::move(read->plan);
  plan::estimate_time(plan, {100, 2});
  std::vector<bool> keep;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) keep.push_back(i % 2 == 0);
  plan::keep_steps(plan, keep);
  plan.result = plan.steps.empty() ? plan::Outcome::NoChange : plan::Outcome::Changes;
  require(plan::find_flaws(plan).empty());
  return 0;
}
