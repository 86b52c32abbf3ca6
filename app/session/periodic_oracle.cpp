#include "session/periodic_oracle.h"

#include "session/input.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

namespace lanescope::session {

namespace {

using trace::Element;

/// Repeating terms, and the sums of any range of them. Whole numbers wrap around; floats are summed as double, exactly
/// where they are whole numbers.
template <class Term>
class Terms {
  public:
    explicit Terms(std::vector<Term> period) : period_(std::move(period)), before_(period_.size() + 1) {
        for (std::size_t i = 0; i < period_.size(); ++i) before_[i + 1] = before_[i] + period_[i];
    }
    [[nodiscard]] std::uint64_t period() const { return period_.size(); }
    [[nodiscard]] Term at(std::uint64_t index) const { return period_[index % period_.size()]; }
    /// The sum of the first `count`.
    [[nodiscard]] Term sum(std::uint64_t count) const {
        const std::uint64_t periods = count / period_.size();
        return static_cast<Term>(periods) * before_.back() + before_[count % period_.size()];
    }
    [[nodiscard]] Term sum(std::uint64_t first, std::uint64_t past_last) const { return sum(past_last) - sum(first); }
    /// The minimum or maximum of a non-empty range.
    template <class Better>
    [[nodiscard]] Term best(std::uint64_t first, std::uint64_t past_last, Better better) const {
        const std::uint64_t end = std::min(past_last, first + period_.size());
        Term chosen = at(first);
        for (std::uint64_t i = first + 1; i < end; ++i) chosen = better(at(i), chosen) ? at(i) : chosen;
        return chosen;
    }

  private:
    std::vector<Term> period_, before_;
};

/// uint64_t for whole numbers, so that they wrap around; double for floats.
template <class Term>
Term term_of(Element element, std::uint64_t bits) {
    if constexpr (std::is_same_v<Term, double>) return decode(element, bits);
    const unsigned shift = 64 - trace::bytes_of(element) * 8;
    const bool with_sign = element == Element::s8 || element == Element::s16 || element == Element::s32;
    return static_cast<Term>(with_sign ? static_cast<std::uint64_t>(std::int64_t(bits << shift) >> shift) : bits);
}

template <class Term>
std::uint64_t bits_of(Element element, Term term) {
    if constexpr (std::is_same_v<Term, double>) return encode_float(element, term);
    return encode_whole(element, static_cast<std::int64_t>(term));
}

template <class Term>
using Combine = Term (*)(Term, Term);

/// The terms that the oracle adds: of one input, or of two, element by element. Nothing where their periods differ.
template <class Term>
std::optional<std::vector<Term>> terms_of(const GpuPlan& plan, std::size_t inputs, Combine<Term> combine) {
    if (plan.inputs.size() < inputs) return std::nullopt;
    std::vector<std::span<const std::byte>> periods;
    for (std::size_t i = 0; i < inputs; ++i) {
        const execute::GpuBuffer& buffer = plan.work.buffers[plan.inputs[i]];
        if (buffer.element != plan.element || buffer.period.empty()) return std::nullopt;
        if (buffer.filled / trace::bytes_of(buffer.element) != plan.n) return std::nullopt;
        periods.emplace_back(buffer.period);
    }
    const std::size_t count = periods.front().size() / trace::bytes_of(plan.element);
    std::vector<Term> terms(count);
    const auto at = [&](std::size_t input, std::size_t index) {
        return term_of<Term>(plan.element, trace::bits_at(plan.element, periods[input], index));
    };
    for (std::size_t i = 0; i < count; ++i) terms[i] = inputs == 1 ? at(0, i) : combine(at(0, i), at(1, i));
    return terms;
}

/// Whether floats may differ, and by how much.
class Rounding {
  public:
    explicit Rounding(const GpuPlan& plan) {
        const double threads = static_cast<double>(plan.grid) * plan.block;
        const double additions = static_cast<double>(plan.n) / std::max(threads, 1.0) +
                                 2 * std::log2(static_cast<double>(plan.n) + 1) + static_cast<double>(plan.grid);
        const int digits = plan.element == Element::f32 ? 24 : plan.element == Element::f64 ? 53 : 11;
        relative_ = std::ldexp(additions, -digits);
    }
    [[nodiscard]] double of(double magnitude) const { return relative_ * magnitude; }

  private:
    double relative_ = 0;
};

/// Ranges of outputs compared in parallel, one a core.
template <class Term>
class Judge {
  public:
    Judge(const GpuPlan& plan, std::span<const std::byte> actual, std::vector<Term> terms)
        : plan_(plan), actual_(actual), magnitudes_(magnitudes_of(terms)), terms_(std::move(terms)), rounding_(plan) {}

    [[nodiscard]] const Terms<Term>& terms() const { return terms_; }
    [[nodiscard]] const GpuPlan& plan() const { return plan_; }

    /// Output i must be `expected(i)`; floats may differ by the rounding of a sum of absolute values `magnitude(i)`.
    PeriodicVerdict outputs(std::uint64_t count, const std::function<Term(std::uint64_t)>& expected,
                            const std::function<double(std::uint64_t)>& magnitude) const {
        PeriodicVerdict verdict = in_parts(count, [&](std::uint64_t first, std::uint64_t past_last) {
            PeriodicVerdict part;
            for (std::uint64_t i = first; i < past_last; ++i)
                if (!compare(
                        i, expected(i), [&] { return magnitude(i); }, part))
                    break;
            return part;
        });
        return verdict;
    }

    /// Prefix sums, begun again every `slice`.
    PeriodicVerdict scan(std::uint64_t slice, bool inclusive) const {
        return in_parts(plan_.n, [&](std::uint64_t first, std::uint64_t past_last) {
            PeriodicVerdict part;
            std::uint64_t begin = first / slice * slice, in_period = first % terms_.period();
            Term running = terms_.sum(begin, first);
            for (std::uint64_t i = first; i < past_last; ++i) {
                if (i - begin == slice) {
                    begin = i;
                    running = Term{};
                }
                const Term term = terms_.at(in_period);
                if (++in_period == terms_.period()) in_period = 0;
                const Term after = running + term;
                const auto magnitude = [&] { return magnitude_of(begin, i + 1); };
                if (!compare(i, inclusive ? after : running, magnitude, part)) break;
                running = after;
            }
            return part;
        });
    }

    [[nodiscard]] double magnitude_of(std::uint64_t first, std::uint64_t past_last) const {
        return magnitudes_.sum(first, past_last);
    }
    /// The rounding of all threads; for oracles that use a sum further.
    [[nodiscard]] const Rounding& rounding() const { return rounding_; }

  private:
    static std::vector<double> magnitudes_of(const std::vector<Term>& terms) {
        std::vector<double> magnitudes(terms.size());
        if constexpr (std::is_same_v<Term, double>)
            std::ranges::transform(terms, magnitudes.begin(), [](double x) { return std::abs(x); });
        return magnitudes;
    }

    template <class Magnitude>
    bool compare(std::uint64_t index, Term expected, const Magnitude& magnitude, PeriodicVerdict& verdict) const {
        const std::uint64_t wanted = bits_of(plan_.element, expected);
        const std::uint64_t found = trace::bits_at(plan_.element, actual_, index);
        ++verdict.compared;
        if (found == wanted) return true;
        verdict.exact = false;
        const double a = decode(plan_.element, found), e = decode(plan_.element, wanted);
        if (a == e) return true;  // zeros of either sign
        if (is_float(plan_.element) && std::abs(a - e) <= rounding_.of(magnitude())) return true;
        verdict.ok = false;
        verdict.first_difference = index;
        verdict.expected = e;
        verdict.actual = a;
        return false;
    }

    template <class Part>
    PeriodicVerdict in_parts(std::uint64_t count, const Part& part) const {
        constexpr std::uint64_t worth_a_thread = std::uint64_t{1} << 20;
        const std::uint64_t available = actual_.size() / trace::bytes_of(plan_.element);
        const std::uint64_t compared = std::min(count, available);
        const std::uint64_t cores = std::max(std::thread::hardware_concurrency(), 1U);
        const std::uint64_t parts = std::clamp<std::uint64_t>(compared / worth_a_thread, 1, cores);
        std::vector<PeriodicVerdict> verdicts(parts);
        {
            std::vector<std::jthread> threads;
            for (std::uint64_t p = 0; p < parts; ++p) {
                threads.emplace_back([&, p] { verdicts[p] = part(compared * p / parts, compared * (p + 1) / parts); });
            }
        }
        PeriodicVerdict all;
        for (const PeriodicVerdict& one : verdicts) {
            all.compared += one.compared;
            all.exact = all.exact && one.exact;
            if (!one.ok && all.ok) {
                all.ok = false;
                all.first_difference = one.first_difference;
                all.expected = one.expected;
                all.actual = one.actual;
            }
        }
        if (available < count && all.ok) {
            all.ok = all.exact = false;
            all.first_difference = available;
        }
        return all;
    }

    const GpuPlan& plan_;
    std::span<const std::byte> actual_;
    Terms<double> magnitudes_;
    Terms<Term> terms_;
    Rounding rounding_;
};

template <class Term>
PeriodicVerdict slice_sums(const Judge<Term>& judge, std::uint64_t slices, std::uint64_t slice) {
    const std::uint64_t n = judge.plan().n;
    const auto first = [=](std::uint64_t i) { return std::min(i * slice, n); };
    const auto past_last = [=](std::uint64_t i) { return std::min((i + 1) * slice, n); };
    return judge.outputs(
        slices, [&](std::uint64_t i) { return judge.terms().sum(first(i), past_last(i)); },
        [&](std::uint64_t i) { return judge.magnitude_of(first(i), past_last(i)); });
}

/// Slices assigned to the blocks in turn.
template <class Term>
PeriodicVerdict dealt_sums(const Judge<Term>& judge, std::uint64_t blocks, std::uint64_t slice) {
    const std::uint64_t n = judge.plan().n;
    const auto over_slices = [=](std::uint64_t block, auto sum) {
        auto total = sum(0, 0);
        for (std::uint64_t at = block * slice; at < n; at += blocks * slice) total += sum(at, std::min(at + slice, n));
        return total;
    };
    return judge.outputs(
        blocks,
        [&](std::uint64_t i) {
            return over_slices(i, [&](std::uint64_t a, std::uint64_t b) { return judge.terms().sum(a, b); });
        },
        [&](std::uint64_t i) {
            return over_slices(i, [&](std::uint64_t a, std::uint64_t b) { return judge.magnitude_of(a, b); });
        });
}

template <class Term>
PeriodicVerdict totals_for_each(const Judge<Term>& judge, std::uint64_t slice) {
    const std::uint64_t n = judge.plan().n;
    const auto first = [=](std::uint64_t i) { return i / slice * slice; };
    const auto past_last = [=](std::uint64_t i) { return std::min(i / slice * slice + slice, n); };
    return judge.outputs(
        n, [&](std::uint64_t i) { return judge.terms().sum(first(i), past_last(i)); },
        [&](std::uint64_t i) { return judge.magnitude_of(first(i), past_last(i)); });
}

template <class Term>
PeriodicVerdict slice_choices(const Judge<Term>& judge, std::uint64_t slices, std::uint64_t slice, bool largest) {
    using Ordered = std::conditional_t<std::is_same_v<Term, double>, double, std::int64_t>;
    const std::uint64_t n = judge.plan().n;
    const auto better = [largest](Term a, Term b) {
        return largest ? static_cast<Ordered>(a) > static_cast<Ordered>(b)
                       : static_cast<Ordered>(a) < static_cast<Ordered>(b);
    };
    const std::uint64_t filled = std::min(slices, (n + slice - 1) / slice);
    return judge.outputs(
        filled, [&](std::uint64_t i) { return judge.terms().best(i * slice, std::min((i + 1) * slice, n), better); },
        [](std::uint64_t) { return 0.0; });
}

/// The root of the mean: the root halves relative errors.
PeriodicVerdict root_mean(const Judge<double>& judge) {
    const std::uint64_t n = judge.plan().n;
    const double mean = judge.terms().sum(n) / static_cast<double>(n);
    return judge.outputs(
        1, [&](std::uint64_t) { return std::sqrt(mean); }, [&](std::uint64_t) { return 2 * std::sqrt(mean); });
}

template <class Term>
std::optional<PeriodicVerdict> judge_as(const GpuPlan& plan, std::span<const std::byte> actual) {
    const std::string_view name = plan.oracle;
    const auto judge = [&](std::size_t inputs, Combine<Term> combine) -> std::optional<Judge<Term>> {
        auto terms = terms_of<Term>(plan, inputs, combine);
        if (!terms) return std::nullopt;
        return Judge<Term>(plan, actual, std::move(*terms));
    };
    const std::uint64_t slice = std::max<std::uint64_t>(plan.slice, 1), n = plan.n;
    const std::uint64_t slices = (n + slice - 1) / slice;
    if (name == "block-dot-product") {
        const auto products = judge(2, [](Term a, Term b) { return static_cast<Term>(a * b); });
        return products ? std::optional(slice_sums(*products, slices, slice)) : std::nullopt;
    }
    if (name == "root-mean-square-change") {
        if constexpr (std::is_same_v<Term, double>) {
            const auto squares = judge(2, [](double a, double b) { return (a - b) * (a - b); });
            return squares ? std::optional(root_mean(*squares)) : std::nullopt;
        }
        return std::nullopt;
    }
    const auto one = judge(1, nullptr);
    if (!one) return std::nullopt;
    if (name == "block-sum") return slice_sums(*one, plan.grid, slice);
    if (name == "sum") return slice_sums(*one, 1, n);
    if (name == "dealt-sum") return dealt_sums(*one, plan.grid, slice);
    if (name == "total-for-each") return totals_for_each(*one, slice);
    if (name == "block-min" || name == "block-max") return slice_choices(*one, plan.grid, slice, name == "block-max");
    if (name == "min" || name == "max") return slice_choices(*one, 1, n, name == "max");
    if (name == "inclusive-scan-by-block") return one->scan(slice, true);
    if (name == "exclusive-scan-by-block") return one->scan(slice, false);
    if (name == "inclusive-scan") return one->scan(n, true);
    if (name == "exclusive-scan") return one->scan(n, false);
    if (name == "copy") {
        return one->outputs(
            n, [&](std::uint64_t i) { return one->terms().at(i); }, [](std::uint64_t) { return 0.0; });
    }
    return std::nullopt;
}

}  // namespace

std::optional<PeriodicVerdict> judge_periodic(const GpuPlan& plan, std::span<const std::byte> actual) {
    if (plan.oracle.empty() || !plan.output || plan.n == 0) return std::nullopt;
    return is_float(plan.element) ? judge_as<double>(plan, actual) : judge_as<std::uint64_t>(plan, actual);
}

}  // namespace lanescope::session
