"""power_loss.py - the possible contents of a disk after a power failure.

faults.so (tests/abuse/faults.c) records every call of a command that changes
files, with its data.  Disk replays the record on a model of a disk that
guarantees no more than POSIX does:

- data and names that were synced with fsync() are kept, and nothing else must
  be;
- of the bytes written to a file since its last sync, all, none or half may be
  kept, or only the new length, with zeros in place of the bytes;
- each creation, change and removal of a name in a directory since its last
  sync may be kept or lost: first every prefix of the sequence of changes, then
  any subset of them.  One rename() is one change; directories and files are
  independent of each other.

states() yields all trees that are possible at the moment, or many of them.
"""

import itertools
import os
import random
import shutil
import struct

HEAD = struct.Struct("<qq6QQQQ")
NAMES = {0: "read", 1: "write", 2: "open", 3: "close", 9: "mmap",
         18: "pwrite", 20: "writev", 26: "msync", 74: "fsync",
         75: "fsync", 77: "ftruncate", 82: "rename", 83: "mkdir",
         84: "unlink", 85: "creat", 86: "link", 87: "unlink",
         257: "openat", 258: "mkdirat", 263: "unlinkat", 264: "renameat",
         265: "linkat", 285: "fallocate", 296: "pwritev", 316: "renameat2",
         76: "truncate"}
CHANGES = ("write", "pwrite", "writev", "pwritev", "ftruncate", "fallocate",
           "rename", "renameat", "renameat2", "mkdir", "mkdirat", "unlink",
           "unlinkat", "link", "linkat", "open", "openat", "creat", "fsync")
AT_FDCWD, O_TMPFILE, MAP_SHARED, PROT_WRITE = -100, 0o20200000, 1, 2
EXCHANGE, KEEP_SIZE = 2, 1
MAX_ORDERED, UNORDERED = 64, 6          # number of choices tried per moment
FILES = ("all", "none", "half", "zeros")


def calls(path):
    """Read the record: name, result, arguments, two paths, data."""
    with open(path, "rb") as f:
        while head := f.read(HEAD.size):
            number, result, *rest = HEAD.unpack(head)
            one, two, data = (f.read(n) for n in rest[6:])
            yield (NAMES[number], result, rest[:6], os.fsdecode(one),
                   os.fsdecode(two), data)


def signed(value):
    """An argument as a C int."""
    return struct.unpack("<i", struct.pack("<I", value & 0xffffffff))[0]


class File:
    def __init__(self, data=b""):
        self.data, self.durable, self.pending = bytearray(data), data, []

    def change(self, at, data, size=None):
        """Write data, or set the size."""
        self.pending.append((at, data, size))
        apply(self.data, at, data, size)

    def sync(self):
        self.durable, self.pending = bytes(self.data), []

    def after(self, how):
        """Possible contents of the file after a power failure."""
        if not self.pending or how == "all":
            return bytes(self.data)
        if how == "none":
            return self.durable
        old = bytearray(self.durable)
        if how == "zeros":
            apply(old, 0, b"", len(self.data))
            return bytes(old)
        some = self.pending[:(len(self.pending) + 1) // 2]
        for at, data, size in some[:-1]:
            apply(old, at, data, size)
        at, data, size = some[-1]
        apply(old, at, data[:len(data) // 2], size)
        return bytes(old)


def apply(old, at, data, size):
    end = size if size is not None else max(len(old), at + len(data))
    old.extend(bytes(max(0, end - len(old))))
    del old[end:]
    old[at:at + len(data)] = data


class Directory:
    def __init__(self):
        self.names, self.durable, self.pending = {}, {}, []

    def change(self, **names):
        self.pending.append(names)
        update(self.names, names)

    def sync(self):
        self.durable, self.pending = dict(self.names), []

    def after(self, chosen):
        """Names in the directory if these changes were kept."""
        names = dict(self.durable)
        for change in chosen:
            update(names, change)
        return names


def update(names, change):
    for name, node in change.items():
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node


class Disk:
    def __init__(self, files, cwd, lies=()):
        self.cwd, self.root, self.lies = cwd, Directory(), lies
        for name in sorted(files):
            parent, base = self.find_parent(name)
            node = Directory() if files[name] is None else File(files[name])
            parent.change(**{base: node})
        self.open, self.directories = {}, []
        self.sync_all(self.root)

    def sync_all(self, node):
        node.sync()
        if isinstance(node, Directory):
            self.directories.append(node)
            for child in node.names.values():
                self.sync_all(child)

    # ---- names

    def find_parent(self, path, fd=AT_FDCWD):
        """The directory of a path and the name in it; None if elsewhere."""
        start, at = self.root, path
        if os.path.isabs(path):
            at = os.path.relpath(path, self.cwd)
        elif fd != AT_FDCWD:
            start = self.open[fd][0]
        if start is None or at.startswith(".."):
            return None, None
        *above, base = os.path.normpath(at).split("/")
        for name in above:
            start = start.names[name]
        return start, base

    def find(self, path, fd=AT_FDCWD):
        parent, base = self.find_parent(path, fd)
        if base == ".":
            return parent
        return parent.names.get(base) if parent else None

    # ---- calls

    def replay(self, call):
        """Replay a call; return whether it changed what can be lost."""
        name, result, args, one, two, data = call
        if result < 0:
            return False
        if name == "creat":
            args = [args[0], os.O_CREAT | os.O_TRUNC | os.O_WRONLY]
            name = "open"
        getattr(self, "do_" + name)(result, args, one, two, data)
        return name in CHANGES

    def do_open(self, fd, args, path, _two, _data):
        self.opened(fd, path, AT_FDCWD, args[1])

    def do_openat(self, fd, args, path, _two, _data):
        self.opened(fd, path, signed(args[0]), args[2])

    def opened(self, fd, path, at, flags):
        if flags & O_TMPFILE == O_TMPFILE:
            self.open[fd] = [File(), 0]         # it never has a name
            return
        parent, base = self.find_parent(path, at)
        node = self.find(path, at)
        if parent is not None and node is None and flags & os.O_CREAT:
            node = File()
            parent.change(**{base: node})
        elif isinstance(node, File) and flags & os.O_TRUNC:
            node.change(0, b"", 0)
        self.open[fd] = [node, 0]

    def do_close(self, _result, args, *_):
        self.open.pop(signed(args[0]), None)

    def do_write(self, _result, args, _one, _two, data):
        entry = self.open.get(signed(args[0]))
        if entry and isinstance(entry[0], File):
            entry[0].change(entry[1], data)
            entry[1] += len(data)

    do_writev = do_write

    def do_pwrite(self, _result, args, _one, _two, data):
        node = self.open.get(signed(args[0]), [None])[0]
        if node:
            node.change(args[3], data)

    do_pwritev = do_pwrite

    def do_ftruncate(self, _result, args, *_):
        node = self.open[signed(args[0])][0]
        if node:
            node.change(0, b"", args[1])

    def do_fallocate(self, _result, args, *_):
        node = self.open[signed(args[0])][0]
        if node and not args[1] & KEEP_SIZE:
            node.change(0, b"", max(len(node.data), args[2] + args[3]))

    def do_fsync(self, _result, args, *_):
        node = self.open[signed(args[0])][0]
        if node and not isinstance(node, self.lies):
            node.sync()

    def do_mmap(self, _result, args, *_):
        if signed(args[4]) < 0:                     # memory without a file
            return
        if args[2] & PROT_WRITE and args[3] & MAP_SHARED:
            node = self.open[signed(args[4])][0]
            named = any(node is n for d in self.directories
                        for n in d.names.values())
            assert not named, "a file with a name is written through a map"

    def do_mkdir(self, _result, args, path, _two, _data, at=AT_FDCWD):
        parent, base = self.find_parent(path, at)
        if parent:
            node = Directory()
            self.directories.append(node)
            parent.change(**{base: node})

    def do_mkdirat(self, result, args, path, two, data):
        self.do_mkdir(result, args, path, two, data, signed(args[0]))

    def do_unlink(self, _result, _args, path, _two, _data, at=AT_FDCWD):
        parent, base = self.find_parent(path, at)
        if parent:
            parent.change(**{base: None})

    def do_unlinkat(self, result, args, path, two, data):
        self.do_unlink(result, args, path, two, data, signed(args[0]))

    def do_rename(self, _result, _args, one, two, _data, exchange=False,
                  at=AT_FDCWD, to=AT_FDCWD):
        old, base = self.find_parent(one, at)
        new, name = self.find_parent(two, to)
        assert old is new, "a name moves to another directory"
        if old:
            old.change(**{base: old.names[name] if exchange else None,
                          name: old.names[base]})

    def do_link(self, _result, _args, one, two, _data, at=AT_FDCWD,
                to=AT_FDCWD):
        parent, name = self.find_parent(two, to)
        if parent:
            parent.change(**{name: self.find(one, at)})

    def do_linkat(self, result, args, one, two, data):
        self.do_link(result, args, one, two, data, signed(args[0]),
                     signed(args[2]))

    def do_renameat(self, result, args, one, two, data):
        self.do_rename(result, args, one, two, data, at=signed(args[0]),
                       to=signed(args[2]))

    def do_renameat2(self, result, args, one, two, data):
        self.do_rename(result, args, one, two, data, bool(args[4] & EXCHANGE),
                       signed(args[0]), signed(args[2]))

    # ---- after a power failure

    def choices(self, draw):
        """Possible selections of kept changes: one list per directory."""
        pending = [d.pending for d in self.directories]
        prefixes = [range(len(p) + 1) for p in pending]
        many = 1
        for p in prefixes:
            many *= len(p)
        if many <= MAX_ORDERED:
            ordered = itertools.product(*prefixes)
        else:
            ordered = [[len(p) for p in pending], [0] * len(pending)] + \
                [[draw.choice(p) for p in prefixes]
                 for _ in range(MAX_ORDERED)]
        for lengths in ordered:
            yield [p[:n] for p, n in zip(pending, lengths)]
        for _ in range(UNORDERED if sum(map(len, pending)) > 1 else 0):
            yield [[c for c in p if draw.random() < 0.5] for p in pending]

    def states(self, draw):
        """Possible trees, some of them several times."""
        for chosen in self.choices(draw):
            chosen = {id(d): d.after(c)
                      for d, c in zip(self.directories, chosen)}
            dirty = []
            files = collect(self.root, chosen, "", {}, dirty)
            for how in FILES if dirty else FILES[:1]:
                yield {n: f.after(how) if f else None
                       for n, f in files.items()}
            for _ in range(len(dirty) - 1):
                yield {n: f.after(draw.choice(FILES)) if f else None
                       for n, f in files.items()}


def collect(directory, chosen, path, files, dirty):
    for name, node in chosen[id(directory)].items():
        files[path + name] = node if isinstance(node, File) else None
        if isinstance(node, Directory):
            collect(node, chosen, f"{path}{name}/", files, dirty)
        elif node.pending:
            dirty.append(node)
    return files


def put(files, at, keep):
    """Write a tree to disk; files to keep remain the same files."""
    for name in os.listdir(at):
        if name in keep:
            continue
        if os.path.isdir(f"{at}/{name}"):
            shutil.rmtree(f"{at}/{name}")
        else:
            os.unlink(f"{at}/{name}")
    for name in sorted(files):
        if name.split("/")[0] in keep:
            continue
        if files[name] is None:
            os.mkdir(f"{at}/{name}")
        else:
            with open(f"{at}/{name}", "wb") as f:
                f.write(files[name])


def losses(record, before, cwd, seed=1, lies=()):
    """(moment, tree) for every moment of a record, each tree once.  The disk
    only pretends to sync objects of the class lies, File or Directory."""
    disk, draw, seen = Disk(before, cwd, lies), random.Random(seed), set()
    for moment, call in enumerate(calls(record)):
        if disk.replay(call):
            for files in disk.states(draw):
                key = hash(tuple(sorted(
                    (n, None if d is None else hash(d))
                    for n, d in files.items())))
                if key not in seen:
                    seen.add(key)
                    yield moment, files


def endings(record, before, cwd, seed=1, lies=()):
    """Possible trees after the command has ended."""
    disk = Disk(before, cwd, lies)
    for call in calls(record):
        disk.replay(call)
    return disk.states(random.Random(seed))
