"""layout.py - write a C program that prints the layout of all structs.

    python3 layout.py HEADER... >layout.c

The program prints the size and the offset of every field of every struct
that the headers define, and the value of every enumeration constant.  Built
with two versions of the headers, it shows how they differ.
"""

import re
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def field_names(body):
    for line in body.split(";"):
        line = re.sub(r"\[[^]]*\]", "", line).strip()
        pointer = re.match(r"[^(]*\(\*(\w+)\)\(", line)
        if pointer:
            yield pointer[1]
        elif line:
            for part in line.split(","):
                yield re.findall(r"\w+", part)[-1]


def main(paths):
    print("#include <stdio.h>\n#include <stddef.h>")
    lines = []
    for path in paths:
        with open(path) as f:
            text = without_comments(f.read())
        print(f'#include "{path}"')
        for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", text,
                                     re.S | re.M):
            for field in field_names(body):
                lines.append(f'printf("{name}.{field} %zu %zu\\n", '
                             f"offsetof(struct {name}, {field}), "
                             f"sizeof(((struct {name} *)0)->{field}));")
        for body in re.findall(r"^enum[^{;]*\{(.*?)\}", text, re.S | re.M):
            for constant in re.findall(r"\bCOOC_\w+", body):
                lines.append(f'printf("{constant} %d\\n", {constant});')
    print("int main(void)\n{")
    print("    " + "\n    ".join(lines))
    print("    return 0;\n}")


main(sys.argv[1:])
