// Ranges: numbers that do not fit are refused, and never cut off.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace sfumato {

/// A problem is larger than the core counts. The message says what to do, and reaches the user as it is.
class OutOfRange : public std::length_error {
 public:
  using std::length_error::length_error;
};

/// More records than are counted: products with thresholds and prices are sure to fit in 128 bits below that.
inline constexpr std::int64_t most_records = std::int64_t{1} << 36;

/// As many distinct combinations, or sets, as numbers of 32 bits tell apart with room for marks.
inline constexpr std::uint64_t most_combinations = (std::uint64_t{1} << 31) - 1;

/// A number in a type of fewer bits; what it is too large for says `refusal`.
template <class To, class From>
To narrow(From number, const char* refusal) {
  if (!std::in_range<To>(number)) throw OutOfRange(refusal);
  return static_cast<To>(number);
}

/// The same for a number that may be no larger than `most`.
inline void require_at_most(std::uint64_t number, std::uint64_t most, const char* refusal) {
  if (number > most) throw OutOfRange(refusal);
}

inline constexpr const char* too_many_combinations =
    "More than 2,147,483,647 different combinations are more than can be counted; name fewer quasi-identifiers.";
inline constexpr const char* too_many_records =
    "More than 68,719,476,735 records are more than can be counted; anonymize parts of the data, each by itself.";
inline constexpr const char* too_many_copies =
    "Local recoding counts up to 4,294,967,295 equal records; choose a global recoding, such as full-domain.";
inline constexpr const char* too_many_sets =
    "More than 4,294,967,294 different sets of items are more than can be counted; anonymize parts of the data.";
inline constexpr const char* too_many_nodes =
    "The lattice has more than 4,611,686,018,427,387,904 nodes; start at higher levels, or drop levels.";
inline constexpr const char* too_many_levels = "A hierarchy has more than 65,535 levels; leave levels out.";

}  // namespace sfumato
