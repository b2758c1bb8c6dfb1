#!/usr/bin/env python3
"""Sizes of generated adjoints beside those that hydro-smash ships, which Tapenade 3.16 made of the same procedures.

    sizes.py --costate target/release/costate [--cache DIR]

Counted are executable statements of `p_b`, and all its lines without comments and blank ones. Activity isn't quite the same: the package's
heads reach some procedures with fewer active arguments.
"""

import argparse
import os
import pathlib
import re
import tempfile

from hydro_smash import closure, run, sources
from targets import GROUPS


def procedures(text):
    """Executable statements and lines of each subroutine `*_b`, by its name in small letters."""
    found, name, statements, lines, continued = {}, None, 0, 0, False
    for line in text.splitlines():
        code = line.strip().lower()
        if not code or code.startswith("!"):
            continue
        begin = re.match(r"subroutine\s+(\w+_b)\b", code)
        if begin and name is None:
            name, statements, lines, continued = begin.group(1), 0, 0, False
        if name is None:
            continue
        lines += 1
        declares = "::" in code or re.match(r"(use|implicit|intrinsic|external|subroutine|end\s*subroutine)\b", code)
        statements += 0 if continued or declares else 1
        continued = code.split("!")[0].rstrip().endswith("&")
        if re.match(rf"end\s*subroutine\s+{name}\b", code):
            found[name] = (statements, lines)
            name = None
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--costate", required=True)
    parser.add_argument("--cache", default=os.environ.get("COSTATE_REAL_DIR", "target/real"))
    options = parser.parse_args()
    fcore = sources(pathlib.Path(options.cache).absolute()) / "fcore"
    theirs = procedures((fcore / "forward/forward_db.f90").read_text())
    total = [0, 0, 0, 0]
    print(f"{'procedure':36}  {'statements':>21}  {'lines':>21}")
    print(f"{'':36}  {'costate':>10} {'tapenade':>10}  {'costate':>10} {'tapenade':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for head, file in [(h, g["file"]) for g in GROUPS for h in g["heads"]]:
            name = head.split("::")[1].split("(")[0]
            out = pathlib.Path(folder) / f"{name}_b.f90"
            status, _, err = run(
                [options.costate, "adjoint", *closure(fcore, file, 4), "--cpp", "--head", head, "-o", str(out)]
            )
            if status != 0:
                print(f"{name:36}  exit {status}: {err.splitlines()[0] if err else ''}")
                continue
            ours = procedures(out.read_text()).get(f"{name}_b")
            other = theirs.get(f"{name}_b")
            if ours is None or other is None:
                print(f"{name:36}  {ours and ours[0] or '-':>10} {'-':>10}  {ours and ours[1] or '-':>10} {'-':>10}")
                continue
            print(f"{name:36}  {ours[0]:10} {other[0]:10}  {ours[1]:10} {other[1]:10}")
            for i, n in enumerate((ours[0], other[0], ours[1], other[1])):
                total[i] += n
    print(f"{'all of both':36}  {total[0]:10} {total[1]:10}  {total[2]:10} {total[3]:10}")


if __name__ == "__main__":
    main()
