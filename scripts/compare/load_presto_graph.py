"""load_presto_graph.py - presto: sampled neighbourhoods of a graph."""
import loader_graph
import loader_presto

EDGES = """# graph.conf - written by load_presto_graph.py
[dataset]
source   = edges
path     = {path}
edges    = {name}
features = none
labels   = none

[pipeline]
parsed    = parse_edges
both      = symmetrize
rows      = csr
"""
STORED = """# graph.conf - written by load_presto_graph.py
[dataset]
source = presto
path   = {path}

[pipeline]
"""
STEPS = """
seeds     = seeds batch={batch}
sampled   = neighbor_sample fanout={fanout}
gathered  = gather dim={features} dtype=half
"""


def nodes(path):
    """How many nodes have an edge."""
    seen = set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line[:1].isdigit():
                seen.update(line.split()[:2])
    return len(seen)


def sampling():
    """The steps that run in every epoch."""
    return STEPS.format(
        batch=loader_graph.BATCH, features=loader_graph.FEATURES,
        fanout=",".join(map(str, loader_graph.FANOUTS)))


def pipeline(task):
    """The pipeline of the graph, from its edges."""
    edges = loader_graph.edges(task)
    return EDGES.format(path=edges.parent.resolve(),
                        name=edges.name) + sampling()


def stored(task):
    """The pipeline of the stored graph, which is in the page cache."""
    folder = loader_presto.materialized(task, pipeline(task),
                                        "rows/tar/none")
    return STORED.format(path=folder.resolve()) + sampling()


def answer(task, request):
    """Measures a task: a sample that is delivered is a batch of seeds."""
    seeds = nodes(loader_graph.edges(task))
    batches = -(-seeds // loader_graph.BATCH)
    return loader_presto.measure(
        loader_presto.Profile(task, pipeline(task), 1, "application",
                              batches), request, seeds)


if __name__ == "__main__":
    loader_presto.main(answer)
