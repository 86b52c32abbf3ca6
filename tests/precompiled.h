// As app/setup/precompiled.h, for the tests.
#pragma once

#include "setup/precompiled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fstream>
#include <sstream>
