// The question before the host code of a file from an untrusted folder is compiled and run.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

/// Asks Workspace::question() in a popup while there is one.
void ask_for_trust(const Context& context);

}  // namespace lanescope::ui
