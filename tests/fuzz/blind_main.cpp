// SPDX-License-Identifier: BSD-2-Clause
// Runs a fuzz target without libFuzzer, built by any compiler: every file of a corpus once, then
// COUNT inputs made from them by random changes of bytes. Nothing guides it, so it finds less per
// input; it is quick, and counts what it ran.
//
// PROGRAM COUNT SEED FOLDER...     The input that ends the program is in ./last-input.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "ballast/core/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Inputs = std::vector<std::string>;

/// Longer ones would be most of the time and little of the variety.
constexpr std::size_t kLongest = 16384;

Inputs read_corpus(int count, char** folders) {
  Inputs inputs;
  for (int i = 0; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(folders[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      if (!text.empty() && text.size() <= kLongest) inputs.push_back(std::move(text));
    }
  }
  return inputs;
}

class Mutator {
 public:
  Mutator(const Inputs& inputs, std::uint64_t seed) : inputs_(inputs), random_(seed) {}

  std::string next() {
    std::string text = pick(inputs_);
    const std::size_t changes = 1 + random_.below(4);
    for (std::size_t i = 0; i < changes; ++i) change(text);
    return text;
  }

 private:
  const std::string& pick(const Inputs& from) { return from[random_.below(from.size())]; }

  void change(std::string& text) {
    if (text.empty()) text = "0";
    const std::size_t at = random_.below(text.size());
    switch (random_.below(6)) {
      case 0:
        text[at] = static_cast<char>(random_.below(256));
        break;
      case 1:
        text[at] = static_cast<char>(text[at] ^ (1 << random_.below(8)));
        break;
      case 2:
        text.erase(at, 1 + random_.below(16));
        break;
      case 3:
        text.insert(at, text.substr(random_.below(text.size()), 1 + random_.below(32)));
        break;
      case 4: {
        const std::string& other = pick(inputs_);
        text.replace(at, 1 + random_.below(16),
                     other.substr(random_.below(other.size()), 1 + random_.below(64)));
        break;
      }
      default:
        text.insert(at, odd_words()[random_.below(odd_words().size())]);
        break;
    }
  }

  static const Inputs& odd_words() {
    static const Inputs kWords = {"-1",     "0",   "9223372036854775808",
                                  "1e309",  "\"",  "|",
                                  "\n",     "{}",  "[]",
                                  "null",   "&a ", "*a",
                                  "\xff",   "%",   "'",
                                  "\\u0000"};
    return kWords;
  }

  const Inputs& inputs_;
  ballast::Random random_;
};

const std::string* running = nullptr;

/// Keeps the input that ends the program. Only calls that a signal handler may make.
void keep_input(int signal) {
  const int file = ::open("last-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && running != nullptr) {
    [[maybe_unused]] const ssize_t written = ::write(file, running->data(), running->size());
    ::close(file);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void run(const std::string& text) {
  running = &text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: " << argv[0] << " COUNT SEED FOLDER...\n";
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) ::signal(signal, keep_input);
  const Inputs inputs = read_corpus(argc - 3, argv + 3);
  if (inputs.empty()) {
    std::cerr << argv[0] << ": no inputs\n";
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  for (const std::string& text : inputs) run(text);
  Mutator mutator(inputs, seed);
  for (std::uint64_t i = 0; i < count; ++i) run(mutator.next());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << inputs.size() << " files, " << count << " inputs of seed " << seed << ", "
            << static_cast<std::uint64_t>(seconds.count()) << " s\n";
  return 0;
}
