#!/usr/bin/env python3
"""Makes an x86-64 program or shared library ask an older glibc for nothing that it does not have.

usage: older_glibc.py FROM TO --newest 2.28 --reviewed 2.36 --libc FOLDER [--library] [--without NAME]... [--optional PREFIX]...

Each symbol that is taken of glibc with a newer version is taken with its newest version up to --newest: glibc keeps the
old ones for programs that were linked long ago, and those of this machine, in FOLDER, tell which there are. What had no
older version is refused in a program, which has to define it (workers/older_glibc), and left without a version in a
--library: the program that loads it has it. Libraries whose names begin as --without says are no longer asked for, and their symbols have
no version; symbols that begin with an --optional prefix may be absent. Everything is changed in place: nothing moves in the file.
A symbol with a version after --reviewed is refused: somebody has to look whether its old version takes the same arguments.
docs/nodes.md says what is edited and why the linker can't do it.
"""

import argparse
import os
import re
import struct
import sys

UNVERSIONED = 1  # VER_NDX_GLOBAL


class Elf:
    """The dynamic symbols of a 64-bit little-endian ELF file, and the versions that they need or define."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = bytearray(file.read())
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: no 64-bit ELF file")
        self.path = path
        (offset,), (size, count, names) = self.read("Q", 40), self.read("HHH", 58)
        headers = [(offset + i * size, self.read("IIQQQQIIQQ", offset + i * size)) for i in range(count)]
        text_at = headers[names][1][4]
        self.sections = {self.text(text_at + header[0]): (at, header) for at, header in headers}
        self.strings = self.place(".dynstr")[0]
        self.versions = self.place(".gnu.version")[0]

    def read(self, form, at):
        return struct.unpack_from("<" + form, self.bytes, at)

    def write(self, form, at, *values):
        struct.pack_into("<" + form, self.bytes, at, *values)

    def text(self, at):
        return self.bytes[at:self.bytes.index(0, at)].decode()

    def string_place(self, text):
        """Where this string, or one that ends so, stands among those of the dynamic symbols, from their begin."""
        begin, size = self.place(".dynstr")
        found = self.bytes.find(text.encode() + b"\0", begin, begin + size)
        return found - begin if found >= 0 else None

    def place(self, section):
        """Where it begins and how long it is; nothing has no length."""
        header = self.sections.get(section, (0, (0,) * 10))[1]
        return header[4], header[5]

    def symbols(self):
        """Of each dynamic symbol: where it stands, its name, whether another file defines it, where its version stands."""
        begin, size = self.place(".dynsym")
        for number in range(1, size // 24):
            at = begin + number * 24
            name, _, _, section = self.read("IBBH", at)
            yield at, self.text(self.strings + name), section == 0, self.versions + number * 2

    def chain(self, at, next_at):
        """The places of a linked list of records: each has, at next_at, how far the next is, or 0."""
        while True:
            yield at
            (step,) = self.read("I", at + next_at)
            if step == 0:
                return
            at += step

    def defined(self):
        """(symbol, version) of what this library offers."""
        at, size = self.place(".gnu.version_d")
        names = {}
        for record in self.chain(at, 16) if size else ():
            _, _, number, _, _, first = self.read("HHHHII", record)
            names[number] = self.text(self.strings + self.read("I", record + first)[0])
        for _, name, undefined, version in self.symbols():
            number = self.read("H", version)[0] & 0x7fff
            if not undefined and number in names:
                yield name, names[number]

    def needed(self):
        """Of each library that versions are needed of: where it stands, its name, and the places of those versions."""
        at, size = self.place(".gnu.version_r")
        for record in self.chain(at, 12) if size else ():
            _, count, file, first, _ = self.read("HHIII", record)
            versions = list(self.chain(record + first, 12)) if count else []
            yield record, self.text(self.strings + file), versions

    def version_name(self, at):
        return self.text(self.strings + self.read("I", at + 8)[0])


def elf_hash(text):
    """As the ELF specification has it for the names of versions."""
    value = 0
    for byte in text.encode():
        value = (value << 4) + byte
        high = value & 0xf0000000
        value = (value ^ high >> 24) & ~high
    return value


def release(version):
    """GLIBC_2.3.4 → (2, 3, 4); nothing for versions that are no release's."""
    found = re.fullmatch(r"GLIBC_([0-9.]+)", version)
    return tuple(map(int, found.group(1).split("."))) if found else None


def offers(folder, newest):
    """symbol → its newest version up to `newest`, by the libraries of glibc in the folder."""
    best = {}
    for library in ("libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"):
        for name, version in Elf(os.path.join(folder, library)).defined():
            age = release(version)
            if age and age <= newest and age > (release(best[name]) if name in best else ()):
                best[name] = version
    return best


def relink(elf, records, field):
    """Makes records follow each other, the last ending the list; `field` is where each says how far the next is."""
    for record, following in zip(records, records[1:] + [None]):
        elf.write("I", record + field, following - record if following else 0)


def check_reviewed(elf, places, reviewed):
    """Refuses symbols with versions of a glibc that nobody has looked at."""
    numbers = {elf.read("H", place + 6)[0]: elf.version_name(place) for place in places}
    for _, name, undefined, version in elf.symbols():
        wanted = numbers.get(elf.read("H", version)[0], "") if undefined else ""
        if (release(wanted) or ()) > reviewed:
            sys.exit(f"{elf.path}: {name} is of {wanted}, a glibc that has not been reviewed: see in glibc's NEWS whether the older "
                     "version of it takes the same arguments, then raise RV_REVIEWED_GLIBC in cmake/older_glibc.cmake")


def take_older(elf, library, old, newest, may_lack):
    """Of one library: every symbol that needs a newer version gets an older one. True if versions are left."""
    record, _, places = library
    names = {place: elf.version_name(place) for place in places}
    newer = [place for place in places if (release(names[place]) or ()) > newest]
    kept = [place for place in places if place not in newer]
    numbers = {elf.read("H", place + 6)[0]: place for place in newer}
    free = list(newer)
    for _, name, undefined, version in elf.symbols():
        if not undefined or elf.read("H", version)[0] not in numbers:
            continue
        wanted = old.get(name)
        if wanted is None:
            if not may_lack:
                sys.exit(f"{elf.path}: {name} is of {names[numbers[elf.read('H', version)[0]]]}, and older glibcs lack it: "
                         "define it in workers/older_glibc/missing_functions.cpp")
            elf.write("H", version, UNVERSIONED)
            continue
        same = [place for place in kept if elf.version_name(place) == wanted]
        if not same:
            # The record of a version that nothing needs any more becomes this one, under a number of its own.
            text = elf.string_place(wanted)
            if text is None or not free:
                sys.exit(f"{elf.path}: {name} has to become one of {wanted}, which stands nowhere among its names: "
                         "add it in workers/older_glibc/missing_functions.cpp")
            taken = free.pop()
            spare = max(elf.read("H", at + 6)[0] for _, _, others in elf.needed() for at in others) + 1
            elf.write("IHHI", taken, elf_hash(wanted), 0, spare, text)
            kept.append(taken)
            same = [taken]
        elf.write("H", version, *elf.read("H", same[0] + 6))
    elf.write("H", record + 2, len(kept))
    if kept:
        kept.sort()
        elf.write("I", record + 8, kept[0] - record)
        relink(elf, kept, 12)
    return bool(kept)


def leave_out(elf, libraries, optional):
    """No longer asks for these libraries; symbols of theirs have no version."""
    numbers = {elf.read("H", at + 6)[0] for _, name, places in elf.needed() if name.startswith(libraries) for at in places}
    for at, name, undefined, version in elf.symbols():
        if undefined and elf.read("H", version)[0] in numbers:
            elf.write("H", version, UNVERSIONED)
        if undefined and name.startswith(tuple(optional)):
            elf.write("B", at + 4, 2 << 4 | elf.read("B", at + 4)[0] & 15)  # STB_WEAK
    begin, size = elf.place(".dynamic")
    entries = [elf.read("QQ", at) for at in range(begin, begin + size, 16)]
    kept = [entry for entry in entries if entry[0] != 1 or not elf.text(elf.strings + entry[1]).startswith(libraries)]
    kept += [(0, 0)] * (len(entries) - len(kept))
    for number, entry in enumerate(kept):
        elf.write("QQ", begin + number * 16, *entry)


def set_list(elf, records):
    """These are all libraries that versions are needed of: in the dynamic section, and for tools in the section's header."""
    relink(elf, records, 12)
    header, (_, _, _, address, offset, size, *_) = elf.sections[".gnu.version_r"]
    skipped = records[0] - offset
    elf.write("QQQI", header + 16, address + skipped, offset + skipped, size - skipped, elf.read("I", header + 40)[0])
    elf.write("I", header + 44, len(records))
    begin, size = elf.place(".dynamic")
    for at in range(begin, begin + size, 16):
        tag = elf.read("Q", at)[0]
        if tag == 0x6ffffffe:  # DT_VERNEED
            elf.write("Q", at + 8, address + skipped)
        if tag == 0x6fffffff:  # DT_VERNEEDNUM
            elf.write("Q", at + 8, len(records))


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("source")
    arguments.add_argument("target")
    arguments.add_argument("--newest", required=True)
    arguments.add_argument("--reviewed", required=True)
    arguments.add_argument("--libc", required=True)
    arguments.add_argument("--library", action="store_true")
    arguments.add_argument("--without", action="append", default=[])
    arguments.add_argument("--optional", action="append", default=[])
    given = arguments.parse_args()
    newest = release("GLIBC_" + given.newest)
    old = offers(given.libc, newest)
    elf = Elf(given.source)
    left_out = tuple(given.without)
    leave_out(elf, left_out, given.optional)
    libraries = [library for library in elf.needed() if not library[1].startswith(left_out)]
    for _, _, places in libraries:
        check_reviewed(elf, places, release("GLIBC_" + given.reviewed))
    kept = [library[0] for library in libraries if take_older(elf, library, old, newest, given.library)]
    set_list(elf, kept)
    mode = os.stat(given.source).st_mode
    with open(given.target, "wb") as file:
        file.write(elf.bytes)
    os.chmod(given.target, mode)


if __name__ == "__main__":
    main()
