#!/usr/bin/env python3
"""Costate on Fortran that nobody here wrote: the operators and metrics of hydro-smash 1.3.0.

The package's source distribution is downloaded by name from the configured package index into a cache folder; nothing
of it is part of this project. Every procedure in `targets.py` is differentiated and verified (`costate check`), or must be
refused as it says there. All Fortran files of the package must be read, and of every procedure an adjoint must be made,
or it must be refused with a reason.

    hydro_smash.py --costate target/release/costate [--cache DIR] [--only TEXT] [--kind 4|8] [--turns] [--table FILE]

With `--turns` heads are verified in double and in single precision by turns, otherwise each of them in both.

Exit status: 0 all as expected, 1 something isn't, 75 the package is neither in the cache nor to be had.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import urllib.error
import urllib.parse
import urllib.request

from targets import GROUPS, REFUSED

PROJECT = "hydro-smash"
VERSION = "1.3.0"
ARCHIVE = "hydro_smash-1.3.0.tar.gz"
SHA256 = "873acf2debcd7959530c43914349660bb9e17acf20c25504569f9452323814c8"
NOT_TO_BE_HAD = 75
KINDS = (4, 8)


class Unreachable(Exception):
    """The package can't be downloaded."""


def index_url():
    """The package index that pip is set up to use."""
    for variable in ("PIP_INDEX_URL", "UV_INDEX_URL"):
        if os.environ.get(variable):
            return os.environ[variable]
    try:
        found = subprocess.run(
            [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, timeout=60
        )
        if found.returncode == 0 and found.stdout.strip():
            return found.stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        pass
    return "https://pypi.org/simple"


def get(url):
    request = urllib.request.Request(url, headers={"Accept": "text/html", "User-Agent": "costate-regression"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def download(archive):
    """The archive's file from the index's page: `pip download` would run the package's build for its metadata."""
    page = index_url().rstrip("/") + f"/{PROJECT}/"
    try:
        links = re.findall(r'href="([^"]+)"', get(page).decode())
        link = next((html.unescape(u) for u in links if ARCHIVE in u.split("#")[0]), None)
        if link is None:
            raise Unreachable(f"{page} doesn't list {ARCHIVE}")
        data = get(urllib.parse.urljoin(page, link.split("#")[0]))
    except (OSError, ValueError) as error:
        raise Unreachable(f"{page}: {error}") from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise Unreachable(f"{ARCHIVE} isn't the file that is expected here: its checksum differs")
    part = archive.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(archive)


def sources(cache):
    """The folder of the package's Fortran, unpacked from the archive."""
    cache.mkdir(parents=True, exist_ok=True)
    archive = cache / ARCHIVE
    if not archive.exists() or hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        download(archive)
    folder = cache / f"hydro_smash-{VERSION}"
    if not (folder / "complete").exists():
        with tarfile.open(archive) as tar:
            for member in tar:
                path = pathlib.PurePosixPath(member.name)
                if member.isfile() and path.suffix == ".f90" and ".." not in path.parts and not path.is_absolute():
                    target = cache / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(tar.extractfile(member).read())
        (folder / "complete").write_text(SHA256)
    return folder / "smash"


def in_double(fcore):
    """A copy of the module of kinds with `sp` as double precision: rounding hides little then."""
    text = (fcore / "common/md_constant.f90").read_text()
    changed = re.sub(r"(\bsp\s*=\s*)4\b", r"\g<1>8", text)
    if changed == text:
        raise SystemExit("md_constant.f90 has no `sp = 4`")
    target = fcore.parent.parent / "double" / "md_constant.f90"
    target.parent.mkdir(exist_ok=True)
    if not target.exists() or target.read_text() != changed:
        target.write_text(changed)
    return target


def closure(fcore, file, kind):
    """The files that a file needs, by their `use` statements."""
    defined = {}
    for path in sorted(fcore.glob("*/*.f90")):
        for name in re.findall(r"(?im)^\s*module\s+(\w+)\s*$", path.read_text()):
            defined[name.lower()] = path
    todo, found = [fcore / file], []
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.append(path)
        used = re.findall(r"(?im)^\s*use\s+(\w+)", path.read_text())
        todo.extend(defined[u.lower()] for u in used if u.lower() in defined)
    if kind == 8:
        double = in_double(fcore)
        found = [double if p.name == "md_constant.f90" else p for p in found]
    return [str(p) for p in sorted(found)]


def run(arguments, limit=300):
    """Status, standard output, standard error. A crash or an endless loop is a status too."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=limit)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return 124, "", f"no end within {limit} s"


def order_text(order):
    return f"{order['order']:.3f}" if order["kind"] == "power" and order["order"] is not None else order["kind"]


class Row:
    """One line of the table."""

    def __init__(self, kind, head, result, order="", dot=None, note="", expected=True):
        self.kind, self.head, self.result = kind, head, result
        self.order, self.dot, self.note, self.expected = order, dot, note, expected

    def text(self, width):
        mark = "" if self.expected else "  UNEXPECTED"
        dot = "" if self.dot is None else f"{self.dot:.1e}"
        return f"{self.kind}  {self.head:{width}}  {self.result:8}  {self.order:>8}  {dot:>9}  {self.note}{mark}"


def judged(kind, report):
    """The row of a verified head."""
    figures = [p["figures"] for p in report["pairs"] if p["figures"]["verdict"] != "no-influence"]
    dots = [f["dot_error"] for f in figures + [report["whole"]] if f["dot_error"] is not None]
    hidden = sum(f["verdict"] == "hidden" for f in figures)
    note = f"{len(figures)} of {len(report['pairs'])} pairs with influence"
    note += f", rounding errors hide {hidden}" if hidden else ""
    if not report["passed"]:
        wrong = [f"{p['output']}/{p['input']}" for p in report["pairs"] if p["figures"]["verdict"] == "wrong"]
        note = "; ".join([f["message"] for f in report["findings"]] + wrong)
    head = report["name"].split("(")[0]
    order = order_text(report["whole"]["order"])
    result = "right" if report["passed"] else "WRONG"
    return Row(kind, head, result, order, max(dots, default=None), note, report["passed"])


def first_diagnostic(text):
    for line in text.splitlines():
        if line.startswith("{") and '"severity"' in line:
            return json.loads(line)
    return {}


def dummies(file, heads):
    """The names of the heads' dummy arguments."""
    text = re.sub(r"&[ \t]*(?:![^\n]*)?\n\s*&?", " ", file.read_text().lower())
    lists = [re.search(rf"\b(?:subroutine|function)\s+{h.split('::')[1].split('(')[0]}\s*\(([^)]*)\)", text) for h in heads]
    return {name for found in lists if found for name in re.findall(r"\w+", found.group(1))}


def check_group(costate, fcore, kind, group, heads):
    """Verifies heads that stand in one file together: it is compiled once."""
    arguments = [costate, "check", *closure(fcore, group["file"], kind), "--cpp", "--message-format", "json"]
    # Compiling takes most of the time.
    arguments += ["--build", "optimised", "--fflags", "-O0", "--fc", os.environ.get("FC") or "gfortran"]
    for head in heads:
        arguments += ["--head", head]
    known = dummies(fcore / group["file"], heads)
    for option in ("value", "size"):
        for text in group.get(option, []):
            # A group's values are for all of its heads; what none of these few heads has would be refused.
            if re.split(r"[=%]", text)[0].lower() in known:
                arguments += [f"--{option}", text]
    status, out, err = run(arguments)
    lines = [line for line in out.splitlines() if line.startswith('{"seed"')]
    if status in (0, 1) and lines:
        return [judged(kind, report) for report in json.loads(lines[0])["heads"]]
    if len(heads) > 1:
        # One of them stands in the way of the others.
        return [row for head in heads for row in check_group(costate, fcore, kind, group, [head])]
    found = first_diagnostic(err + out)
    note = " ".join(f"{found.get('code', '')} {found.get('message', err.strip()[-300:])} {found.get('reason', '')[:200]}".split())
    return [Row(kind, heads[0].split("(")[0], "refused" if status == 3 else f"exit {status}", note=note, expected=False)]


# Heads that are verified together: more of them compile the sources less often, and leave less to do side by side.
TOGETHER = 8


def its_heads(group, kind, options):
    """The heads of a group that are verified with reals of a kind."""
    heads = [head for head in group["heads"] if options.only in head]
    kinds = group.get("kinds", KINDS)
    return heads[KINDS.index(kind) :: 2] if options.turns and len(kinds) == 2 else heads


def in_parts(group, heads):
    """The group with some of its heads at a time."""
    return [(group, heads[k : k + TOGETHER]) for k in range(0, len(heads), TOGETHER)]


def check_refused(costate, fcore, kind, entry):
    """A head that must be refused, with place and reason."""
    arguments = [costate, "adjoint", *closure(fcore, entry["file"], kind), "--cpp", "--message-format", "json"]
    out_dir = fcore.parent.parent / "refused"
    status, out, err = run([*arguments, "--head", entry["head"], "--out-dir", str(out_dir)])
    found = first_diagnostic(err + out)
    text = f"{found.get('code')} {found.get('message')}"
    placed = "line" in json.dumps(found) and bool(found.get("reason"))
    name = entry["head"].split("(")[0]
    expected = status == 3 and placed and re.search(entry["why"], text) is not None
    return Row(kind, name, "refused" if status == 3 else f"exit {status}", note=text, expected=expected)


def read_all(costate, folder):
    """Fortran files that aren't read to their end. A head that doesn't exist makes the tool stop after reading."""
    stopped = []
    files = sorted(folder.glob("**/*.f90"))
    for path in files:
        status, out, err = run([costate, "adjoint", str(path), "--cpp", "--head", "nothing_of_this_name", "--check-only"])
        if status != 3 or "C0301" not in err + out:
            stopped.append(f"{path.relative_to(folder)}: exit {status}")
    return len(files), stopped


BEGIN = re.compile(
    r"(?im)^\s*(?:(?:pure|elemental|recursive|integer|logical|(?:real|integer|logical)\(\w+\))\s+)*"
    r"(?:subroutine|function)\s+(\w+)"
)


def every_procedure(costate, fcore, pool):
    """The adjoint of every procedure of the sources: generated, or refused with a reason. Returns counts and failures."""
    files = [p for p in sorted(fcore.glob("*/*.f90")) if not p.name.startswith("forward")]
    heads = []
    for path in files:
        text = path.read_text()
        module = re.search(r"(?im)^\s*module\s+(\w+)\s*$", text)
        prefix = f"{module.group(1)}::" if module else ""
        needed = closure(fcore, path, 4)
        heads += [(prefix + name, needed) for name in BEGIN.findall(text)]
    out_dir = fcore.parent.parent / "every"

    def one(item):
        number, (head, needed) = item
        arguments = [costate, "adjoint", *needed, "--cpp", "--head", head, "--message-format", "json"]
        folder = out_dir / str(number % 8)
        folder.mkdir(parents=True, exist_ok=True)
        status, out, err = run([*arguments, "--out-dir", str(folder)])
        return head, status, first_diagnostic(err + out)

    done = list(pool.map(one, enumerate(heads)))
    failures = [f"{h}: exit {s} {d.get('message', '')}" for h, s, d in done if s != 0 and (s != 3 or not d.get("reason"))]
    refused = collections.Counter(d.get("code") for _, s, d in done if s == 3)
    codes = ", ".join(f"{n} {code}" for code, n in sorted(refused.items()))
    generated = sum(s == 0 for _, s, _ in done)
    return f"{len(done)} procedures: {generated} adjoints, {sum(refused.values())} refused ({codes})", failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--costate", required=True)
    parser.add_argument("--cache", default=os.environ.get("COSTATE_REAL_DIR", "target/real"))
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", type=int, choices=KINDS, action="append")
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--table")
    options = parser.parse_args()
    try:
        folder = sources(pathlib.Path(options.cache).absolute())
    except Unreachable as why:
        print(f"not run: {PROJECT} {VERSION} isn't in {options.cache} and can't be downloaded: {why}")
        return NOT_TO_BE_HAD
    fcore = folder / "fcore"
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for kind in sorted(options.kind or KINDS, reverse=True):
            chosen = [g for g in GROUPS if kind in g.get("kinds", KINDS)]
            parts = [part for g in chosen for part in in_parts(g, its_heads(g, kind, options))]
            # The longest are begun first, so that no processor waits for them at the end.
            order = sorted(range(len(parts)), key=lambda k: -len(parts[k][1]))
            tasks = {k: pool.submit(check_group, options.costate, fcore, kind, *parts[k]) for k in order}
            rows += [row for k in range(len(parts)) for row in tasks[k].result()]
        for entry in REFUSED:
            if options.only in entry["head"]:
                rows.append(check_refused(options.costate, fcore, 4, entry))
    width = max((len(r.head) for r in rows), default=0)
    lines = [row.text(width) for row in rows]
    bad = [row for row in rows if not row.expected]
    if not options.only:
        count, stopped = read_all(options.costate, folder)
        lines += [f"{count} files, {len(stopped)} of them not read to their end", *stopped]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            summary, failures = every_procedure(options.costate, fcore, pool)
        lines += [summary, *failures]
        bad += stopped + failures
    lines.append(f"{len(rows)} verified or refused, {len(bad)} not as expected")
    print("\n".join(lines))
    if options.table:
        pathlib.Path(options.table).write_text("\n".join(lines) + "\n")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
