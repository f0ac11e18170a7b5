"""The picture of `faults`: latency of each second on a scale of powers of ten, failures beneath it."""

import math

import cluster  # noqa: F401  which puts the folder of chart on the path
from chart import BOTTOM, HEIGHT, LEFT, LOOKS, TOP, WIDTH, Panel, legend

CURVES = (("p50", "p50Nanos"), ("p99", "p99Nanos"), ("max", "maxNanos"))
LOW, HIGH = 0, 5  # powers of ten, in milliseconds: 1 ms to 100 s


def faults(drills):
    """drills: (name, windows of a second, [(second, what was done)])."""
    parts = []
    for number, (name, windows, marks) in enumerate(drills):
        panel = Panel(name, number % 2 * WIDTH, 34 + number // 2 * HEIGHT)
        span = max([10, *((one["fromNanos"] + one["lengthNanos"]) / 1e9 for one in windows)])
        panel.axes([(second / span, str(second)) for second in range(0, int(span) + 1, 10)],
                   [((power - LOW) / (HIGH - LOW), f"{10 ** power:g}") for power in range(LOW, HIGH + 1)],
                   "seconds", "response time, ms")
        for second, text in marks:
            x = panel.x(second / span)
            panel.parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#222"/>'
                               f'<text x="{x + 4:.1f}" y="{TOP + 12}">{text}</text>')
        failures(panel, windows, span)
        for look, (_, column) in enumerate(CURVES):
            panel.line(look, [((one["fromNanos"] / 1e9 + 0.5) / span, up(one[column] / 1e6))
                              for one in windows if one["completed"]])
        parts.append(panel.done())
    rows = (len(drills) + 1) // 2
    width, height = 2 * WIDTH, 34 + rows * HEIGHT
    x = LEFT + len(CURVES) * 130
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" font-size="12" fill="#222">',
        "<title>Latency and failures of each second while nodes of a cluster fail</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>', legend([name for name, _ in CURVES], 20),
        f'<rect x="{x}" y="14" width="12" height="12" fill="{LOOKS[3][0]}" fill-opacity="0.4"/>'
        f'<text x="{x + 18}" y="24">failed, share of the second\'s requests (full height: all)</text>', *parts, "</svg>", ""])


def up(millis):
    return (math.log10(max(millis, 10.0 ** LOW)) - LOW) / (HIGH - LOW)


def failures(panel, windows, span):
    for one in windows:
        if one["errors"] and one["completed"]:
            left, right = panel.x(one["fromNanos"] / 1e9 / span), panel.x((one["fromNanos"] + one["lengthNanos"]) / 1e9 / span)
            top = panel.y(one["errors"] / one["completed"])
            panel.parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                               f'height="{panel.y(0) - top:.1f}" fill="{LOOKS[3][0]}" fill-opacity="0.4"/>')
