// The parts of a recording as JSON, shared by its file and its stream. Readers throw the exceptions of nlohmann::json.
#pragma once

#include "timing/measurement.h"

#include <nlohmann/json_fwd.hpp>

namespace lanescope::timing::json {

/// The header before the measurements: device, driver, date, command, ...
[[nodiscard]] Json of_header(const Recording& recording);
[[nodiscard]] Json of(const Spread& spread);
[[nodiscard]] Json of(const Recording::Copy& copy);
[[nodiscard]] Json of(const Recording::Sweep& sweep);
[[nodiscard]] Json of(const Recording::ResidentRead& read);
[[nodiscard]] Json of(const Point& point);
[[nodiscard]] Json of(const Omission& omission);

[[nodiscard]] Recording header_of(const Json& json);
[[nodiscard]] Spread spread_of(const Json& json);
[[nodiscard]] Recording::Copy copy_of(const Json& json);
[[nodiscard]] Recording::Sweep sweep_of(const Json& json);
[[nodiscard]] Recording::ResidentRead resident_read_of(const Json& json);
[[nodiscard]] Point point_of(const Json& json);
[[nodiscard]] Omission omission_of(const Json& json);

}  // namespace lanescope::timing::json
