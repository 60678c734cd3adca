"""load_tiktoken.py - tiktoken: tokens of texts that are in memory."""
from importlib.metadata import version

import numpy
import tiktoken
from tiktoken.load import data_gym_to_mergeable_bpe_ranks

import load_presto_text
import loader
import loader_presto
import loader_text

# GPT-2's, as tiktoken has it.
PATTERN = (r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++|"""
           r""" ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s""")


def encoding(task):
    """The vocabulary of the task."""
    where = loader_text.vocabulary(task)
    ranks = data_gym_to_mergeable_bpe_ranks(
        vocab_bpe_file=str(where / "vocab.bpe"),
        encoder_json_file=str(where / "encoder.json"))
    return tiktoken.Encoding("given", pat_str=PATTERN, mergeable_ranks=ranks,
                             special_tokens={"<|endoftext|>": len(ranks)})


def check(task, encoder, texts):
    """Complains when presto makes other tokens of a text."""
    folder = loader_presto.materialized(
        task, load_presto_text.from_texts(task), "tokens/files/none")
    arrays = sorted(folder.rglob("*.npy"), key=lambda path: path.name)
    if len(arrays) != len(texts):
        raise SystemExit(f"presto has {len(arrays)} of {len(texts)} texts")
    for path, text in zip(arrays, texts):
        if numpy.load(path).tolist() != encoder.encode_ordinary(text):
            raise SystemExit(f"presto has other tokens in {path.name}")
    return 0


def make(task):
    """One text at a time, or all of a pass in threads."""
    texts = loader_text.texts(task)
    encoder = encoding(task)
    amount = loader_text.megabytes(task)
    threads = loader.count(task, "threads")

    def epoch(passes):
        for _ in range(passes):
            if threads == 1:
                for text in texts:
                    encoder.encode_ordinary(text)
            else:
                encoder.encode_ordinary_batch(texts, num_threads=threads)
            yield amount

    return loader.Loader(epoch, amount=lambda amount: amount,
                         check=lambda task, this: check(task, encoder,
                                                        texts))


if __name__ == "__main__":
    loader.main("tiktoken", version("tiktoken"), make)
