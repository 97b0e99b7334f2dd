"""Repository files (spec §2.6): decoded, checked, cleaned, highlighted, and their status lines."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, without_controls
from platui.models.values.log import PLAIN, LogDocument, Span, SpanStyle
from platui.present.counts import counted, human_bytes, lines_in_sight

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.models.wire import RepositoryFile


class SourceDocument(LogDocument):
    version = 0

    def __init__(
        self, lines: Sequence[str], size: int, spans: Sequence[tuple[Span, ...]] | None = None
    ) -> None:
        """Take clean lines, the size in bytes, and spans of highlighted lines."""
        self._lines = lines
        self._spans = spans
        self._size = size

    @property
    def line_count(self) -> int:
        return len(self._lines)

    @property
    def size(self) -> int:
        return self._size

    def spans(self, y: int) -> tuple[Span, ...]:
        return self._spans[y] if self._spans is not None else (Span(self._lines[y]),)

    def text(self, y: int) -> str:
        return self._lines[y]

    def is_section(self, y: int) -> bool:
        del y
        return False


MOST_HIGHLIGHTED: Final = 300_000  # Characters; about half a second of work

_LONGEST_LINE: Final = 2_000  # Characters; a longer line is data, and patterns are slow on it

PATIENCE: Final = 1.0  # Seconds after which the rest stays plain: some lexers take minutes

# A fixed list: Pygments' own lookup would load installed plugins.
_LEXERS: Final = {
    "yml": ("pygments.lexers.data", "YamlLexer"),
    "yaml": ("pygments.lexers.data", "YamlLexer"),
    "json": ("pygments.lexers.data", "JsonLexer"),
    "sql": ("pygments.lexers.sql", "SqlLexer"),
    "py": ("pygments.lexers.python", "PythonLexer"),
    "toml": ("pygments.lexers.configs", "TOMLLexer"),
    "ini": ("pygments.lexers.configs", "IniLexer"),
    "cfg": ("pygments.lexers.configs", "IniLexer"),
    "conf": ("pygments.lexers.configs", "IniLexer"),
    "tf": ("pygments.lexers.configs", "TerraformLexer"),
    "sh": ("pygments.lexers.shell", "BashLexer"),
    "bash": ("pygments.lexers.shell", "BashLexer"),
    "md": ("pygments.lexers.markup", "MarkdownLexer"),
    "dockerfile": ("pygments.lexers.configs", "DockerLexer"),
}

# One accent and weights; colours are reserved for statuses.
_STYLES: Final = {
    "Comment": SpanStyle(italic=True, role="muted"),
    "Keyword": SpanStyle(role="name"),
    "Name.Tag": SpanStyle(role="name"),
    "Name.Builtin": SpanStyle(role="name"),
    "Name.Decorator": SpanStyle(role="name"),
    "Name.Function": SpanStyle(bold=True),
    "Name.Class": SpanStyle(bold=True),
    "Keyword.Constant": SpanStyle(role="literal"),
    "Literal.String": SpanStyle(role="literal"),
    "Literal.Number": SpanStyle(role="literal"),
    "Literal.Scalar": PLAIN,
    "Punctuation": SpanStyle(role="muted"),
    "Punctuation.Indicator": SpanStyle(role="muted"),
    "Generic.Heading": SpanStyle(bold=True, role="name"),
    "Generic.Subheading": SpanStyle(bold=True, role="name"),
}


def highlighted(
    lines: list[str], name: str, ticks: Callable[[], float] = time.monotonic
) -> list[tuple[Span, ...]] | None:
    """Return the spans of clean lines by file extension; None: unknown language, or too large."""
    kind = _LEXERS.get(name.rpartition("/")[2].rpartition(".")[2].lower())
    size = sum(map(len, lines)) + len(lines)
    if kind is None or size > MOST_HIGHLIGHTED or max(map(len, lines), default=0) > _LONGEST_LINE:
        return None
    module, lexer = kind
    # Code blocks would load a lexer named by the text, including plugins.
    made: Any = getattr(import_module(module), lexer)(
        stripnl=False, ensurenl=False, handlecodeblocks=False
    )
    until = ticks() + PATIENCE
    tokens = made.get_tokens("\n".join(lines))
    found: list[tuple[Span, ...]] = []
    for line, spans in zip(lines, _lines(tokens, lambda: ticks() > until), strict=False):
        # Some lexers invent text: Terraform's, for an unterminated heredoc.
        if "".join(span.text for span in spans) != line:
            break
        found.append(spans)
    return [*found, *((Span(line),) for line in lines[len(found) :])]


def _lines(
    tokens: Iterable[tuple[Any, str]], is_late: Callable[[], bool]
) -> Iterator[tuple[Span, ...]]:
    line: list[Span] = []
    for token, text in tokens:
        if is_late():
            return
        style = _style(str(token).removeprefix("Token.").removeprefix("Token"))
        for number, piece in enumerate(text.split("\n")):
            if number:
                yield tuple(line)
                line = []
            if piece and line and line[-1].style == style:
                line[-1] = Span(line[-1].text + piece, style)
            elif piece:
                line.append(Span(piece, style))
    yield tuple(line)


def _style(kind: str) -> SpanStyle:
    while kind:
        if (style := _STYLES.get(kind)) is not None:
            return style
        kind = kind.rpartition(".")[0]
    return PLAIN


_LOOKED_AT: Final = 8_000  # Bytes in which a NUL makes a file binary, as in git

_LONGEST: Final = 20_000  # Characters of a line that are shown

_TAB: Final = 4


class Check(StrEnum):
    MATCHES = "matches"
    DIFFERS = "differs"
    UNSAID = "unsaid"


class Source(NamedTuple):
    document: SourceDocument
    content: bytes
    check: Check
    binary: bool

    @property
    def size(self) -> int:
        return len(self.content)

    def text(self) -> str:
        return without_controls(_decoded(self.content))


def read_source(file: RepositoryFile) -> Source:
    """Return the lines of a file, in a thread. Raises InvalidResponseError: not valid base64."""
    content = file.decoded()
    source = source_of(content, file.file_path or file.file_name)
    return source._replace(check=check_of(file, content))


def source_of(content: bytes, name: str) -> Source:
    """Return the lines of a text, highlighted by its name; in a thread."""
    binary = is_binary(content)
    lines = [] if binary else _text_lines(content)
    document = SourceDocument(lines, len(content), highlighted(lines, name))
    return Source(document, content, Check.UNSAID, binary)


def is_binary(content: bytes) -> bool:
    return b"\0" in content[:_LOOKED_AT]


def check_of(file: RepositoryFile, content: bytes) -> Check:
    said = file.content_sha256.strip().lower()
    if not said:
        return Check.UNSAID
    return Check.MATCHES if hashlib.sha256(content).hexdigest() == said else Check.DIFFERS


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace")


def _text_lines(content: bytes) -> list[str]:
    lines = _decoded(content).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [shown_text(line.removesuffix("\r")) for line in lines]


def shown_text(line: str) -> str:
    line = clean(line.expandtabs(_TAB))
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")


def short_ref(ref: str) -> str:
    return ref[:8] if _COMMIT.fullmatch(ref) else clean(ref)


def file_line(
    route: Route, file: RepositoryFile | None, source: Source | None
) -> list[tuple[str, str]]:
    pieces = [(short_ref(route.ref), "accent")] if route.ref else []
    if file is None or source is None:
        return pieces
    if not source.binary:
        pieces.append((counted(source.document.line_count, "line"), "text"))
    pieces.append((human_bytes(source.size), "text"))
    if file.last_commit_id:
        pieces.append((f"last changed in {clean(file.last_commit_id[:8])}", "muted"))
    if source.check is Check.MATCHES:
        pieces.append(("sha256 ✔", "muted"))
    elif source.check is Check.DIFFERS:
        pieces.append(("✖ sha256 does not match", "failed"))
    return pieces


def where_line(source: Source | None, window: tuple[int, int]) -> tuple[tuple[str, str], ...]:
    if source is None or not source.document.line_count:
        return ()
    first, last = window
    if not last:
        return ((" no line is shown", "muted"),)
    return ((f" {lines_in_sight(first, last, source.document.line_count)}", "muted"),)


def page_without(
    route: Route,
    source: Source | None,
    key_of: Callable[[str], str],
    *,
    missing: bool,
    asked: bool,
) -> str:
    """Return the page without a text; `missing`: not found, `asked`: loading."""
    path, ref = clean(route.path), short_ref(route.ref)
    choose, at = key_of("file.choose"), key_of("file.ref")
    keys = f"{choose}  another file      {at}  another ref"
    if missing:
        return f"{path} not found at {ref},\nor not allowed with this token.\n\n{keys}"
    if source is not None and source.binary:
        return f"{path} is a binary file of {human_bytes(source.size)}.\n\n{keys}"
    if source is not None:
        return f"{path} is empty at {ref}.\n\n{keys}"
    if asked:
        return f"Loading {path or 'the pipeline file'} …"
    if not route.ref:
        return f"No branch, tag or commit selected.\n\n{at}  choose"
    return f"No file selected.\n\n{choose}  choose      {at}  another ref"
