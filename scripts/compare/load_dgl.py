"""load_dgl.py - DGL: sampled neighbourhoods of a graph."""
import os

os.environ.setdefault("DGLBACKEND", "pytorch")

import dgl  # noqa: E402 (its backend must be set before)
import numpy  # noqa: E402
import torch  # noqa: E402

import loader  # noqa: E402
import loader_graph  # noqa: E402


def graph_of(task):
    """The graph, with every edge both ways."""
    pairs = torch.from_numpy(numpy.loadtxt(loader_graph.edges(task),
                                           dtype=numpy.int64, ndmin=2))
    graph = dgl.graph((pairs[:, 0], pairs[:, 1]))
    return dgl.to_simple(dgl.to_bidirected(graph)).formats("csc")


def make(task):
    """The sampler itself, or DGL's loader with worker processes."""
    torch.set_num_threads(task.cores)
    graph = graph_of(task)
    features = torch.rand(graph.num_nodes(), loader_graph.FEATURES).half()
    # DGL names the layer that is farthest from the seeds first.
    sampler = dgl.dataloading.NeighborSampler(
        list(reversed(loader_graph.FANOUTS)))
    workers = loader.count(task, "workers", 0)

    def sampled(passes):
        for _ in range(passes):
            order = torch.randperm(graph.num_nodes())
            for seeds in order.split(loader_graph.BATCH):
                yield sampler.sample(graph, seeds)

    def loaded(passes):
        batches = dgl.dataloading.DataLoader(
            graph, torch.arange(graph.num_nodes()), sampler,
            batch_size=loader_graph.BATCH, shuffle=True, num_workers=workers)
        for _ in range(passes):
            yield from batches

    def epoch(passes):
        for nodes, seeds, _ in (loaded if workers else sampled)(passes):
            if len(features[nodes]) < len(seeds):
                raise SystemExit("gathers too few nodes")
            yield len(seeds)

    return loader.Loader(epoch, amount=lambda amount: amount,
                         check=lambda task, this: sum(epoch(1)) * 0)


if __name__ == "__main__":
    loader.main("DGL", dgl.__version__, make)
