// Runs every test, or those whose file or name contains the argument.
#include <exception>
#include <iostream>
#include <string>

#include "check.hpp"

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  int passed = 0, failed = 0;
  for (const auto& test : sfumato::testing::tests()) {
    const std::string name = std::string(test.file) + ": " + test.name;
    if (name.find(wanted) == std::string::npos) continue;
    try {
      test.run();
      ++passed;
    } catch (const std::exception& failure) {
      std::cout << "FAILED " << test.name << "\n  " << failure.what() << "\n";
      ++failed;
    }
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
