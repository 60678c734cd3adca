"""load_pyg.py - PyTorch Geometric: sampled neighbourhoods of a graph.

It samples with pyg-lib or torch-sparse, and says so where neither is there.
"""
import numpy
import torch
import torch_geometric
from torch_geometric.data import Data
from torch_geometric.loader import NeighborLoader
from torch_geometric.utils import to_undirected

import loader
import loader_graph


def make(task):
    """Its loader, in this process or in worker processes."""
    torch.set_num_threads(task.cores)
    pairs = torch.from_numpy(numpy.loadtxt(loader_graph.edges(task),
                                           dtype=numpy.int64, ndmin=2))
    edges = to_undirected(pairs.t().contiguous())
    nodes = int(edges.max()) + 1
    graph = Data(edge_index=edges, num_nodes=nodes, x=torch.rand(
        nodes, loader_graph.FEATURES).half())
    batches = NeighborLoader(
        graph, list(loader_graph.FANOUTS), batch_size=loader_graph.BATCH,
        shuffle=True, num_workers=loader.count(task, "workers", 0))

    def epoch(passes):
        for _ in range(passes):
            for batch in batches:
                yield batch.batch_size

    return loader.Loader(epoch, amount=lambda amount: amount,
                         check=lambda task, this: sum(epoch(1)) * 0)


if __name__ == "__main__":
    loader.main("PyG", torch_geometric.__version__, make)
