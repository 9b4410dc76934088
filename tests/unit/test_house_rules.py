"""What no linter says: sizes, names, places, and that the pages name files that exist."""

from __future__ import annotations

import ast
import functools
import gc
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "wyoming_kokoro"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

BANNED_NAMES = {"utils", "helpers", "manager", "common", "base", "misc", "types", "const"}
HEAVY = {
    "numpy",
    "onnx",
    "onnxruntime",
    "torch",
    "spacy",
    "babel",
    "misaki",
    "phonemizer",
    "soundfile",
    "zeroconf",
    "wyoming",
    "s2_sdk",
}
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:work|root|tmp|home/\w+)/\w")
SLEEPS = {"time.sleep", "asyncio.sleep", "anyio.sleep"}


@functools.cache
def parsed(path: Path) -> ast.Module:
    """The file's syntax tree. Python 3.11 may fail where garbage with a finaliser is collected while it builds one."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tracked() -> list[Path]:
    """Everything that git knows of, or, outside a repository, every file that is not hidden."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not _is_hidden(path)]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(ROOT).parts)


def calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    return [(ast.unparse(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_module_holds_at_most_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_function_holds_at_most_40_lines(path: Path) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= 40
    ]
    assert not long


def test_a_module_is_named_for_its_concept() -> None:
    assert [relative(path) for path in SOURCES if {path.stem, path.parent.name} & BANNED_NAMES] == []


def test_every_module_says_what_it_is() -> None:
    assert [relative(path) for path in SOURCES if not ast.get_docstring(parsed(path))] == []


def test_nothing_but_the_root_may_look_like_an_app_to_the_supervisor() -> None:
    found = [path for path in tracked() if path.stem == "config" and path.suffix in {".yaml", ".yml", ".json"}]
    allowed = [path for path in found if path == ROOT / "config.yaml" or _is_hidden(path) or "rootfs" in path.parts]
    assert [relative(path) for path in found if path not in allowed] == []


def test_only_the_command_line_prints() -> None:
    printing = [
        relative(path)
        for path in SOURCES
        if PACKAGE / "cli" not in path.parents and any(name == "print" for name, _ in calls(parsed(path)))
    ]
    assert printing == []


def _sleeps(node: ast.AST) -> list[int]:
    """Lines that wait for time to pass; a clock's own `sleep` may, as somebody else decides what time it is."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "sleep":
        return []
    found = [line for child in ast.iter_child_nodes(node) for line in _sleeps(child)]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in SLEEPS and ast.unparse(node)[-3:] != "(0)":
        found.append(node.lineno)
    return found


ON_REAL_TIME = [path for path in TESTS if ROOT / "tests" / "simulation" not in path.parents]
"""The simulation sleeps on virtual time alone: an hour of it takes a second."""


@pytest.mark.parametrize("path", ON_REAL_TIME, ids=relative)
def test_no_test_sleeps(path: Path) -> None:
    assert _sleeps(parsed(path)) == []


def test_no_two_files_of_tests_have_the_same_name() -> None:
    names = [path.name for path in TESTS if path.name.startswith("test_")]
    assert sorted(names) == sorted(set(names))


def test_every_excuse_to_the_linter_has_its_reason_in_the_same_line() -> None:
    bare = [
        f"{relative(path)}:{number}"
        for path in [*SOURCES, *TESTS]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"#\s*noqa\b", line) and not re.search(r"#\s*noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*\W+\w+ \w+", line)
    ]
    assert bare == []


def test_the_package_excuses_no_type() -> None:
    assert [relative(path) for path in SOURCES if re.search(r"#\s*type:\s*ignore", path.read_text(encoding="utf-8"))] == []


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    texts = [
        path
        for path in tracked()
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".jsonl"} or not path.suffix
    ]
    named = [
        f"{relative(path)}:{number}"
        for path in texts
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if MACHINE_PATHS.search(line)
    ]
    assert named == []


def _named_files(page: Path) -> set[str]:
    """Paths in code spans and links of a page, as far as they begin like something of this repository."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    spans = re.findall(r"`([\w./-]+)`", text)
    links = [(page.parent / link).resolve() for link in re.findall(r"\]\(([\w./-]+)\)", text)]
    roots = ("wyoming_kokoro/", "docs/", "scripts/", "tests/", "benchmarks/", "native/", "addon/", ".ci/")
    return {span for span in spans if span.startswith(roots)} | {str(link.relative_to(ROOT)) for link in links}


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert sorted(name for name in _named_files(page) if not (ROOT / name).exists()) == []


@pytest.mark.parametrize(
    "module", ["wyoming_kokoro", "wyoming_kokoro.cli", "wyoming_kokoro.model.records", "wyoming_kokoro.settings"]
)
def test_importing_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert HEAVY.intersection(result.stdout.split()) == set()


def test_a_version_stands_in_the_changelog() -> None:
    from wyoming_kokoro import __version__

    # Home Assistant cuts the page at "# " and the version that is installed, to show what is new.
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def declared() -> dict[str, set[str]]:
    """Names of the packages that the project asks for, by extra; those of the default install under an empty name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: {re.split(r"[^\w-]", each)[0].lower() for each in group} for extra, group in groups.items()}


def test_every_dependency_has_its_reason() -> None:
    names = set().union(*(group for extra, group in declared().items() if extra != "dev"))
    reasons = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert sorted(name for name in names if f"`{name}`" not in reasons) == []


OUR_OWN = {"wyoming_kokoro", "tests", "benchmarks", "scripts"}


def _imports(path: Path) -> set[str]:
    nodes = list(ast.walk(parsed(path)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.split(".")[0] for name in plain | named} - OUR_OWN - sys.stdlib_module_names


@pytest.mark.parametrize(("folder", "has_tools"), [("wyoming_kokoro", False), ("tests", True)])
def test_every_library_that_is_imported_is_asked_for(folder: str, has_tools: bool) -> None:
    asked = set().union(*(group for extra, group in declared().items() if has_tools or extra != "dev"))
    makers = {name: {maker.lower() for maker in those} for name, those in packages_distributions().items()}
    imported = {name for path in (ROOT / folder).rglob("*.py") for name in _imports(path)}
    assert sorted(name for name in imported if not asked.intersection(makers.get(name, {name}))) == []
