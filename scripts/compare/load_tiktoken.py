"""load_tiktoken.py - tiktoken: tokens of texts that are in memory."""
import sys
import time
from importlib.metadata import version

import tiktoken
from tiktoken.load import data_gym_to_mergeable_bpe_ranks

import loader
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
    return tiktoken.Encoding("learnt", pat_str=PATTERN, mergeable_ranks=ranks,
                             special_tokens={"<|endoftext|>": len(ranks)})


def rate(task, encoder, texts):
    """MB of text a second, of one pass."""
    start = time.perf_counter()
    if task.cores == 1:
        for text in texts:
            encoder.encode_ordinary(text)
    else:
        encoder.encode_ordinary_batch(texts, num_threads=task.cores)
    return loader_text.megabytes(task) / (time.perf_counter() - start)


def main():
    """Does as loader.main does."""
    call = loader.arguments()
    loader.pin(call.cores)
    for task in loader.tasks_of(call):
        if task.form != "text":
            sys.exit("does text only")
        texts = [path.read_text(encoding="utf-8")
                 for path in loader_text.files(task)]
        encoder = encoding(task)
        rate(task, encoder, texts)  # warm-up
        rates = [rate(task, encoder, texts) for _ in range(task.epochs)]
        loader.result(task, "tiktoken", version("tiktoken"), rates)


if __name__ == "__main__":
    main()
