"""Sizes that keep a module readable, and the few places that may catch every exception."""

import ast
import io
import tokenize
from collections.abc import Iterator

from tests.architecture.sources import Finding, Function, listed, modules, scopes

MODULE_LINES = 500
FUNCTION_CODE_LINES = 60
CLASS_METHODS = 15

# Where an unforeseen error must not end a loop that others depend on, as "path:Class.method". There may be three of
# them: the mailbox's worker, the runner of effects, and the web server. Each logs what it caught.
SUPERVISED_PLACES: tuple[str, ...] = (
    "chatops_bot/engine/worker.py:Worker._run",
    "chatops_bot/engine/worker.py:Worker._supervised",
    "chatops_bot/domain/diagnosis/examining.py:examine",
)
SUPERVISED_LIMIT = 3

NO_CODE = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)


def code_lines(text: str) -> set[int]:
    """Numbers of the lines that hold code: neither blank nor comment alone. Every line of a long string counts."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def function_size(function: Function, lines: set[int]) -> int:
    """Lines of code of a function from its `def`, without its docstring."""
    own = set(range(function.lineno, (function.end_lineno or function.lineno) + 1))
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        own -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(own & lines)


def is_overload(function: Function) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in function.decorator_list)


def method_count(owner: ast.ClassDef) -> int:
    return sum(isinstance(node, Function) and not is_overload(node) for node in owner.body)


def oversized(path: str, text: str) -> Iterator[Finding]:
    """Modules, functions and classes beyond their figure."""
    total = len(text.splitlines())
    if total > MODULE_LINES:
        yield Finding(path, 1, f"{total} lines in a module, {MODULE_LINES} allowed")
    lines = code_lines(text)
    for name, node in scopes(ast.parse(text, filename=path)):
        if isinstance(node, Function) and (size := function_size(node, lines)) > FUNCTION_CODE_LINES:
            yield Finding(path, node.lineno, f"{name} has {size} lines of code, {FUNCTION_CODE_LINES} allowed")
        if isinstance(node, ast.ClassDef) and (count := method_count(node)) > CLASS_METHODS:
            yield Finding(path, node.lineno, f"{name} has {count} methods, {CLASS_METHODS} allowed")


def names_everything(node: ast.expr | None) -> bool:
    """Whether an `except` clause (or an argument of `suppress`) takes in every exception there is."""
    if node is None:
        return True
    if isinstance(node, ast.Tuple):
        return any(names_everything(item) for item in node.elts)
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in {"Exception", "BaseException"}


def catches_everything(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return names_everything(node.type)
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return called == "suppress" and any(names_everything(argument) for argument in node.args)


def broad_catches(path: str, text: str) -> Iterator[tuple[str, Finding]]:
    """Every catch-all as (place, finding), the place being "path:innermost function or class"."""
    tree = ast.parse(text, filename=path)
    owner: dict[ast.AST, str] = {}
    for name, scope in scopes(tree):  # outermost first, so that the innermost name stays
        owner.update(dict.fromkeys(ast.walk(scope), name))
    for node in ast.walk(tree):
        if catches_everything(node):
            place = f"{path}:{owner.get(node, '')}"
            yield place, Finding(path, getattr(node, "lineno", 1), "catches every exception")


def test_modules_functions_and_classes_keep_to_their_figures() -> None:
    findings = [found for path, text in modules() for found in oversized(path, text)]
    assert not findings, listed(findings)


def test_only_supervised_places_catch_everything() -> None:
    catches = [catch for path, text in modules() for catch in broad_catches(path, text)]
    stray = [found for place, found in catches if place not in SUPERVISED_PLACES]
    assert not stray, listed(stray)
    assert set(SUPERVISED_PLACES) == {place for place, _ in catches}, "a supervised place is gone: take it off the list"
    assert len(SUPERVISED_PLACES) <= SUPERVISED_LIMIT


def test_an_oversized_module_is_found() -> None:
    assert not list(oversized("m.py", "a = 1\n" * MODULE_LINES))
    assert [found.what for found in oversized("m.py", "a = 1\n" * (MODULE_LINES + 1))] == [
        "501 lines in a module, 500 allowed"
    ]


def test_an_oversized_function_is_found_whatever_its_comments() -> None:
    def function(statements: int) -> str:
        body = "".join(f"    # why\n\n    a{n} = 1\n" for n in range(statements))
        return f'class C:\n  async def f():\n    """Long.\n\n    Text.\n    """\n{body}'

    assert not list(oversized("m.py", function(FUNCTION_CODE_LINES - 1)))
    assert [found.what for found in oversized("m.py", function(FUNCTION_CODE_LINES))] == [
        "C.f has 61 lines of code, 60 allowed"
    ]


def test_a_class_with_too_many_methods_is_found() -> None:
    def owner(methods: int) -> str:
        overloads = "    @overload\n    def m0(self): ...\n"
        return "class C:\n" + overloads + "".join(f"    def m{n}(self): ...\n" for n in range(methods))

    assert not list(oversized("m.py", owner(CLASS_METHODS)))
    assert [found.what for found in oversized("m.py", owner(CLASS_METHODS + 1))] == ["C has 16 methods, 15 allowed"]


def test_every_dress_of_a_catch_all_is_found() -> None:
    text = """
class Worker:
    def run(self):
        try: a()
        except: pass
        try: a()
        except (ValueError, Exception): pass
        try: a()
        except* builtins.BaseException: pass
        with contextlib.suppress(OSError, Exception): a()
        try: a()
        except ValueError: pass
        with suppress(KeyError): a()
try: a()
except Exception: pass
"""
    places = [place for place, _ in broad_catches("m.py", text)]
    assert sorted(places) == ["m.py:", "m.py:Worker.run", "m.py:Worker.run", "m.py:Worker.run", "m.py:Worker.run"]
