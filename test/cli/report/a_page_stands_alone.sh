presto profile --name '<b>"&' --set measure.min_run_time=0 --samples 8 --runs 2 --cache none,system --codec none \
    --store tar --split raw,resized "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
presto report --html page.html
for chart in storage throughput steps epochs; do
	presto report --plot $chart.svg --chart $chart
done
presto report --plot - | head -c 5
echo
presto report --html - | cmp - page.html && echo same
python3 - <<'END'
import html.parser
import xml.dom.minidom


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.links, self.remote = [], {}, [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in ("meta", "link", "input"):
            self.open.append(tag)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if tag == "a" else []
        self.remote += [v for k, v in attrs.items() if k in ("src", "href") and v and "//" in v]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())


page = Page()
page.feed(open("page.html", encoding="utf-8").read())
print("open elements:", page.open)
print("charts:", page.tags["svg"], "tables:", page.tags["table"], "scripts:", page.tags["script"])
print("ids once:", len(page.ids) == len(set(page.ids)))
print("links lead somewhere:", all(link[1:] in page.ids for link in page.links))
print("remote:", page.remote)
print("bold of the name:", "<b>&quot;" in open("page.html").read())
for name in ("storage", "throughput", "steps", "epochs"):
    svg = xml.dom.minidom.parse(name + ".svg").documentElement
    print(name, svg.tagName, svg.getAttribute("role"), len(svg.getElementsByTagName("desc")))
END
