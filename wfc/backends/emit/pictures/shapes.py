"""The outlines of nodes: each kind has a form of its own, so that colour is never all that tells them apart."""

from __future__ import annotations

# How far a corner is drawn in: links end at the box around a node, so that it must not be far.
_SLANT = 8


def outline(kind: str, x: float, y: float, width: float, height: float, paint: str) -> str:
    """The outline of a node around a middle."""
    left, top, right, bottom = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    match kind:
        case "start":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{width / 2:.1f}" {paint}/>'
        case "end" | "stop" | "wait":
            outer = _rectangle(left, top, width, height, min(height / 2, 18), paint)
            if kind == "wait":
                return outer
            return outer + _rectangle(left + 3, top + 3, width - 6, height - 6, min(height / 2 - 3, 15), _thin(paint))
        case "condition":
            return _polygon(
                [
                    (left + _SLANT, top),
                    (right - _SLANT, top),
                    (right, y),
                    (right - _SLANT, bottom),
                    (left + _SLANT, bottom),
                    (left, y),
                ],
                paint,
            )
        case "interrupt":
            return _polygon([(left + _SLANT, top), (right, top), (right - _SLANT, bottom), (left, bottom)], paint)
        case "fork":
            return _polygon([(left + _SLANT, top), (right - _SLANT, top), (right, bottom), (left, bottom)], paint)
        case "join":
            return _polygon([(left, top), (right, top), (right - _SLANT, bottom), (left + _SLANT, bottom)], paint)
        case "subgraph":
            bars = "".join(_bar(at, top, bottom, paint) for at in (left + 6, right - 6))
            return _rectangle(left, top, width, height, 2, paint) + bars
        case "foreach":
            behind = _rectangle(left + 4, top, width - 4, height - 4, 4, paint)
            return behind + _rectangle(left, top + 4, width - 4, height - 4, 4, paint)
        case "missing" | "hole":
            return _rectangle(left, top, width, height, 4, f'{paint} stroke-dasharray="5 3"')
        case _:
            return _rectangle(left, top, width, height, 8, paint)


def _rectangle(x: float, y: float, width: float, height: float, round: float, paint: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="{round:.1f}" {paint}/>'


def _polygon(points: list[tuple[float, float]], paint: str) -> str:
    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{written}" {paint} stroke-linejoin="round"/>'


def _bar(x: float, top: float, bottom: float, paint: str) -> str:
    return f'<path d="M{x:.1f},{top:.1f} V{bottom:.1f}" {_thin(paint)}/>'


def _thin(paint: str) -> str:
    """The same stroke, thin, around nothing."""
    stroke = paint.partition('stroke="')[2].partition('"')[0]
    return f'fill="none" stroke="{stroke}" stroke-width="1"'
