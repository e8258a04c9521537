// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/map_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "ballast/core/json_string.hpp"
#include "ballast/core/sha256.hpp"
#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {
namespace {

/// As Go's encoder writes a string: safe within HTML.
std::string go_string(std::string_view text) {
  return json_string(text, [](std::string& out, char32_t code, std::string_view bytes) {
    if (code == U'\n' || code == U'\r' || code == U'\t') {
      out += json_short_escape(code);
    } else if (code < 0x20 || code == U'<' || code == U'>' || code == U'&' || code == 0x2028 ||
               code == 0x2029) {
      out += json_escape(code);
    } else {
      out += bytes;
    }
  });
}

/// One value of an argument, as the monitor of the unified image reads it.
class Pieces {
 public:
  void literal(std::string_view text) { add("{\"value\":" + go_string(text) + "}"); }
  void typed_literal(std::string_view text) {
    add("{\"type\":\"Literal\",\"value\":" + go_string(text) + "}");
  }
  void variable(std::string_view name) {
    add("{\"type\":\"Environment\",\"source\":" + go_string(name) + "}");
  }
  /// One that lists addresses; `family` picks among them, 0 takes the text as it is.
  void addresses(std::string_view name, int family) {
    if (family == 0) return variable(name);
    add(fmt::format("{{\"type\":\"IPList\",\"source\":{},\"ipFamily\":{}}}", go_string(name),
                    family));
  }
  void number() { add("{\"type\":\"ProcessNumber\"}"); }
  /// The port of the first server; each further one has the next but one.
  void port(int first) {
    add(fmt::format("{{\"type\":\"ProcessNumber\",\"multiplier\":2,\"offset\":{}}}", first - 2));
  }
  [[nodiscard]] std::string concatenated() const {
    return "{\"type\":\"Concatenate\",\"values\":[" + text_ + "]}";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add(const std::string& piece) { text_ += (text_.empty() ? "" : ",") + piece; }
  std::string text_;
};

std::string address_json(std::string_view flag, std::string_view variable,
                         const RequiredAddresses& required, int family) {
  Pieces pieces;
  const auto add = [&](const std::string& before, int port) {
    pieces.literal(before + "[");
    pieces.addresses(variable, family);
    pieces.literal("]:");
    pieces.port(port);
  };
  const std::string start = std::string(flag) + "=";
  if (required.tls) {
    add(start, tls_port(1));
    pieces.literal(":tls");
  }
  if (required.non_tls) add(required.tls ? "," : start, plain_port(1));
  return pieces.concatenated();
}

/// A parameter that the spec adds: its name and its value.
std::string parameter_json(std::string_view argument, int family) {
  const auto end = argument.find('=') + 1;
  const std::string_view value = argument.substr(end);
  Pieces pieces;
  pieces.typed_literal(argument.substr(0, end));
  const bool is_address = value == "$FDB_POD_IP" || value == "$FDB_PUBLIC_IP";
  if (value.starts_with('$')) {
    pieces.addresses(value.substr(1), is_address ? family : 0);
  } else {
    pieces.typed_literal(value);
  }
  return pieces.concatenated();
}

/// An argument with the placeholders of `CommandEnvironment`.
std::string template_json(std::string_view argument) {
  Pieces pieces;
  if (argument.find('$') == std::string_view::npos) {
    pieces.literal(argument);
    return pieces.text();
  }
  while (!argument.empty()) {
    const bool is_name = argument.front() == '$';
    const auto end =
        is_name ? argument.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", 1) : argument.find('$');
    const std::string_view piece = argument.substr(0, end);
    argument.remove_prefix(piece.size());
    if (!is_name) {
      pieces.literal(piece);
    } else if (piece == CommandEnvironment().number) {
      pieces.number();
    } else {
      pieces.variable(piece.substr(1));
    }
  }
  return pieces.concatenated();
}

std::string unified_text(const CommandInputs& inputs, ProcessClass c) {
  const auto& parameters = inputs.spec->processes[index(c)].custom_parameters;
  const RequiredAddresses& required = inputs.status->required;
  const int family = inputs.spec->routing.ip_family;
  std::string list;
  for (const std::string& argument : listed_arguments(inputs, c, ImageType::Unified, 1, {})) {
    const auto is_of = [&](std::string_view flag) {
      return argument.starts_with(flag) && argument[flag.size()] == '=';
    };
    list += list.empty() ? "" : ",";
    if (std::ranges::find(parameters, argument.substr(2)) != parameters.end()) {
      list += parameter_json(argument, family);
    } else if (is_of("--public_address")) {
      list += address_json("--public_address", "FDB_PUBLIC_IP", required, family);
    } else if (is_of("--listen_address")) {
      list += address_json("--listen_address", "FDB_POD_IP", required, family);
    } else {
      list += template_json(argument);
    }
  }
  return fmt::format("{{\"version\":\"{}\",\"arguments\":[{}]}}", to_string(inputs.spec->version),
                     list);
}

std::string split_text(const CommandInputs& inputs, ProcessClass c, int density) {
  std::string text =
      "[general]\n"
      "kill_on_configuration_change = false\n"
      "restart_delay = 60";
  for (int process = 1; process <= density; ++process) {
    CommandEnvironment environment;
    environment.process = process;
    environment.number = std::to_string(process);
    text += fmt::format("\n[fdbserver.{}]\ncommand = $BINARY_DIR/fdbserver", process);
    for (const std::string& argument :
         listed_arguments(inputs, c, ImageType::Split, density, environment)) {
      const auto end = argument.find('=');
      text += "\n" + argument.substr(2, end - 2) + " = " + argument.substr(end + 1);
    }
  }
  return text;
}

}  // namespace

std::string monitor_text(const CommandInputs& inputs, ProcessClass c, ImageType image,
                         int density) {
  return image == ImageType::Unified ? unified_text(inputs, c) : split_text(inputs, c, density);
}

std::string config_map_hash(const std::map<std::string, std::string>& data, ProcessClass c,
                            ImageType image, int density) {
  const std::set<std::string> used = {"ca-file", "cluster-file", monitor_key(c, image, density),
                                      "running-version", "sidecar-conf"};
  std::string out;
  for (const auto& [key, value] : data) {
    if (!used.contains(key)) continue;
    out += (out.empty() ? "{" : ",") + go_string(key) + ":" + go_string(value);
  }
  return sha256_hex((out.empty() ? "{" : out) + "}\n");
}

std::string wished_map_hash(const CommandInputs& inputs, ProcessClass c, ImageType image,
                            int density) {
  auto data = config_map_data(inputs);
  const auto own = data.find(monitor_key(c, image, density));
  if (own != data.end() && !inputs.spec->config_map_overlay.contains(own->first))
    own->second = monitor_text(inputs, c, image, density);
  return config_map_hash(data, c, image, density);
}

}  // namespace ballast::fdb
