"""The shape of a package in numbers: sizes, types, docstrings, excuses, import cycles. It parses and never imports.

usage: python scripts/shape.py PACKAGE_DIR [TESTS_DIR]
"""

from __future__ import annotations

import ast
import re
import statistics
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
EXCUSES = {
    "type: ignore": r"#\s*type:\s*ignore",
    "noqa": r"#\s*noqa",
    "TODO/FIXME": r"#.*\b(TODO|FIXME)\b",
}


@dataclass(frozen=True)
class Function:
    """One function and where it stands."""

    place: str
    node: FunctionNode

    @property
    def lines(self) -> int:
        """From `def` to the last line of the body, docstring included."""
        return (self.node.end_lineno or self.node.lineno) - self.node.lineno + 1

    @property
    def is_typed(self) -> bool:
        """Whether the return and all arguments (but self and cls) are annotated."""
        taken = self.node.args
        every = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, *filter(None, [taken.vararg, taken.kwarg])]
        return self.node.returns is not None and all(each.annotation or each.arg in ("self", "cls") for each in every)


@dataclass(frozen=True)
class Module:
    """One file."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def lines(self) -> int:
        """How many lines it has."""
        return len(self.text.splitlines())

    def functions(self) -> Iterator[Function]:
        """Every function, methods and inner ones included."""
        for node in ast.walk(self.tree):
            if isinstance(node, FunctionNode):
                yield Function(f"{self.name}.{node.name}", node)

    def imports(self, names: set[str]) -> set[str]:
        """The modules among `names` that it imports when it is imported itself."""
        found: set[str] = set()
        for node in _run_at_import(self.tree.body):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {each if (each := f"{node.module}.{alias.name}") in names else node.module for alias in node.names}
        return (found & names) - {self.name}


def read_modules(folder: Path) -> list[Module]:
    """Every Python file below a package's folder."""
    return [Module(_module_name(path, folder), path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]


def _module_name(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _run_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported: no function's body, nothing under TYPE_CHECKING."""
    for node in body:
        yield node
        if isinstance(node, FunctionNode) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            continue
        for block in ("body", "orelse", "finalbody"):
            yield from _run_at_import(getattr(node, block, []))


def cycles(modules: list[Module]) -> list[list[str]]:
    """Groups of modules that import each other, round and round."""
    names = {module.name for module in modules}
    arrows = {module.name: module.imports(names) for module in modules}
    reach = {name: _reachable(name, arrows) for name in names}
    groups = {tuple(sorted({name} | {other for other in reach[name] if name in reach[other]})) for name in names}
    return [list(group) for group in sorted(groups) if len(group) > 1]


def _reachable(start: str, arrows: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo = list(arrows[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += arrows[name]
    return seen


def p90(values: list[int]) -> int:
    """The value that nine in ten stay at or below."""
    return sorted(values)[max(0, -(-9 * len(values) // 10) - 1)]


def _sizes(modules: list[Module], functions: list[Function]) -> Iterator[str]:
    module_lines = [module.lines for module in modules if module.lines > 5] or [0]
    yield f"module lines: median {statistics.median(module_lines):g}, p90 {p90(module_lines)}, max {max(module_lines)}"
    lines = [function.lines for function in functions] or [0]
    over = sum(line > 60 for line in lines)
    yield f"function lines: median {statistics.median(lines):g}, p90 {p90(lines)}, over 60: {over}"
    longest = sorted(functions, key=lambda function: -function.lines)[:3]
    yield "longest: " + ", ".join(f"{function.place} ({function.lines})" for function in longest)


def _shares(modules: list[Module], functions: list[Function]) -> Iterator[str]:
    of = max(1, len(functions))
    typed = sum(function.is_typed for function in functions)
    told = sum(ast.get_docstring(function.node) is not None for function in functions)
    every = [line for module in modules for line in module.text.splitlines()]
    comments = sum(line.lstrip().startswith("#") for line in every)
    share = comments / max(1, len(every))
    yield f"typed functions: {typed / of:.0%}; with a docstring: {told / of:.0%}; comment lines: {share:.1%}"


def _excuses(modules: list[Module]) -> Iterator[str]:
    counts = {name: sum(len(re.findall(pattern, module.text)) for module in modules) for name, pattern in EXCUSES.items()}
    counts["print()"] = sum(_is_call(node, "print") for node in _nodes(modules))
    yield ", ".join(f"{name}: {count}" for name, count in counts.items())


def _risks(modules: list[Module]) -> Iterator[str]:
    nodes = list(_nodes(modules))
    errors = sum(isinstance(node, ast.ClassDef) and node.name.endswith("Error") for node in nodes)
    broad = sum(isinstance(node, ast.ExceptHandler) and _is_broad(node) for node in nodes)
    tasks = [node for node in nodes if isinstance(node, ast.Call) and _is_call(node, "create_task")]
    unnamed = sum("name" not in {keyword.arg for keyword in task.keywords} for task in tasks)
    yield f"error classes: {errors}; broad excepts: {broad}; create_task: {len(tasks)}, unnamed: {unnamed}"


def _nodes(modules: list[Module]) -> Iterator[ast.AST]:
    for module in modules:
        yield from ast.walk(module.tree)


def _is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and name == getattr(node.func, "id", getattr(node.func, "attr", None))


def _is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or bool({"Exception", "BaseException"} & set(re.findall(r"\w+", ast.unparse(handler.type))))


def report(package: Path, tests: Path | None) -> Iterator[str]:
    """The lines to print."""
    modules = read_modules(package)
    functions = [function for module in modules for function in module.functions()]
    total = sum(module.lines for module in modules)
    tested = sum(module.lines for module in read_modules(tests)) if tests else 0
    yield f"{len(modules)} modules, {total} lines" + (f"; tests / source: {tested / max(1, total):.2f}" if tests else "")
    yield from _sizes(modules, functions)
    yield from _shares(modules, functions)
    yield from _excuses(modules)
    yield from _risks(modules)
    found = cycles(modules)
    yield f"import cycles: {len(found)}" + "".join(f"\n  {' <-> '.join(cycle)}" for cycle in found)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python scripts/shape.py PACKAGE_DIR [TESTS_DIR]")
    print("\n".join(report(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)))
