"""Where mypy must find a mistake: in each line with a comment."""

import presto

loader = presto.Loader("x", batch_size="many")  # a number
presto.Lodaer("x")  # the name
len(loader) + "x"  # a text and a number
loader.load_state_dict([1])  # a dict
presto.Loader("x", settings=["a"])  # a dict
