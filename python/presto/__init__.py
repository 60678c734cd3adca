"""presto's loader for training programs.

    for batch in presto.Loader("train", batch_size=256, shuffle=True, seed=1):
        x, y = batch["data"], batch["label"]

`presto.torch`, `presto.jax` and `presto.tf` are for these frameworks, and
`presto.ray` is for clusters.
`presto.profile`, `presto.recommend`, `presto.report` and `presto.verify` run
the program, and return what it measures and recommends as objects.
doc/python.md is the manual.
"""

import importlib
import typing

from presto._presto import Error, UsageError
from presto._presto import version as __version__
from presto.batch import Batch
from presto.loader import Field, Loader, Statistics
from presto.steps import Step, steps

if typing.TYPE_CHECKING:
    from presto import jax, ray, serve_ray, tf, torch
    from presto.command import ProgramError
    from presto.plans import Verification, verify
    from presto.results import (
        GateError,
        Recommendation,
        Report,
        profile,
        recommend,
        report,
        reports,
    )
    from presto.tracing import trace
    from presto.tracing_file import TraceError

__all__ = [
    "Batch",
    "Error",
    "Field",
    "GateError",
    "Loader",
    "ProgramError",
    "Recommendation",
    "Report",
    "Statistics",
    "Step",
    "TraceError",
    "UsageError",
    "Verification",
    "__version__",
    "jax",
    "profile",
    "ray",
    "recommend",
    "report",
    "reports",
    "serve_ray",
    "steps",
    "tf",
    "torch",
    "trace",
    "verify",
]

# Parts that are imported at their first use: names, and modules that have
# them.  A module with the name itself, such as presto.torch, is the part.
_LATER = {
    "GateError": "presto.results",
    "ProgramError": "presto.command",
    "Recommendation": "presto.results",
    "Report": "presto.results",
    "TraceError": "presto.tracing_file",
    "Verification": "presto.plans",
    "jax": "presto.jax",
    "profile": "presto.results",
    "ray": "presto.ray",
    "recommend": "presto.results",
    "report": "presto.results",
    "reports": "presto.results",
    "serve_ray": "presto.serve_ray",
    "tf": "presto.tf",
    "torch": "presto.torch",
    "trace": "presto.tracing",
    "verify": "presto.plans",
}

if not typing.TYPE_CHECKING:

    def __getattr__(name):
        if name not in _LATER:
            raise AttributeError(f"module 'presto' has no attribute '{name}'")
        module = importlib.import_module(_LATER[name])
        if _LATER[name] == f"presto.{name}":
            return module
        return getattr(module, name)

    def __dir__():
        return sorted({*globals(), *_LATER})
