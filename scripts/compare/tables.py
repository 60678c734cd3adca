"""tables.py - results as tables in Markdown, which also read as text."""
import statistics

import rows

PRESTOS = ("presto", "presto.Loader")  # the program, and in Python


class Figures:
    """The rounds of all rows: rates, the best settings, what went wrong."""

    def __init__(self, records):
        self.rates = {}  # (name of a row, cores) -> one figure a round
        self.reasons = {}  # (name of a row, cores) -> why a round failed
        self.settings = {}  # name of a row -> the text of the best ones
        self.versions = {}  # loader -> version
        for record in records:
            if record["round"]:
                self.add(record)

    def add(self, record):
        """One round of a row."""
        key = record["row"], record["cores"]
        if "failed" in record:
            self.reasons[key] = record["failed"]
            return
        self.rates.setdefault(key, []).append(record["rate"])
        self.settings[record["row"]] = record["settings"]
        self.versions[record["loader"]] = record["version"]

    def median(self, row, cores):
        """The median of the rounds, None if there is none."""
        rates = self.rates.get((row.name, cores))
        return statistics.median(rates) if rates else None

    def best_presto(self, row, cores, loader):
        """The quickest row of a presto that does the same work as this."""
        medians = [self.median(other, cores) for other in rows.ROWS
                   if other.loader == loader and other.form == row.form
                   and other.kind == row.kind]
        return max((m for m in medians if m), default=None)


def number(value):
    """12,345 or 12.3 or 0.123: three digits or more that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cell(figures, row, cores):
    """Median, smallest and largest of the rounds, or what went wrong."""
    rates = figures.rates.get((row.name, cores))
    reason = figures.reasons.get((row.name, cores), "")
    if not rates:
        return f"failed: {reason}" if reason else "not measured"
    text = number(statistics.median(rates))
    if len(rates) > 1:
        text += f" ({number(min(rates))} to {number(max(rates))})"
    return text + (", of the rounds that did not fail" if reason else "")


def ratio(figures, row, cores, loader):
    """How many times as fast a presto is, for a peer that was measured."""
    peer, presto = (figures.median(row, cores),
                    figures.best_presto(row, cores, loader))
    if row.loader in ("presto", loader) or not peer or not presto:
        return ""
    text = f"{presto / peer:.2f}"
    return text if presto >= peer else f"**{text}**"


def settings(figures, row):
    """What the figure was measured with."""
    text = figures.settings.get(row.name, "")
    tried = len(row.choices)
    if not text or tried < 2:
        return text
    return f"{text}: the best of {tried}"


def line(figures, row, core_counts):
    """The cells of a row."""
    name = f"{row.loader} {figures.versions.get(row.loader, '')}".strip()
    if row.loader in PRESTOS:
        name = f"**{name}**"
    cells = [name, row.kind, settings(figures, row)]
    for cores in core_counts:
        if row.absent:
            cells += [row.absent if cores == core_counts[0] else "", "", ""]
        elif row.on(cores, core_counts):
            cells += [cell(figures, row, cores),
                      *(ratio(figures, row, cores, one) for one in PRESTOS)]
        else:
            cells += ["", "", ""]
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


def table(figures, form, core_counts):
    """The rows of a form, the quickest first, what failed last."""
    head = ["loader", "kind", "settings"]
    for cores in core_counts:
        head += [f"{cores} core{'s'[:cores - 1]}: "
                 f"{rows.UNITS.get(form, 'images/s')}",
                 *(f"{one} / it" for one in PRESTOS)]
    order = sorted((row for row in rows.ROWS if row.form == form),
                   key=lambda row: -(figures.median(row, core_counts[-1])
                                     or 0))
    return markdown([head, *(line(figures, row, core_counts)
                             for row in order)])


def tables(records, forms, core_counts):
    """The tables of forms, each under its heading."""
    figures = Figures(records)
    return "\n\n".join(
        f"### {rows.FORMS[form]}\n\n{rows.REMARKS[form]}\n\n"
        + table(figures, form, core_counts) for form in forms)
