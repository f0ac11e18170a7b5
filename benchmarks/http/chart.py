"""Pictures of tables, as SVG: no script, no font of its own, readable in black and white. Used by `rows`."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 460, 330, 66, 20, 46, 56
# Told apart by people who see few colours (Okabe and Ito), and by their dashes by everybody else.
LOOKS = (("#0072B2", ""), ("#D55E00", "8 4"), ("#009E73", "2 3"), ("#CC79A7", "10 3 2 3"), ("#E69F00", "4 4"))


class Panel:
    """One pair of axes; both are given as functions from a value to its place, 0 to 1."""

    def __init__(self, title, left, top):
        self.left, self.top = left, top
        self.parts = [f'<g transform="translate({left} {top})">',
                      f'<text x="{LEFT}" y="26" font-size="15" font-weight="600">{title}</text>']

    def x(self, place):
        return LEFT + min(1, max(0, place)) * (WIDTH - LEFT - RIGHT)

    def y(self, place):
        return HEIGHT - BOTTOM - min(1, max(0, place)) * (HEIGHT - TOP - BOTTOM)

    def axes(self, across, up, x_label, y_label):
        """Ticks are pairs of a place and a text."""
        for place, text in across:
            x = self.x(place)
            self.parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
            self.parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{text}</text>')
        for place, text in up:
            y = self.y(place)
            self.parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
            self.parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
        self.parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 16}" text-anchor="middle">{x_label}</text>')
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.parts.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">'
                          f'{y_label}</text>')

    def line(self, look, points):
        colour, dash = LOOKS[look % len(LOOKS)]
        places = [(self.x(a), self.y(b)) for a, b in points]
        text = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        self.parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}" '
                          f'points="{text}"/>')
        self.parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{colour}"/>' for a, b in places]

    def done(self):
        return "\n".join([*self.parts, "</g>"])


def legend(names, top):
    parts = []
    for look, name in enumerate(names):
        colour, dash = LOOKS[look % len(LOOKS)]
        x = LEFT + look * 130
        parts.append(f'<line x1="{x}" y1="{top}" x2="{x + 32}" y2="{top}" stroke="{colour}" stroke-width="2" '
                     f'stroke-dasharray="{dash}"/>')
        parts.append(f'<text x="{x + 38}" y="{top + 4}">{name}</text>')
    return "\n".join(parts)


def overload(series, factors):
    """Goodput and the p99 of accepted requests against the offered load: two panels for each workload.

    series: for each workload a list of (executor, [(times capacity, goodput to peak, p99 in ms)]).
    """
    names = list(dict.fromkeys(name for lines in series.values() for name, _ in lines))
    span = math.log10(factors[-1] / factors[0])

    def across(factor):
        return math.log10(factor / factors[0]) / span

    ticks = [(across(factor), f"{factor:g}") for factor in factors if factor >= 1 or len(factors) < 3]
    panels = []
    for line, (workload, lines) in enumerate(series.items()):
        top = 30 + line * HEIGHT
        goodput = Panel(f"{workload}: goodput", 0, top)
        most = max([1.2, *(good for _, points in lines for _, good, _ in points)])
        goodput.axes(ticks, [(place / most, f"{place:.1f}") for place in (0, 0.2, 0.4, 0.6, 0.8, 1, 1.2)],
                     "offered load, times capacity", "2xx a second, to the peak")
        tail = Panel(f"{workload}: p99 of accepted requests", WIDTH, top)
        times = [p99 for _, points in lines for _, _, p99 in points if p99 == p99 and p99 > 0] or [1]
        low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        high = max(high, low + 1)

        def up(p99, low=low, high=high):
            return (math.log10(p99) - low) / (high - low)

        tail.axes(ticks, [(up(10.0 ** power), f"{10.0 ** power:g}") for power in range(low, high + 1)],
                  "offered load, times capacity", "service time, ms")
        for name, points in lines:
            look = names.index(name)
            goodput.line(look, [(across(factor), good / most) for factor, good, _ in points])
            tail.line(look, [(across(factor), up(p99)) for factor, _, p99 in points if p99 == p99 and p99 > 0])
        panels += [goodput.done(), tail.done()]
    width, height = 2 * WIDTH, 30 + len(series) * HEIGHT
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" font-size="12" fill="#222">',
        "<title>Goodput and p99 of accepted requests against the offered load</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>', legend(names, 20), *panels, "</svg>", ""])
