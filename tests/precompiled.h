#pragma once

// As app/setup/precompiled.h, for the tests.

#include "setup/precompiled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fstream>
#include <sstream>
