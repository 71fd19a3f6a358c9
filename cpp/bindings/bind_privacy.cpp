#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <tuple>

#include "callback.hpp"
#include "casters.hpp"
#include "sfumato/privacy/alpha_k_anonymity.hpp"
#include "sfumato/privacy/beta_likeness.hpp"
#include "sfumato/privacy/called_back.hpp"
#include "sfumato/privacy/delta_disclosure.hpp"
#include "sfumato/privacy/delta_presence.hpp"
#include "sfumato/privacy/distinct_l_diversity.hpp"
#include "sfumato/privacy/entropy_l_diversity.hpp"
#include "sfumato/privacy/epsilon_privacy.hpp"
#include "sfumato/privacy/k_anonymity.hpp"
#include "sfumato/privacy/k_map.hpp"
#include "sfumato/privacy/l_diversity.hpp"
#include "sfumato/privacy/l_plus_diversity.hpp"
#include "sfumato/privacy/recursive_l_diversity.hpp"
#include "sfumato/privacy/t_closeness.hpp"
#include "sfumato/privacy/tau_l_diversity.hpp"

using namespace sfumato;

namespace {

using RatioParts = std::tuple<Cost, Cost, Cost>;  // sfumato.exact.ratio

Ratio ratio(const RatioParts& parts) { return std::make_from_tuple<Ratio>(parts); }

std::vector<Ratio> ratios(const std::vector<RatioParts>& all) {
  std::vector<Ratio> made;
  for (const auto& parts : all) made.push_back(ratio(parts));
  return made;
}

/// One class, given by its size, the records per value, its units and its population: what conformance tests ask a
/// model about.
class OneClass {
 public:
  OneClass(std::int64_t size, const Array<std::int64_t>& histogram, std::optional<std::int64_t> units,
           std::optional<std::int64_t> population)
      : sizes_{size}, persons_{units.value_or(size)}, people_{population.value_or(0)} {
    std::int64_t left = size;
    if (size < 0 || size >= most_records) throw nb::value_error("a class of fewer records than are counted");
    for (std::size_t v = 0; v < histogram.size(); ++v)
      if (histogram.data()[v] > 0) {
        if (histogram.data()[v] > left) throw nb::value_error("no more records of values than of the class");
        left -= histogram.data()[v];
        values_.value.push_back(static_cast<std::uint32_t>(v));
        values_.count.push_back(histogram.data()[v]);
      }
    values_.begin.push_back(values_.value.size());
  }

  bool violates(const ClassModel& model) const {
    if (!values_.value.empty() && values_.value.back() >= model.values())
      throw nb::value_error("values that the model knows");
    std::uint8_t mark = 0;
    model.mark(classes(), read_by(model), {&mark, 1});
    return mark != 0;
  }

  std::int64_t publishable(const ClassModel& model) const {
    const std::uint8_t mark = violates(model);
    std::int64_t most = sizes_[0];
    model.limit(classes(), read_by(model), {&mark, 1}, {&most, 1});
    return most;
  }

 private:
  Classes classes() const { return {sizes_, {&values_, 1}, persons_, people_}; }
  const Histogram* read_by(const ClassModel& model) const { return model.sensitive() ? &values_ : nullptr; }

  Histogram values_{{0}, {}, {}};
  std::int64_t sizes_[1], persons_[1], people_[1];
};

bool holds(const ClassModel& model, std::int64_t size, const Array<std::int64_t>& histogram,
           std::optional<std::int64_t> units, std::optional<std::int64_t> population) {
  return !OneClass(size, histogram, units, population).violates(model);
}

std::int64_t publishable(const ClassModel& model, std::int64_t size, const Array<std::int64_t>& histogram,
                         std::optional<std::int64_t> units, std::optional<std::int64_t> population) {
  return OneClass(size, histogram, units, population).publishable(model);
}

CalledBackModel::Judge judged_by(const nb::object& function) {
  return calling<bool, std::uint8_t>(function, [](std::uint8_t& violated, bool answer) { violated |= answer; });
}

void bind_t_closeness(nb::module_& m) {
  using Records = std::vector<std::int64_t>;
  using Codes = std::vector<std::uint32_t>;
  nb::class_<TCloseness, ClassModel>(m, "TCloseness")
      .def(
          "__init__",
          [](TCloseness* self, std::size_t sensitive, const RatioParts& limit, const Records& records) {
            new (self) TCloseness(sensitive, ratio(limit), TreeDistance(records));
          },
          nb::arg("sensitive"), nb::arg("limit"), nb::arg("records"))
      .def(
          "__init__",
          [](TCloseness* self, std::size_t sensitive, const RatioParts& limit, const Records& records, Codes rank) {
            new (self) TCloseness(sensitive, ratio(limit), OrderedDistance(records, std::move(rank)));
          },
          nb::arg("sensitive"), nb::arg("limit"), nb::arg("records"), nb::arg("rank"))
      .def(
          "__init__",
          [](TCloseness* self, std::size_t sensitive, const RatioParts& limit, const Records& records,
             const std::vector<Codes>& node, const std::vector<Records>& height) {
            new (self) TCloseness(sensitive, ratio(limit), TreeDistance(records, node, height));
          },
          nb::arg("sensitive"), nb::arg("limit"), nb::arg("records"), nb::arg("node"), nb::arg("height"));
}

using InducedParts =
    std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::vector<std::int64_t>,
               std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<Cost>, Cost, std::int64_t>;

void bind_tau_l_diversity(nb::module_& m) {
  nb::class_<TauLDiversity, ClassModel>(m, "TauLDiversity")
      .def(
          "__init__",
          [](TauLDiversity* self, std::size_t sensitive, const InducedParts& limits, std::vector<std::uint32_t> node) {
            new (self) TauLDiversity(sensitive, std::make_from_tuple<InducedLimits>(limits), std::move(node));
          },
          nb::arg("sensitive"), nb::arg("limits"), nb::arg("node"));
}

/// Models of the diversity of classes.
void bind_diversity(nb::module_& m) {
  nb::class_<DistinctLDiversity, ClassModel>(m, "DistinctLDiversity")
      .def(nb::init<std::size_t, std::int64_t>(), nb::arg("sensitive"), nb::arg("l"));
  nb::class_<LDiversity, ClassModel>(m, "LDiversity")
      .def(
          "__init__",
          [](LDiversity* self, std::size_t sensitive, const RatioParts& largest_share) {
            new (self) LDiversity(sensitive, ratio(largest_share));
          },
          nb::arg("sensitive"), nb::arg("largest_share"));
  nb::class_<AlphaKAnonymity, ClassModel>(m, "AlphaKAnonymity")
      .def(
          "__init__",
          [](AlphaKAnonymity* self, std::size_t sensitive, const RatioParts& alpha, std::int64_t k) {
            new (self) AlphaKAnonymity(sensitive, ratio(alpha), k);
          },
          nb::arg("sensitive"), nb::arg("alpha"), nb::arg("k"));
  nb::class_<EntropyLDiversity, ClassModel>(m, "EntropyLDiversity")
      .def(nb::init<std::size_t, Cost, Cost>(), nb::arg("sensitive"), nb::arg("numerator"), nb::arg("denominator"));
  nb::class_<RecursiveLDiversity, ClassModel>(m, "RecursiveLDiversity")
      .def(
          "__init__",
          [](RecursiveLDiversity* self, std::size_t sensitive, const RatioParts& c, std::size_t l) {
            new (self) RecursiveLDiversity(sensitive, ratio(c), l);
          },
          nb::arg("sensitive"), nb::arg("c"), nb::arg("l"));
  nb::class_<LPlusDiversity, ClassModel>(m, "LPlusDiversity")
      .def(
          "__init__",
          [](LPlusDiversity* self, std::size_t sensitive, const std::vector<RatioParts>& theta) {
            new (self) LPlusDiversity(sensitive, ratios(theta));
          },
          nb::arg("sensitive"), nb::arg("theta"));
}

/// Models that compare classes with the input, or with a population.
void bind_comparing(nb::module_& m) {
  nb::class_<BetaLikeness, ClassModel>(m, "BetaLikeness")
      .def(
          "__init__",
          [](BetaLikeness* self, std::size_t sensitive, const std::vector<RatioParts>& largest_shares) {
            new (self) BetaLikeness(sensitive, ratios(largest_shares));
          },
          nb::arg("sensitive"), nb::arg("largest_shares"));
  nb::class_<DeltaDisclosure, ClassModel>(m, "DeltaDisclosure")
      .def(
          "__init__",
          [](DeltaDisclosure* self, std::size_t sensitive, const std::vector<RatioParts>& least,
             const std::vector<RatioParts>& most,
             std::size_t values) { new (self) DeltaDisclosure(sensitive, ratios(least), ratios(most), values); },
          nb::arg("sensitive"), nb::arg("least"), nb::arg("most"), nb::arg("values"));
  nb::class_<EpsilonPrivacy, ClassModel>(m, "EpsilonPrivacy")
      .def(nb::init<std::size_t, std::int64_t, Cost, Cost, Cost, std::int64_t>(), nb::arg("sensitive"), nb::arg("b"),
           nb::arg("grown"), nb::arg("fixed"), nb::arg("stubborn"), nb::arg("fewest"));
  nb::class_<KMap, ClassModel>(m, "KMap").def(nb::init<std::int64_t>(), nb::arg("k"));
  nb::class_<DeltaPresence, ClassModel>(m, "DeltaPresence")
      .def(
          "__init__",
          [](DeltaPresence* self, const RatioParts& least, const RatioParts& most) {
            new (self) DeltaPresence(ratio(least), ratio(most));
          },
          nb::arg("delta_min"), nb::arg("delta_max"));
}

}  // namespace

void bind_privacy(nb::module_& m) {
  nb::enum_<Monotonicity>(m, "Monotonicity", "How a model behaves when classes are merged.")
      .value("NONE", Monotonicity::none)
      .value("UP", Monotonicity::up)
      .value("STRONGLY_UP", Monotonicity::strongly_up);
  nb::class_<ClassModel>(m, "ClassModel", "A requirement on every equivalence class.")
      .def("holds", &holds, nb::arg("size"), nb::arg("histogram"), nb::arg("units") = nb::none(),
           nb::arg("population") = nb::none())
      .def("publishable", &publishable, nb::arg("size"), nb::arg("histogram"), nb::arg("units") = nb::none(),
           nb::arg("population") = nb::none(),
           "The most records of the class that parts satisfying the model can have, as far as a search knows.");
  nb::class_<KAnonymity, ClassModel>(m, "KAnonymity").def(nb::init<std::int64_t>(), nb::arg("k"));
  bind_diversity(m);
  bind_comparing(m);
  bind_t_closeness(m);
  bind_tau_l_diversity(m);
  nb::class_<CalledBackModel, ClassModel>(m, "CalledBackModel",
                                          "A model that asks a Python function about all classes.")
      .def(
          "__init__",
          [](CalledBackModel* self, std::optional<std::size_t> sensitive, Monotonicity monotonicity,
             const nb::object& function,
             bool populated) { new (self) CalledBackModel(sensitive, monotonicity, judged_by(function), populated); },
          nb::arg("sensitive").none(), nb::arg("monotonicity"), nb::arg("function"), nb::arg("populated") = false);
}
