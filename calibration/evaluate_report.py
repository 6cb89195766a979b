"""An evaluation in words, and as one page with a picture of every failure and of every confusion."""

from __future__ import annotations

import base64
import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

STYLE = (
    "body{font:16px/1.4 sans-serif;margin:2em auto;max-width:70em;padding:0 1em}img{max-width:100%}"
    "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #bbb;padding:.25em .6em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}figure{display:inline-block;margin:0 1em 1em 0}"
    ".wide{overflow-x:auto}.bad{background:#fbd5cc}"
)
FIGURES = (
    ("photos", "photos"),
    ("right", "right"),
    ("wrong but certain", "wrong but certain"),
    ("undetermined", "undetermined"),
    ("unusable", "unusable"),
    ("cards", "cards"),
    ("found", "found"),
    ("false", "false"),
    ("faces", "faces right"),
)
"""Columns of the table: the figure, and its heading."""


@dataclass(slots=True)
class PhotoResult:
    """One photograph. verdict: `right`, `wrong but certain`, `undetermined`, `unusable`; faces: of the cards found;
    why: what is doubtful or wrong, in sentences; picture: it with what was read, looks: for each confusion (face, read
    as) the card as photographed and both faces, JPEG."""

    name: str
    level: str
    verdict: str
    cards: int
    found: int
    false: int
    faces: int
    features: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    picture: bytes = b""
    why: tuple[str, ...] = ()
    looks: dict[tuple[str, str], bytes] = field(default_factory=dict)


def as_text(figures: Mapping[str, Any]) -> str:
    """The figures for people."""
    lines = []
    for name, f in figures["levels"].items():
        unusable = f", unusable {f['unusable']}" if f["unusable"] else ""
        lines.append(
            f"{name}: verdicts right {f['right']} of {f['photos']}, wrong but certain {f['wrong but certain']}, "
            f"undetermined {f['undetermined']}{unusable}; cards found {f['found']} of {f['cards']}, "
            f"false {f['false']}, faces right {f['faces']} of {f['found']}"
        )
        if f["features"]:
            lines.append("  " + ", ".join(f"{feature} {a} of {b}" for feature, (a, b) in f["features"].items()))
    lines += [f"{each['face']} read as {each['read']}: {each['times']}" for each in figures["confused"]]
    failures = [each for each in figures["photos"] if each["verdict"] != "right"]
    for each in sorted(failures, key=lambda each: each["verdict"] != "wrong but certain"):
        lines.append(f"{each['photo']}: {each['verdict']} ({each['found']} of {each['cards']} cards found)")
        lines += [f"  {sentence}" for sentence in each["why"]]
    if figures["seconds"]:
        stages = ", ".join(f"{stage} {value:.2f}" for stage, value in figures["seconds"].items())
        lines.append(f"seconds a photo, medians: {stages}; the whole {_whole(figures):.2f}")
    return "\n".join(lines)


def as_html(figures: Mapping[str, Any], results: Sequence[PhotoResult]) -> str:
    """One page with the figures and pictures of every failure and confusion; nothing is loaded from elsewhere."""
    failures = [result for result in results if result.verdict != "right"]
    failures.sort(key=lambda result: result.verdict != "wrong but certain")
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Evaluation</title>",
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style><h1>Evaluation</h1>",
        _levels(figures["levels"]),
        _features(figures["levels"]),
        _seconds(figures),
        *_confusions(figures["confused"], results),
        f"<h2>{len(failures)} of {len(results)} photographs failed</h2>",
        "<p>In the pictures: green read right; red read wrong (what it is: what was read), or no card; yellow missed; "
        "blue doubtful.</p>",
    ]
    for result in failures:
        parts.append(f"<h3>{html.escape(result.name)}: {html.escape(result.verdict)}</h3>")
        parts.append(f"<p>{result.found} of {result.cards} cards found, {result.faces} of them read right.</p>")
        if result.why:
            parts.append("<ul>" + "".join(f"<li>{html.escape(each)}</li>" for each in result.why) + "</ul>")
        if result.picture:
            parts.append(_image(result.picture, result.name))
    return "\n".join(parts) + "</html>\n"


def _levels(levels: Mapping[str, Any]) -> str:
    rows = [["", *(heading for _, heading in FIGURES)]]
    rows += [[name, *(str(f[key]) for key, _ in FIGURES)] for name, f in levels.items()]
    return _table(rows)


def _features(levels: Mapping[str, Any]) -> str:
    names = levels["all"]["features"]
    rows = [["read right", *names]]
    for level, f in levels.items():
        pairs = [f["features"].get(name) for name in names]
        rows.append([level, *("" if pair is None else f"{pair[0]} of {pair[1]}" for pair in pairs)])
    return _table(rows) if names else ""


def _seconds(figures: Mapping[str, Any]) -> str:
    seconds = figures["seconds"]
    if not seconds:
        return ""
    values = [*(f"{value:.2f}" for value in seconds.values()), f"{_whole(figures):.2f}"]
    return _table([["seconds a photo", *seconds, "the whole"], ["median", *values]])


def _whole(figures: Mapping[str, Any]) -> float:
    """Seconds of the photograph in the middle."""
    return float(median(each["seconds"] for each in figures["photos"] if each["seconds"]))


def _confusions(confused: Iterable[Mapping[str, Any]], results: Sequence[PhotoResult]) -> list[str]:
    looks: dict[tuple[str, str], bytes] = {}
    for result in results:
        looks = {**result.looks, **looks}
    parts = []
    for each in confused:
        told = f"{each['face']} read as {each['read']}: {each['times']}"
        look = looks.get((each["face"], each["read"]))
        picture = "" if look is None else _image(look, told)
        parts.append(f"<figure>{picture}<figcaption>{html.escape(told)}</figcaption></figure>")
    lead = "<p>As photographed; the face that it is; the face that was read.</p>"
    return ["<h2>Faces taken for others</h2>", lead, *parts] if parts else []


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    out = "<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in head) + "</tr>"
    for row in body:
        out += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
    return f"<div class='wide'><table>{out}</table></div>"


def _image(data: bytes, name: str) -> str:
    return f"<img alt='{html.escape(name)}' src='data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}'>"
