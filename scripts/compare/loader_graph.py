"""loader_graph.py - the graph of the form "graph", and its task.

Every node is a seed once an epoch, in batches of 1024. Of each, 15 neighbours
are drawn without replacement, of these 10, of these 5, and 64 half-precision
features of every node that was drawn are gathered. The graph is in memory.
"""
import sys

BATCH = 1024
FANOUTS = (15, 10, 5)
FEATURES = 64


def edges(task):
    """The file of edges: two nodes a line."""
    found = sorted((task.data / "graph").iterdir())
    if len(found) != 1:
        sys.exit("there is no graph")
    return found[0]
