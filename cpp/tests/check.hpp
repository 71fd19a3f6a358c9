// Enough to test with: a TEST registers itself, and the first CHECK that fails ends it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"

namespace sfumato::testing {

struct Test {
  const char* file;
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

struct Registration {
  explicit Registration(Test test) { tests().push_back(test); }
};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
  throw Failure(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

inline std::string shown(Cost value) {
  if (value < 0) return "-" + shown(-value);
  std::string digits(1, static_cast<char>('0' + static_cast<int>(value % 10)));
  return value < 10 ? digits : shown(value / 10) + digits;
}

template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  if constexpr (std::same_as<T, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::integral<T>) {
    out << +value;
  } else if constexpr (std::ranges::input_range<T>) {
    for (const auto& item : value) out << (out.tellp() == 0 ? "{" : ", ") << shown(item);
    out << (out.tellp() == 0 ? "{}" : "}");
  } else {
    out << value;
  }
  return out.str();
}

template <class T>
concept Whole = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, Cost>;

template <class A, class B>
bool equal(const A& a, const B& b) {
  if constexpr (std::ranges::input_range<A>)
    return std::ranges::equal(a, b);
  else if constexpr (Whole<A> && Whole<B>)
    return std::cmp_equal(a, b);
  else
    return a == b;
}

template <class A, class B>
void check_equal(const char* file, int line, const char* what, const A& a, const B& b) {
  if (!equal(a, b)) fail(file, line, std::string(what) + ": " + shown(a) + " is not " + shown(b));
}

}  // namespace sfumato::testing

#define TEST(name)                                                                       \
  static void name();                                                                    \
  static const sfumato::testing::Registration register_##name({__FILE__, #name, &name}); \
  static void name()

#define CHECK(condition) \
  ((condition) ? void() : sfumato::testing::fail(__FILE__, __LINE__, #condition " does not hold"))

#define CHECK_EQUAL(a, b) sfumato::testing::check_equal(__FILE__, __LINE__, #a " == " #b, a, b)

#define CHECK_THROWS(exception, ...)                                                       \
  do {                                                                                     \
    bool thrown = false;                                                                   \
    try {                                                                                  \
      static_cast<void>(__VA_ARGS__);                                                      \
    } catch (const exception&) {                                                           \
      thrown = true;                                                                       \
    }                                                                                      \
    if (!thrown) sfumato::testing::fail(__FILE__, __LINE__, #exception " was not thrown"); \
  } while (false)
