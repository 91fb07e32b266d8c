"""What all results share: plain values with ``to_dict()``, tables as Arrow, pages as HTML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from . import _native


class Data:
    """A result: a dataclass whose fields can be had as a dictionary."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, results inside them too."""
        return {
            field.name: plain(getattr(self, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if not field.name.startswith("_")
        }


def plain(value: Any) -> Any:
    """A value of dictionaries, lists, texts and numbers only."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in value]
    return value


def load(text: str) -> Any:
    """What the native half gave, read."""
    return json.loads(text)


def dump(value: Any, argument: str) -> str:
    """A value for the native half; a ``TypeError`` that names the argument where it cannot be written."""
    try:
        return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)
    except TypeError as error:
        raise TypeError(f"{argument}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from None


def wanted(value: Any, kind: type | tuple[type, ...], argument: str) -> Any:
    """The value, if it is of the kind; else a ``TypeError`` that names the argument."""
    # A truth value is a number to Python, and never what is meant.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        names = " or ".join(one.__name__ for one in kinds)
        raise TypeError(f"{argument} must be {names}, not {type(value).__name__}")
    return value


def number(value: Any, argument: str) -> float:
    """A number; else a ``TypeError`` that names the argument."""
    return float(wanted(value, (int, float), argument))


def texts(values: Any, argument: str) -> list[str]:
    """A list of texts; a single text is a mistake that would be read letter by letter."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{argument} must be a list of str, not {type(values).__name__}")
    return [wanted(one, str, f"{argument}[{at}]") for at, one in enumerate(values)]


def table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> _native.Table:
    """Rows as an Arrow table; ``columns`` says the kind of each: text, number, whole or flag."""
    return _native.Table([(name, kind, [row.get(name) for row in rows]) for name, kind in columns.items()])


def framed(page: str, height: int = 480) -> str:
    """A whole page inside a notebook's cell: apart from the notebook's own styles, and without scripts."""
    from html import escape

    return (
        f'<iframe sandbox srcdoc="{escape(page, quote=True)}" '
        f'style="width:100%;height:{height}px;border:1px solid #8884" loading="lazy"></iframe>'
    )
