#!/usr/bin/env python3
"""Writes texture_fetches_h100.csv again, on a machine with an NVIDIA GPU and CuPy: what texture fetches return there.

Coordinates and results are the bits of f32. Whole numbers are read as normalized floats; the border is .25, 5, -1, 2.
"""

import cupy
import numpy
from cupy.cuda import texture

LANES = 24
KERNEL = """__global__ void d{0}(unsigned long long t, const float3* x, float4* o)
{{ float3 p = x[threadIdx.x]; o[threadIdx.x] = tex{0}D<float4>(t, {1}); }}
"""
DIMENSIONS = {1: "p.x", 2: "p.x, p.y", 3: "p.x, p.y, p.z"}
module = cupy.RawModule(code='extern "C" {' + "".join(KERNEL.format(*d) for d in DIMENSIONS.items()) + "}")
random = numpy.random.default_rng(5)


def record(out, name, texels):
    channels, size = texels.shape[-1], texels.shape[:-1][::-1]
    kind = {"f": 2, "i": 0, "u": 1}[texels.dtype.kind]
    bits = [texels.dtype.itemsize * 8] * channels + [0] * (4 - channels)
    array = texture.CUDAarray(texture.ChannelFormatDescriptor(*bits, kind), *size)
    array.copy_from(texels.reshape(texels.shape[:-2] + (-1,)))
    for mode in range(4):
        for linear in 0, 1:
            for normalized in 0, 1:
                at = random.uniform(-0.6, 1.6, (LANES, 3))
                at[0], at[1], at[2] = 0.5, 0, 1
                if not normalized:
                    at *= (list(size) + [1, 1])[:3]
                at[3] = numpy.floor(at[3]) + 0.5
                at[4, 0] += 7
                at = at.astype(numpy.float32)
                description = texture.TextureDescriptor(
                    [mode] * 3, linear, int(kind != 2), normalizedCoords=normalized, borderColors=(0.25, 5, -1, 2))
                fetched = texture.TextureObject(texture.ResourceDescriptor(0, cuArr=array), description)
                result = cupy.zeros((LANES, 4), numpy.float32)
                module.get_function("d%d" % len(size))((1,), (LANES,), (fetched.ptr, cupy.asarray(at), result))
                for a, b in zip(at, result.get()):
                    numbers = list(a.view(numpy.uint32)) + list(b.view(numpy.uint32))
                    out.write("%s,%d,%d,%d,%s\n" % (name, mode, linear, normalized,
                                                    ",".join("%08x" % number for number in numbers)))


count = numpy.arange
with open("texture_fetches_h100.csv", "w") as out:
    out.write("texels,mode,linear,normalized,x,y,z,r,g,b,a\n")
    record(out, "row", numpy.array([[10], [20], [40], [80]], numpy.float32))
    record(out, "plane", (count(60) * 37 % 101 / 7).astype(numpy.float32).reshape(5, 6, 2))
    record(out, "volume", (count(120) * 37 % 101).astype(numpy.float32).reshape(4, 5, 6, 1))
    record(out, "bytes", (count(60) * 37 % 256).astype(numpy.uint8).reshape(3, 5, 4))
    record(out, "shorts", (count(15) * 4999 % 65536).astype(numpy.uint16).view(numpy.int16).reshape(3, 5, 1))
