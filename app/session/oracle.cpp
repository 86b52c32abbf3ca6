#include "session/oracle.h"

#include "base/grouped.h"
#include "session/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanescope::session {

namespace {

using trace::Element;

/// Digits of the significand: whole numbers up to 2^digits are exact.
int digits_of(Element element) {
    switch (element) {
        case Element::f16: return 11;
        case Element::bf16: return 8;
        case Element::f32: return 24;
        default: return 53;
    }
}

bool is_signed_whole(Element element) {
    return element == Element::s8 || element == Element::s16 || element == Element::s32 || element == Element::s64;
}

std::int64_t sign_extended(Element element, std::uint64_t bits) {
    const unsigned shift = 64 - trace::bytes_of(element) * 8;
    return std::int64_t(bits << shift) >> shift;
}

/// a + b in the element's own type, by way of double: its 53 digits are at least twice the narrower type's and two
/// more, so the second rounding changes nothing (Figueroa, When is double rounding innocuous?).
std::uint64_t sum(Element element, std::uint64_t a, std::uint64_t b) {
    if (!is_float(element)) return encode_whole(element, std::int64_t(a + b));
    return encode_float(element, decode(element, a) + decode(element, b));
}

/// a * b and a - b, likewise.
std::uint64_t product(Element element, std::uint64_t a, std::uint64_t b) {
    if (!is_float(element)) return encode_whole(element, std::int64_t(a * b));
    return encode_float(element, decode(element, a) * decode(element, b));
}
std::uint64_t difference(Element element, std::uint64_t a, std::uint64_t b) {
    if (!is_float(element)) return encode_whole(element, std::int64_t(a - b));
    return encode_float(element, decode(element, a) - decode(element, b));
}

bool less(Element element, std::uint64_t a, std::uint64_t b) {
    if (is_float(element)) return decode(element, a) < decode(element, b);
    return is_signed_whole(element) ? sign_extended(element, a) < sign_extended(element, b) : a < b;
}

std::uint64_t smaller(Element element, std::uint64_t a, std::uint64_t b) { return less(element, b, a) ? b : a; }
std::uint64_t larger(Element element, std::uint64_t a, std::uint64_t b) { return less(element, a, b) ? b : a; }

std::uint64_t all_bits(Element, std::uint64_t a, std::uint64_t b) { return a & b; }
std::uint64_t any_bit(Element, std::uint64_t a, std::uint64_t b) { return a | b; }
std::uint64_t odd_bits(Element, std::uint64_t a, std::uint64_t b) { return a ^ b; }

/// a / b, whole numbers rounded toward 0. CUDA leaves a whole number divided by 0 undefined; here it is 0.
std::uint64_t quotient(Element element, std::uint64_t a, std::uint64_t b) {
    if (is_float(element)) return encode_float(element, decode(element, a) / decode(element, b));
    if (b == 0) return 0;
    if (!is_signed_whole(element)) return a / b;
    const std::int64_t divisor = sign_extended(element, b);
    if (divisor == -1) return difference(element, 0, a);
    return encode_whole(element, sign_extended(element, a) / divisor);
}

using Operator = std::uint64_t (*)(Element, std::uint64_t, std::uint64_t);

/// A running sum, and the largest deviation of another order of the same terms.
class Sum {
  public:
    explicit Sum(Element element) : element_(element) {}

    void add(std::uint64_t term) {
        value_ = terms_ == 0 ? term : sum(element_, value_, term);
        ++terms_;
        if (!is_float(element_)) return;
        const double x = decode(element_, term);
        magnitude_ += std::abs(x);
        whole_ = whole_ && x == std::trunc(x);
    }

    [[nodiscard]] std::uint64_t value() const { return value_; }

    [[nodiscard]] double tolerance() const {
        if (!is_float(element_) || terms_ < 2) return 0;
        if (whole_ && magnitude_ <= std::ldexp(1.0, digits_of(element_))) return 0;
        return 2 * double(terms_ - 1) * std::ldexp(magnitude_, -digits_of(element_));
    }

  private:
    Element element_;
    std::uint64_t value_ = 0;
    std::uint64_t terms_ = 0;
    double magnitude_ = 0;
    bool whole_ = true;
};

/// Reads an input and collects the output, element by element.
class Work {
  public:
    explicit Work(const OracleInputs& inputs) : inputs_(inputs) {}

    [[nodiscard]] Element element() const { return inputs_.element; }
    [[nodiscard]] std::uint64_t size(std::size_t input = 0) const {
        return inputs_.inputs[input].size() / trace::bytes_of(inputs_.element);
    }
    [[nodiscard]] std::uint64_t at(std::uint64_t index, std::size_t input = 0) const {
        return trace::bits_at(inputs_.element, inputs_.inputs[input], index);
    }
    void emit(std::uint64_t bits, double tolerance = 0) {
        append_element(expected_.bytes, inputs_.element, bits);
        if (is_float(inputs_.element)) expected_.tolerance.push_back(tolerance);
    }
    [[nodiscard]] Expected done() { return std::move(expected_); }

  private:
    const OracleInputs& inputs_;
    Expected expected_;
};

/// Sums of slices of the first `size` elements; a slice beyond them is empty, and its sum is 0.
Expected slice_sums(const OracleInputs& inputs, std::uint64_t slices, std::uint64_t slice) {
    Work work(inputs);
    slice = std::min(slice, std::max<std::uint64_t>(work.size(), 1));  // s * slice stays in range
    for (std::uint64_t s = 0; s < slices; ++s) {
        Sum total(inputs.element);
        for (std::uint64_t i = s * slice; i < std::min((s + 1) * slice, work.size()); ++i) total.add(work.at(i));
        work.emit(total.value(), total.tolerance());
    }
    return work.done();
}

/// How far another order of `terms` operations may be from their result.
using Tolerance = double (*)(Element, double result, std::uint64_t terms);

/// Operators that choose one of two values, or work on bits: every order gives the same.
double exact(Element, double, std::uint64_t) { return 0; }
/// Products and quotients: each operation rounds once.
double rounded_each(Element element, double result, std::uint64_t terms) {
    return 2 * double(terms - 1) * std::ldexp(std::abs(result), -digits_of(element));
}

/// The first n elements of each slice, combined one after the other. Padding takes no part.
template <Operator combine, Tolerance tolerance = exact>
Expected slice_folds(const OracleInputs& inputs, std::uint64_t slices, std::uint64_t slice) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    slice = std::min(slice, std::max<std::uint64_t>(size, 1));
    for (std::uint64_t s = 0; s < slices && s * slice < size; ++s) {
        const std::uint64_t end = std::min((s + 1) * slice, size);
        std::uint64_t result = work.at(s * slice);
        for (std::uint64_t i = s * slice + 1; i < end; ++i) result = combine(inputs.element, result, work.at(i));
        work.emit(result, is_float(inputs.element)
                              ? tolerance(inputs.element, decode(inputs.element, result), end - s * slice)
                              : 0);
    }
    return work.done();
}

/// Calls `each(first, end)` for the elements of one slice after the other; the last one may be shorter.
void for_each_slice(std::uint64_t size, std::uint64_t slice, const auto& each) {
    for (std::uint64_t first = 0; first < size;) {
        const std::uint64_t end = first + std::min(size - first, slice);
        each(first, end);
        first = end;
    }
}

Expected block_sum(const OracleInputs& inputs) { return slice_sums(inputs, inputs.grid, inputs.slice); }
Expected whole_sum(const OracleInputs& inputs) { return slice_sums(inputs, 1, Work(inputs).size()); }

template <Operator combine, Tolerance tolerance = exact>
Expected block_fold(const OracleInputs& inputs) {
    return slice_folds<combine, tolerance>(inputs, inputs.grid, inputs.slice);
}
template <Operator combine>
Expected whole_fold(const OracleInputs& inputs) {
    return slice_folds<combine>(inputs, 1, Work(inputs).size());
}

/// The first element of each block minus the others: a sum whose further terms have the other sign.
Expected block_difference(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        Sum total(inputs.element);
        total.add(work.at(first));
        for (std::uint64_t i = first + 1; i < end; ++i) total.add(difference(inputs.element, 0, work.at(i)));
        work.emit(total.value(), total.tolerance());
    });
    return work.done();
}

/// The sum of the first n elements divided by n; of whole numbers, rounded toward 0.
Expected mean(const OracleInputs& inputs) {
    Work work(inputs);
    const Element element = inputs.element;
    const std::uint64_t size = std::min(work.size(), inputs.n);
    if (size == 0) return work.done();
    Sum total(element);
    for (std::uint64_t i = 0; i < size; ++i) total.add(work.at(i));
    if (!is_float(element)) {
        const bool negative = is_signed_whole(element) && sign_extended(element, total.value()) < 0;
        const std::uint64_t magnitude = negative ? difference(element, 0, total.value()) : total.value();
        work.emit(negative ? difference(element, 0, magnitude / size) : magnitude / size);
        return work.done();
    }
    const double value = decode(element, total.value()) / double(size);
    work.emit(encode_float(element, value),
              total.tolerance() / double(size) + std::ldexp(2 * std::abs(value), -digits_of(element)));
    return work.done();
}

/// Each block's maps v -> x v + y, applied one after the other, are one such map: its x, then its y. For whole numbers,
/// where regrouping changes nothing.
Expected block_composition(const OracleInputs& inputs) {
    Work work(inputs);
    const Element element = inputs.element;
    const std::uint64_t size = std::min({work.size(0), work.size(1), inputs.n});
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        std::uint64_t slope = work.at(first, 0), offset = work.at(first, 1);
        for (std::uint64_t i = first + 1; i < end; ++i) {
            offset = sum(element, product(element, work.at(i, 0), offset), work.at(i, 1));
            slope = product(element, work.at(i, 0), slope);
        }
        work.emit(slope);
        work.emit(offset);
    });
    return work.done();
}

/// Prefix sums of the first n elements, begun again every `slice` elements.
Expected scan(const OracleInputs& inputs, std::uint64_t slice, bool inclusive) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    Sum total(inputs.element);
    for (std::uint64_t i = 0; i < size; ++i) {
        if (i % slice == 0) total = Sum(inputs.element);
        if (inclusive) total.add(work.at(i));
        work.emit(total.value(), total.tolerance());
        if (!inclusive) total.add(work.at(i));
    }
    return work.done();
}

Expected inclusive_by_block(const OracleInputs& inputs) { return scan(inputs, inputs.slice, true); }
Expected exclusive_by_block(const OracleInputs& inputs) { return scan(inputs, inputs.slice, false); }
Expected inclusive(const OracleInputs& inputs) { return scan(inputs, std::max<std::uint64_t>(inputs.n, 1), true); }
Expected exclusive(const OracleInputs& inputs) { return scan(inputs, std::max<std::uint64_t>(inputs.n, 1), false); }

/// Slices assigned to the blocks in turn, as by a grid-stride loop.
Expected dealt_sum(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    std::vector<Sum> totals(inputs.grid, Sum(inputs.element));
    for (std::uint64_t i = 0; i < size; ++i) totals[i / inputs.slice % inputs.grid].add(work.at(i));
    for (const Sum& total : totals) work.emit(total.value(), total.tolerance());
    return work.done();
}

/// The first element of each slice.
Expected first_of_each(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for (std::uint64_t first = 0; first < size; first += std::min(inputs.slice, size)) work.emit(work.at(first));
    return work.done();
}

/// The sum of each slice, once for every element of it.
Expected total_for_each(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        Sum total(inputs.element);
        for (std::uint64_t i = first; i < end; ++i) total.add(work.at(i));
        for (std::uint64_t i = first; i < end; ++i) work.emit(total.value(), total.tolerance());
    });
    return work.done();
}

Expected block_dot_product(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min({work.size(0), work.size(1), inputs.n});
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        Sum total(inputs.element);
        for (std::uint64_t i = first; i < end; ++i) total.add(product(inputs.element, work.at(i, 0), work.at(i, 1)));
        work.emit(total.value(), total.tolerance());
    });
    return work.done();
}

/// The sum of (x - y)^2 over the elements that both inputs have, and their number.
std::pair<double, std::uint64_t> squared_differences(const Work& work, const OracleInputs& inputs) {
    const std::uint64_t size = std::min({work.size(0), work.size(1), inputs.n});
    Sum total(inputs.element);
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t change = difference(inputs.element, work.at(i, 0), work.at(i, 1));
        total.add(product(inputs.element, change, change));
    }
    return {decode(inputs.element, total.value()), size};
}

/// sqrt(mean((x - y)^2)). Rounding: each square three times, their sum as in Sum, quotient and root once each; the root
/// halves relative errors.
Expected root_mean_square_change(const OracleInputs& inputs) {
    Work work(inputs);
    const auto [total, size] = squared_differences(work, inputs);
    const double rms = std::sqrt(total / double(std::max<std::uint64_t>(size, 1)));
    const double relative = std::ldexp(double(size) + 4, -digits_of(inputs.element));
    work.emit(encode_float(inputs.element, rms), rms * relative);
    return work.done();
}

/// The elements less than the first one, then the others, both in their order.
Expected partition(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for (const bool smaller : {true, false}) {
        for (std::uint64_t i = 0; i < size; ++i)
            if (less(inputs.element, work.at(i), work.at(0)) == smaller) work.emit(work.at(i));
    }
    return work.done();
}

/// v[i] = (1 - x[i]) v[i - 1] + x[i] y[i], from 0 on. Maps may be composed in any grouping: a term of v[i] is a product
/// of at most i + 2 factors, each rounded when it is made and when it is multiplied, and every sum rounds once more.
Expected recurrence(const OracleInputs& inputs) {
    Work work(inputs);
    const Element element = inputs.element;
    std::uint64_t v = 0;
    double magnitude = 0;  // of v, without cancellation
    bool whole = true;
    for (std::uint64_t i = 0; i < std::min({work.size(0), work.size(1), inputs.n}); ++i) {
        const std::uint64_t x = work.at(i, 0), y = work.at(i, 1);
        const std::uint64_t slope = difference(element, encode_whole(element, 1), x);
        v = sum(element, product(element, slope, v), product(element, x, y));
        if (!is_float(element)) {
            work.emit(v);
            continue;
        }
        const double lambda = decode(element, x), u = decode(element, y);
        magnitude = std::abs(1 - lambda) * magnitude + std::abs(lambda * u);
        whole = whole && lambda == std::trunc(lambda) && u == std::trunc(u);
        const bool exact = whole && magnitude <= std::ldexp(1.0, digits_of(element));
        work.emit(v, exact ? 0 : 2 * (3 * double(i) + 4) * std::ldexp(magnitude, -digits_of(element)));
    }
    return work.done();
}

/// The elements in ascending order.
Expected sorted(const OracleInputs& inputs) {
    Work work(inputs);
    std::vector<std::uint64_t> elements;
    for (std::uint64_t i = 0; i < std::min(work.size(), inputs.n); ++i) elements.push_back(work.at(i));
    std::ranges::stable_sort(elements, [&](std::uint64_t a, std::uint64_t b) { return less(inputs.element, a, b); });
    for (const std::uint64_t element : elements) work.emit(element);
    return work.done();
}

/// sqrt(sum((x - y)^2)). Rounding as in root_mean_square_change, without the quotient.
Expected distance(const OracleInputs& inputs) {
    Work work(inputs);
    const auto [total, size] = squared_differences(work, inputs);
    const double root = std::sqrt(total);
    work.emit(encode_float(inputs.element, root), root * std::ldexp(double(size) + 3, -digits_of(inputs.element)));
    return work.done();
}

/// The mean of 4 / (1 + x^2), whose integral from 0 to 1 is pi. Rounding: square, sum and quotient once each, then the
/// terms' sum and the mean.
Expected pi_estimate(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    if (size == 0) return work.done();
    double total = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
        const double x = decode(inputs.element, work.at(i));
        total += 4 / (1 + x * x);
    }
    const double mean = total / double(size);
    work.emit(encode_float(inputs.element, mean),
              2 * (double(size) + 5) * std::ldexp(mean, -digits_of(inputs.element)));
    return work.done();
}

/// The root mean square change of one Jacobi iteration of the Laplace equation on n x m x m points, where a plane of
/// constant first index has m * m = slice points; the outermost points stay.
Expected laplace_change(const OracleInputs& inputs) {
    Work work(inputs);
    const auto m = std::uint64_t(std::lround(std::sqrt(double(inputs.slice))));
    const std::uint64_t n = inputs.n, row = n;
    if (m == 0 || n == 0 || m > work.size() / n / m) return work.done();
    const std::uint64_t plane = n * m;
    const auto at = [&](std::uint64_t i) { return decode(inputs.element, work.at(i)); };
    const double unit = std::ldexp(1.0, -digits_of(inputs.element));
    double total = 0, largest = 0;
    for (std::uint64_t k = 1; k + 1 < m; ++k) {
        for (std::uint64_t j = 1; j + 1 < m; ++j) {
            for (std::uint64_t i = 1; i + 1 < n; ++i) {
                const std::uint64_t c = i + row * j + plane * k;
                const double neighbors =
                    at(c - 1) + at(c + 1) + at(c - row) + at(c + row) + at(c - plane) + at(c + plane);
                const double change = neighbors / 6 - at(c);
                total += change * change;
                largest = std::max({largest, std::abs(neighbors), std::abs(at(c))});
            }
        }
    }
    const double points = double(plane * m), rms = std::sqrt(total / points);
    work.emit(encode_float(inputs.element, rms), rms * (points + 4) * unit + 16 * largest * unit);
    return work.done();
}

/// A sparse matrix times a vector: values, columns, a 1 where a row begins, and the vector. For whole numbers.
Expected sparse_product(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min({work.size(0), work.size(1), work.size(2), inputs.n});
    std::uint64_t row = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t column = work.at(i, 1);
        if (column >= work.size(3)) return work.done();
        if (i > 0 && work.at(i, 2) != 0) {
            work.emit(row);
            row = 0;
        }
        row = sum(inputs.element, row, product(inputs.element, work.at(i, 0), work.at(column, 3)));
    }
    if (size > 0) work.emit(row);
    return work.done();
}

/// Systematic resampling: element j is the first particle whose weights, with those before it, exceed
/// floor((2 j + 1) W / (2 n)), where W is the sum of the n weights, whole numbers.
Expected resampled(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min({work.size(0), work.size(1), inputs.n});
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < size; ++i) total += work.at(i, 1);
    std::uint64_t particle = 0, weights = size == 0 ? 0 : work.at(0, 1);
    for (std::uint64_t j = 0; j < size; ++j) {
        const std::uint64_t tooth = (2 * j + 1) * total / (2 * size);
        while (weights <= tooth && particle + 1 < size) weights += work.at(++particle, 1);
        work.emit(work.at(particle, 0));
    }
    return work.done();
}

/// The elements greater than 0, in their order; then zeros.
Expected positive(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    std::uint64_t left = size;
    for (std::uint64_t i = 0; i < size; ++i) {
        if (!less(inputs.element, 0, work.at(i))) continue;
        work.emit(work.at(i));
        --left;
    }
    while (left-- > 0) work.emit(0);
    return work.done();
}

/// How many values of an element's lowest bits are distinguished: the slice, and no more than a table has place for.
std::uint64_t distinct_digits(const OracleInputs& inputs) { return std::min(inputs.slice, std::uint64_t{1} << 16); }

/// How many elements have each value of bits modulo the slice, a power of two.
Expected histogram(const OracleInputs& inputs) {
    Work work(inputs);
    std::vector<std::int64_t> counts(distinct_digits(inputs));
    for (std::uint64_t i = 0; i < std::min(work.size(), inputs.n); ++i) ++counts[work.at(i) % counts.size()];
    for (const std::int64_t count : counts) work.emit(encode_whole(inputs.element, count));
    return work.done();
}

/// The elements sorted by their bits modulo the slice, a power of two; equal ones in their order.
Expected by_last_digit(const OracleInputs& inputs) {
    Work work(inputs);
    std::vector<std::vector<std::uint64_t>> with_digit(distinct_digits(inputs));
    for (std::uint64_t i = 0; i < std::min(work.size(), inputs.n); ++i)
        with_digit[work.at(i) % with_digit.size()].push_back(work.at(i));
    for (const std::vector<std::uint64_t>& elements : with_digit)
        for (const std::uint64_t element : elements) work.emit(element);
    return work.done();
}

/// Prefix sums that begin again at each element whose second input is not 0.
Expected segmented_scan(const OracleInputs& inputs) {
    Work work(inputs);
    Sum total(inputs.element);
    for (std::uint64_t i = 0; i < std::min({work.size(0), work.size(1), inputs.n}); ++i) {
        if (work.at(i, 1) != 0) total = Sum(inputs.element);
        total.add(work.at(i));
        work.emit(total.value(), total.tolerance());
    }
    return work.done();
}

/// For each run of equal elements its value and its length; then zeros, two for each element.
Expected run_lengths(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    std::uint64_t left = size;
    for (std::uint64_t first = 0; first < size; --left) {
        std::uint64_t end = first + 1;
        while (end < size && work.at(end) == work.at(first)) ++end;
        work.emit(work.at(first));
        work.emit(encode_whole(inputs.element, std::int64_t(end - first)));
        first = end;
    }
    while (left-- > 0) {
        work.emit(0);
        work.emit(0);
    }
    return work.done();
}

/// Each block's largest element and its index; of equal ones the first.
Expected block_arg_max(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        std::uint64_t best = first;
        for (std::uint64_t i = first + 1; i < end; ++i)
            if (less(inputs.element, work.at(best), work.at(i))) best = i;
        work.emit(work.at(best));
        work.emit(encode_whole(inputs.element, std::int64_t(best)));
    });
    return work.done();
}

/// Each block's mean, and the mean of the squared distances from it. Rounding: merging k elements in any order changes
/// the mean by less than 4 k u max|x|, the other by less than 8 k u max|x|^2 (Chan, Golub and LeVeque).
Expected block_mean_and_variance(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        double total = 0, squares = 0, largest = 0;
        for (std::uint64_t i = first; i < end; ++i) {
            const double x = decode(inputs.element, work.at(i));
            total += x;
            largest = std::max(largest, std::abs(x));
        }
        const double count = double(end - first), mean = total / count;
        for (std::uint64_t i = first; i < end; ++i) {
            const double distance = decode(inputs.element, work.at(i)) - mean;
            squares += distance * distance;
        }
        const double rounding = std::ldexp(count * largest, -digits_of(inputs.element));
        work.emit(encode_float(inputs.element, mean), 4 * rounding);
        work.emit(encode_float(inputs.element, squares / count), 8 * rounding * largest);
    });
    return work.done();
}

/// e^x of each element, divided by the sum of e^x over its slice. Rounding: k terms, each scaled at most k times by an
/// exponential of two units in the last place, whose arguments add up to no more than the range of the slice.
Expected block_softmax(const OracleInputs& inputs) {
    Work work(inputs);
    const std::uint64_t size = std::min(work.size(), inputs.n);
    for_each_slice(size, inputs.slice, [&](std::uint64_t first, std::uint64_t end) {
        double least = decode(inputs.element, work.at(first)), largest = least, total = 0;
        for (std::uint64_t i = first; i < end; ++i) {
            least = std::min(least, decode(inputs.element, work.at(i)));
            largest = std::max(largest, decode(inputs.element, work.at(i)));
        }
        for (std::uint64_t i = first; i < end; ++i) total += std::exp(decode(inputs.element, work.at(i)) - largest);
        const double least_normal = std::ldexp(1.0, -126);  // smaller floats are rounded more coarsely
        const double relative =
            std::ldexp(8 * double(end - first) + 4 * (largest - least) + 32, -digits_of(inputs.element));
        for (std::uint64_t i = first; i < end; ++i) {
            const double share = std::exp(decode(inputs.element, work.at(i)) - largest) / total;
            work.emit(encode_float(inputs.element, share), share * relative + least_normal);
        }
    });
    return work.done();
}

Expected copy(const OracleInputs& inputs) {
    Work work(inputs);
    for (std::uint64_t i = 0; i < std::min(work.size(), inputs.n); ++i) work.emit(work.at(i));
    return work.done();
}

Expected reverse(const OracleInputs& inputs) {
    Work work(inputs);
    for (std::uint64_t i = std::min(work.size(), inputs.n); i-- > 0;) work.emit(work.at(i));
    return work.done();
}

Expected add(const OracleInputs& inputs) {
    Work work(inputs);
    for (std::uint64_t i = 0; i < std::min({work.size(0), work.size(1), inputs.n}); ++i)
        work.emit(sum(inputs.element, work.at(i, 0), work.at(i, 1)));
    return work.done();
}

/// A result for each part of the input, and none for the whole.
constexpr bool of_each_part = true;

constexpr std::array<Oracle, 42> table{
    {{"block-sum", "the sum of each block's elements", 1, block_sum, of_each_part},
     {"block-min", "the smallest of each block's elements", 1, block_fold<smaller>, of_each_part},
     {"block-max", "the largest of each block's elements", 1, block_fold<larger>, of_each_part},
     {"block-product", "the product of each block's elements", 1, block_fold<product, rounded_each>, of_each_part},
     {"block-quotient", "each block's first element divided by the others", 1, block_fold<quotient, rounded_each>,
      of_each_part},
     {"block-difference", "each block's first element minus the others", 1, block_difference, of_each_part},
     {"block-and", "the bitwise and of each block's elements", 1, block_fold<all_bits>, of_each_part},
     {"block-or", "the bitwise or of each block's elements", 1, block_fold<any_bit>, of_each_part},
     {"block-xor", "the bitwise exclusive or of each block's elements", 1, block_fold<odd_bits>, of_each_part},
     {"block-composition", "each block's maps v -> x v + y as one map: its x and its y", 2, block_composition,
      of_each_part},
     {"sum", "the sum of all elements", 1, whole_sum},
     {"mean", "the mean of all elements", 1, mean},
     {"dealt-sum", "the sum of the slices that each block takes in turn", 1, dealt_sum, of_each_part},
     {"first-of-each", "the first element of each slice", 1, first_of_each, of_each_part},
     {"total-for-each", "the sum of each element's slice", 1, total_for_each, of_each_part},
     {"min", "the smallest element", 1, whole_fold<smaller>},
     {"max", "the largest element", 1, whole_fold<larger>},
     {"inclusive-scan-by-block", "the sum, within each block, of the elements up to and including each one", 1,
      inclusive_by_block, of_each_part},
     {"exclusive-scan-by-block", "the sum, within each block, of the elements before each one", 1, exclusive_by_block,
      of_each_part},
     {"inclusive-scan", "the sum of the elements up to and including each one", 1, inclusive},
     {"exclusive-scan", "the sum of the elements before each one", 1, exclusive},
     {"block-dot-product", "the sum of each block's products of two inputs", 2, block_dot_product, of_each_part},
     {"root-mean-square-change", "the root of the mean of the squared differences", 2, root_mean_square_change},
     {"partition", "the elements less than the first one, then the others", 1, partition},
     {"recurrence", "v = (1 - x) v + x y, from 0 on, element by element", 2, recurrence},
     {"positive", "the elements greater than 0, then zeros", 1, positive},
     {"histogram", "the number of elements in each bin", 1, histogram},
     {"by-last-digit", "the elements sorted by their last digit, equal ones in their order", 1, by_last_digit},
     {"segmented-scan", "the sum of the elements since the last flag", 2, segmented_scan},
     {"run-lengths", "the value and the length of each run, then zeros", 1, run_lengths},
     {"block-arg-max", "the largest of each block's elements and its index", 1, block_arg_max, of_each_part},
     {"block-mean-and-variance", "the mean and the variance of each block's elements", 1, block_mean_and_variance,
      of_each_part},
     {"block-softmax", "the softmax of each slice", 1, block_softmax, of_each_part},
     {"sorted", "the elements in ascending order", 1, sorted},
     {"distance", "the root of the sum of the squared differences", 2, distance},
     {"pi-estimate", "the mean of 4 / (1 + x x)", 1, pi_estimate},
     {"laplace-change", "the root mean square change of one iteration", 1, laplace_change},
     {"sparse-product", "the matrix times the vector, row by row", 4, sparse_product},
     {"resampled", "the particles that systematic resampling selects", 2, resampled},
     {"copy", "the unchanged input", 1, copy},
     {"reverse", "the input in reverse order", 1, reverse},
     {"add", "the sum of the two inputs, element by element", 2, add}}};

}  // namespace

bool of_parts(std::string_view oracle) {
    const auto found = find_oracle(oracle);
    return found && (*found)->of_parts;
}

Result<const Oracle*> find_oracle(std::string_view name) {
    const auto found = std::ranges::find(table, name, &Oracle::name);
    if (found != table.end()) return &*found;
    std::string known;
    for (const Oracle& oracle : table) known += fmt::format("{}{}", known.empty() ? "" : ", ", oracle.name);
    return fail(fmt::format("there is no CPU reference named \"{}\"", name), {}, "the CPU references are " + known);
}

Result<Expected> expect(const Oracle& oracle, const OracleInputs& inputs) {
    if (inputs.inputs.size() < oracle.inputs)
        return fail(fmt::format("the CPU reference {} reads {}, and the kernel has {}", oracle.name,
                                counted(oracle.inputs, "input"), inputs.inputs.size()));
    if (inputs.slice == 0)
        return fail(fmt::format("the CPU reference {} needs slices of at least one element", oracle.name));
    return oracle.expected(inputs);
}

ResultComparison compare(Element element, const Expected& expected, std::span<const std::byte> actual) {
    const std::size_t size = trace::bytes_of(element);
    const std::size_t wanted = expected.bytes.size() / size, given = actual.size() / size;
    ResultComparison result{.ok = true, .compared = std::min(wanted, given), .first_difference = 0};
    for (std::size_t i = 0; i < result.compared; ++i) {
        const std::uint64_t should = trace::bits_at(element, expected.bytes, i),
                            is = trace::bits_at(element, actual, i);
        if (should == is) continue;
        if (is_float(element)) {
            const double a = decode(element, should), b = decode(element, is);
            if (std::isnan(a) && std::isnan(b)) continue;
            if (std::abs(a - b) <= (expected.tolerance.empty() ? 0 : expected.tolerance[i])) continue;
        }
        return {.ok = false, .compared = result.compared, .first_difference = i};
    }
    if (wanted > given) return {.ok = false, .compared = given, .first_difference = given};
    return result;
}

}  // namespace lanescope::session
