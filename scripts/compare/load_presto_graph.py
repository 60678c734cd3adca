"""load_presto_graph.py - presto: sampled neighbourhoods of a graph."""
import loader_graph
import loader_presto

PIPELINE = """# graph.conf - written by load_presto_graph.py
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


def answer(task, request):
    """Measures a task: a sample that is delivered is a batch of seeds."""
    edges = loader_graph.edges(task)
    pipeline = PIPELINE.format(
        path=edges.parent.resolve(), name=edges.name,
        batch=loader_graph.BATCH, features=loader_graph.FEATURES,
        fanout=",".join(map(str, loader_graph.FANOUTS)))
    seeds = nodes(edges)
    batches = -(-seeds // loader_graph.BATCH)
    return loader_presto.measure(
        loader_presto.Profile(task, pipeline, 1, "application", batches),
        request, seeds)


if __name__ == "__main__":
    loader_presto.main(answer)
