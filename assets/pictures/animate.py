"""Joins PNG files of one size into an animated one: animate.py FOLDER OUT.png MILLISECONDS

Each frame holds only the rectangle that changed, and in it pixels that did not change are transparent. PNG
Specification (Third Edition), 4.9 and 11.3.5: acTL, fcTL, fdAT.
"""

import pathlib
import struct
import sys
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length


def unfiltered(kind, line, above, size):
    """A row of samples from its filtered form (PNG, 9.2)."""
    if kind == 0:
        return bytearray(line)
    row = bytearray(line)
    for i in range(len(row)):
        left = row[i - size] if i >= size else 0
        up = above[i]
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        else:
            corner = above[i - size] if i >= size else 0
            guess = left + up - corner
            far = abs(guess - left), abs(guess - up), abs(guess - corner)
            add = (left, up, corner)[far.index(min(far))]
        row[i] = (row[i] + add) & 255
    return row


def read(path):
    """Width, height, bytes a pixel, rows; 8 bits a sample, RGB or RGBA, not interlaced."""
    packed = b""
    for name, content in chunks(path.read_bytes()):
        if name == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", content)
        elif name == b"IDAT":
            packed += content
    if depth != 8 or color not in (2, 6) or interlaced:
        sys.exit(f"{path}: only 8-bit RGB or RGBA without interlacing can be joined")
    size = 3 if color == 2 else 4
    data = zlib.decompress(packed)
    stride = width * size
    rows, above = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = unfiltered(data[start], data[start + 1 : start + 1 + stride], above, size)
        rows.append(bytes(above))
    return width, height, size, rows


def packed(rows):
    """Without filters: what did not change is a run of zeros."""
    return zlib.compress(b"".join(b"\0" + row for row in rows), 9)


def opaque(row, size):
    """RGBA, all of it to be seen."""
    return b"".join(row[i : i + 3] + b"\xff" for i in range(0, len(row), size))


def overlay(before, after, size):
    """RGBA, only what differs to be seen."""
    return b"".join(
        b"\0\0\0\0" if before[i : i + 3] == after[i : i + 3] else after[i : i + 3] + b"\xff"
        for i in range(0, len(after), size)
    )


def changed(before, after, size):
    """The rectangle (x, y, width, height) in pixels outside which nothing differs; one pixel where nothing does."""
    ys = [y for y in range(len(after)) if before[y] != after[y]]
    if not ys:
        return 0, 0, 1, 1
    left, right = len(after[0]), 0
    for y in ys:
        a, b = before[y], after[y]
        first = next(i for i in range(len(b)) if a[i] != b[i])
        last = next(i for i in range(len(b) - 1, -1, -1) if a[i] != b[i])
        left, right = min(left, first // size), max(right, last // size + 1)
    return left, ys[0], right - left, ys[-1] + 1 - ys[0]


def main():
    folder, out, milliseconds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    frames = []
    for path in sorted(folder.glob("*.png")):
        width, height, size, rows = read(path)
        if not frames or frames[-1][0] != rows:  # the same picture again says nothing new
            frames.append([rows, milliseconds])
    if not frames:
        sys.exit(f"{folder}: no PNG files")
    frames[0][1] = frames[-1][1] = 4 * milliseconds

    file = bytearray(b"\x89PNG\r\n\x1a\n")

    def add(name, content):
        body = name + content
        file.extend(struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body)))

    add(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    add(b"acTL", struct.pack(">II", len(frames), 0))
    sequence, before = 0, None
    for rows, delay in frames:
        x, y, w, h = (0, 0, width, height) if before is None else changed(before, rows, size)
        over = 0 if before is None else 1
        add(b"fcTL", struct.pack(">IIIIIHHBB", sequence, w, h, x, y, delay, 1000, 0, over))
        sequence += 1
        here, there = x * size, (x + w) * size
        if before is None:
            content = packed([opaque(row, size) for row in rows])
        else:
            content = packed([overlay(before[i][here:there], rows[i][here:there], size) for i in range(y, y + h)])
        if before is None:
            add(b"IDAT", content)
        else:
            add(b"fdAT", struct.pack(">I", sequence) + content)
            sequence += 1
        before = rows
    add(b"IEND", b"")
    out.write_bytes(file)
    print(f"{out}: {len(frames)} frames, {len(file)} bytes")


main()
