#pragma once

// As app/setup/precompiled.h, for the tests.

#include "setup/precompiled.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
