// Whatever reads bytes: lines, rows of CSV, the order of rows by hashes of their cells.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz.hpp"
#include "sfumato/lines.hpp"
#include "sfumato/release_order.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string rest_of(const Random& random) { return {random.rest().begin(), random.rest().end()}; }

/// Line ends by the definition: character by character.
struct Counted {
  std::int64_t all = 0, blank = 0;
  bool at_end = true;
};

/// A blank line ends right behind another end, or, where an end has two characters, one further.
Counted counted(const std::string& text, char end, std::optional<char> quote, unsigned length) {
  Counted counted;
  std::vector<std::size_t> ends;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == end && !inside) {
      const auto is_end = [&](std::size_t back) {
        return back > i ? back == i + 1 : !ends.empty() && std::ranges::find(ends, i - back) != ends.end();
      };
      counted.blank += is_end(1) || (length > 1 && is_end(2));
      ends.push_back(i);
    }
    if (quote && text[i] == *quote) inside = !inside;
  }
  counted.all = std::ssize(ends);
  counted.at_end = text.empty() || (!ends.empty() && ends.back() + 1 == text.size());
  return counted;
}

void check_ends(const Ends& ends, const Counted& expected) {
  CHECK_EQUAL(ends.all, expected.all);
  CHECK_EQUAL(ends.blank, expected.blank);
  CHECK_EQUAL(ends.at_end(), expected.at_end);
}

void lines(Random& random) {
  const char end = random.one_of<char>({'\n', '\n', '\r', static_cast<char>(random.below(256))});
  std::optional<char> quote;
  if (random.below(4) > 0) quote = random.one_of<char>({'"', '"', '\'', static_cast<char>(random.below(256))});
  if (quote == end) return;
  const unsigned length = random.between(1u, 2u);
  const std::size_t step = random.between<std::size_t>(1, 200);
  const std::string text = rest_of(random);
  LineCounter counter(end, quote, length);
  for (std::size_t at = 0; at < text.size(); at += step) counter.add(std::string_view(text).substr(at, step));
  check_ends(counter.everywhere, counted(text, end, std::nullopt, length));
  check_ends(counter.outside, counted(text, end, quote, length));
}

void rows(Random& random) {
  const std::size_t chosen = random.below<std::size_t>(6);
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < chosen; ++i) numbers.push_back(static_cast<std::int32_t>(random.below(12)) - 2);
  const std::string text = rest_of(random);
  const auto made = unless_refused([&] { return CsvRows(text); });
  if (!made) return;
  std::string again(made->header());
  std::vector<std::int32_t> all(made->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  std::string copied(made->bytes(all), '\0');
  made->copy(all, copied.data());
  CHECK((again += copied) == text);
  const auto bytes = unless_refused([&] { return made->bytes(numbers); });
  CHECK_EQUAL(bytes.has_value(), std::ranges::all_of(numbers, [&](std::int32_t number) {
                return number >= 0 && std::cmp_less(number, made->size());
              }));
  if (!bytes) return;
  std::string some(*bytes, '\0');
  made->copy(numbers, some.data());
}

void stretches(Random& random) {
  std::vector<std::size_t> begin;
  for (int i = random.below(6); i > 0; --i)
    begin.push_back(random.below(8) == 0 ? static_cast<std::size_t>(edge(random)) : random.below<std::size_t>(40));
  if (random.below(4) > 0) std::ranges::sort(begin);
  const std::string text = rest_of(random);
  const auto made = unless_refused([&] { return TextRows(text, begin); });
  if (!made) return;
  CHECK(!begin.empty() && begin.back() <= text.size());
  std::vector<std::int32_t> all(made->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(all.size() - 1 - i);
  std::string copied(made->bytes(all), '\0');
  made->copy(all, copied.data());
  CHECK_EQUAL(copied.size(), begin.back() - begin.front());
}

/// Hashes of rows together are those of each by itself.
void hashes(Random& random) {
  const std::size_t columns = random.below<std::size_t>(4), rows = random.below<std::size_t>(5);
  const bool broken = random.below(8) == 0;
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> copies;
  std::vector<std::vector<std::uint64_t>> ends(columns);
  std::vector<std::string> texts(columns);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t i = 0; i < 3; ++i) {
      texts[column].append(random.below<std::size_t>(70), static_cast<char>('a' + i));
      ends[column].push_back(texts[column].size());
    }
  std::size_t all = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      labels.push_back(static_cast<std::int32_t>(random.below(broken ? 4 : 3)));
    copies.push_back(random.below(5));
    all += static_cast<std::size_t>(copies.back());
  }
  const std::string seed(random.below<std::size_t>(70), 's');
  PrintedRows printed{seed, {}, labels, copies};
  for (std::size_t column = 0; column < columns; ++column) printed.columns.push_back({texts[column], ends[column]});
  std::vector<std::uint64_t> keys(all);
  std::vector<std::int32_t> numbers(all);
  const bool made = unless_refused([&] {
                      hash_copies(printed, 5, keys, numbers, 1);
                      return true;
                    }).has_value();
  CHECK(made || broken);
  if (!made) return;
  std::size_t at = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<std::int64_t> one{copies[row]};
    const auto cells = std::span(labels).subspan(row * columns, columns);
    std::vector<std::uint64_t> key(static_cast<std::size_t>(one[0]));
    std::vector<std::int32_t> number(key.size());
    hash_copies({seed, printed.columns, cells, one}, 0, key, number, 1);
    for (std::size_t copy = 0; copy < key.size(); ++copy, ++at) {
      CHECK_EQUAL(keys[at], key[copy]);
      CHECK_EQUAL(numbers[at], static_cast<std::int32_t>(row + 5));
    }
  }
  std::vector<std::pair<std::uint64_t, std::int32_t>> expected;
  const std::uint64_t mask = random.one_of<std::uint64_t>({~std::uint64_t{0}, 0xff, std::uint64_t{3} << 61});
  for (std::size_t i = 0; i < keys.size(); ++i) expected.emplace_back(keys[i] &= mask, numbers[i] %= 4);
  std::ranges::sort(expected);
  sort_by_keys(keys, numbers, 1);
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK(expected[i] == std::pair(keys[i], numbers[i]));
}

}  // namespace

FUZZ(random) {
  switch (random.below(4)) {
    case 0: return lines(random);
    case 1: return rows(random);
    case 2: return stretches(random);
    default: return hashes(random);
  }
}
