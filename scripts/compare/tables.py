"""tables.py - results as tables in Markdown, which also read as text."""
import statistics

import rows


class Figures:
    """The rounds of all rows: images per second, and what went wrong."""

    def __init__(self):
        self.rates = {}  # (row, cores) -> one figure a round
        self.reasons = {}  # (row, cores) -> why a round failed
        self.versions = {}  # loader -> version

    def add(self, row, cores, record):
        """One round of a row: a line of its program, or a failure."""
        if "failed" in record:
            self.reasons[row, cores] = record["failed"]
            return
        self.rates.setdefault((row, cores), []).append(record["images_per_s"])
        self.versions[row.loader] = record["version"]

    def median(self, row, cores):
        """The median of the rounds, None if there is none."""
        rates = self.rates.get((row, cores))
        return statistics.median(rates) if rates else None

    def best_presto(self, row, cores):
        """The quickest presto that does the same work as this row."""
        medians = [self.median(other, cores) for other in rows.ROWS
                   if other.loader == "presto" and other.form == row.form
                   and other.kind == row.kind]
        return max((m for m in medians if m), default=None)


def number(value):
    """12,345 or 12.3 or 0.123: three digits or more that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cell(figures, row, cores):
    """Median, smallest and largest of the rounds, or what went wrong."""
    rates = figures.rates.get((row, cores))
    reason = figures.reasons.get((row, cores), "")
    if not rates:
        return f"failed: {reason}" if reason else "not measured"
    text = number(statistics.median(rates))
    if len(rates) > 1:
        text += f" ({number(min(rates))} to {number(max(rates))})"
    return text + (", of the rounds that did not fail" if reason else "")


def ratio(figures, row, cores):
    """How many times as fast presto is, for a peer that was measured."""
    peer, presto = (figures.median(row, cores),
                    figures.best_presto(row, cores))
    if row.loader == "presto" or not peer or not presto:
        return ""
    text = f"{presto / peer:.2f}"
    return text if presto >= peer else f"**{text}**"


def line(figures, row, core_counts):
    """The cells of a row."""
    name = f"{row.loader} {figures.versions.get(row.loader, '')}".strip()
    if row.loader == "presto":
        name = f"**{name}**"
    cells = [name, row.settings]
    for cores in core_counts:
        if row.absent:
            cells += [row.absent if cores == core_counts[0] else "", ""]
        else:
            cells += [cell(figures, row, cores), ratio(figures, row, cores)]
    return [text.replace("|", "\\|") for text in cells]


def markdown(lines):
    """A table with its columns under each other."""
    widths = [max(len(cells[i]) for cells in lines)
              for i in range(len(lines[0]))]
    lines = [lines[0], ["-" * width for width in widths], *lines[1:]]
    return "\n".join(
        "| " + " | ".join(text.ljust(width)
                          for text, width in zip(cells, widths)) + " |"
        for cells in lines)


def table(figures, form, chosen, core_counts):
    """The rows of a form, the quickest first, what failed last."""
    head = ["loader", "settings"]
    for cores in core_counts:
        head += [f"{cores} core{'s'[:cores - 1]}: "
                 f"{rows.UNITS.get(form, 'images/s')}", "presto / it"]
    order = sorted((row for row in chosen if row.form == form),
                   key=lambda row: -(figures.median(row, core_counts[0])
                                     or 0))
    return markdown([head, *(line(figures, row, core_counts)
                             for row in order)])


def tables(figures, chosen, core_counts):
    """All tables, each under its heading."""
    parts = []
    for form, title in rows.FORMS.items():
        if any(row.form == form for row in chosen):
            parts.append(f"### {title}\n\n{rows.REMARKS[form]}\n\n"
                         + table(figures, form, chosen, core_counts))
    return "\n\n".join(parts)
