// How an attribute's value is written in .debug_info (DWARF 4, 7.5.4).
#pragma once

#include <cstdint>

namespace lanescope::ptx::dwarf {

enum Form : std::uint64_t {
    form_addr = 0x01,
    form_block2 = 0x03,
    form_block4 = 0x04,
    form_data2 = 0x05,
    form_data4 = 0x06,
    form_data8 = 0x07,
    form_string = 0x08,
    form_block = 0x09,
    form_block1 = 0x0a,
    form_data1 = 0x0b,
    form_flag = 0x0c,
    form_sdata = 0x0d,
    form_strp = 0x0e,
    form_udata = 0x0f,
    form_ref_addr = 0x10,
    form_ref1 = 0x11,
    form_ref2 = 0x12,
    form_ref4 = 0x13,
    form_ref8 = 0x14,
    form_ref_udata = 0x15,
    form_sec_offset = 0x17,
    form_exprloc = 0x18,
    form_flag_present = 0x19,
};

}  // namespace lanescope::ptx::dwarf
