"""Rows of reports and recommendations, as the program has them in JSON.

The manual of `presto report` and `presto recommend` says what each column is.
Sizes are bytes, times are seconds, and None is a figure that is not known.
"""

import dataclasses

from presto.tables import Row


@dataclasses.dataclass(frozen=True, kw_only=True)
class Trial(Row):
    """A strategy with its threads and its cache: `presto report --csv`."""

    schema_version: int
    session: int
    pipeline: str
    strategy: str
    order: str | None
    split: str
    store: str | None
    codec: str | None
    shards: int
    threads: int
    cache: str
    status: str
    source: str | None
    samples: int
    runs: int
    throughput_samples_per_s: float | None
    throughput_low_samples_per_s: float | None
    throughput_high_samples_per_s: float | None
    first_epoch_samples_per_s: float | None
    prep_s: float | None
    storage_bytes: int | None
    bytes_per_sample: float | None
    read_mb_per_s: float | None
    cpu_percent: float | None
    cpu_us_per_sample: float | None
    peak_rss_bytes: int | None
    first_batch_s: float | None
    resident_percent: float | None
    bottleneck: str | None
    equivalent: str | None
    portable: str | None
    predicted_samples_per_s: float | None
    prediction_error_percent: float | None
    full_prep_s: float | None
    full_storage_bytes: float | None
    break_even_epochs: float | None
    score: float | None
    rank: int | None
    bottleneck_evidence: str | None
    interval_percent: float | None
    outliers: int | None
    ended: str | None
    prep_read_s: float | None
    prep_compute_s: float | None
    prep_compress_s: float | None
    prep_write_s: float | None
    prep_sync_s: float | None
    emulated_storage: str | None
    fits_memory: str | None
    others_percent: float | None
    relative_low: float | None
    relative_high: float | None
    full_throughput_samples_per_s: float | None
    source_samples: int | None
    full_samples: int | None
    tied: str | None
    place: int | None
    prep_error_percent: float | None
    storage_error_percent: float | None
    cold: str | None
    drift: str | None
    verified: str | None
    prep_cpu_s: float | None
    filtered: int | None  # samples that filters dropped
    cache_place: str | None
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    predicted_low_samples_per_s: float | None
    predicted_high_samples_per_s: float | None
    bound_high_samples_per_s: float | None
    why: str | None  # why it failed, was skipped, or cannot win
    difference_largest: float | None
    difference_mean: float | None
    psnr_db: float | None
    hosts: int | None  # processes that loaded at the same moment
    total_samples_per_s: float | None
    total_mb_per_s: float | None
    slowest_samples_per_s: float | None
    knee_hosts: int | None
    message: str | None  # why it failed or was skipped
    cache_bytes: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run(Row):
    """An epoch of a run: `presto report --what runs`."""

    strategy: str
    threads: int
    cache: str
    run: int
    epoch: int
    warmup: bool
    samples: int
    skipped: int | None
    wall_s: float
    samples_per_s: float | None
    first_batch_s: float | None
    user_s: float | None
    system_s: float | None
    bytes_fetched: int | None
    bytes_from_storage: int | None
    resident_percent: float | None
    peak_rss_bytes: int | None
    started_s: float | None
    others_s: float | None
    stolen_s: float | None
    waited_s: float | None
    outlier: bool
    reference_s: float | None
    filtered: int | None
    cache_place: str | None
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    shards: int | None
    source_samples: int | None
    trial: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class StepCost(Row):
    """The cost of a step in a trial: `presto report --what steps`."""

    strategy: str
    threads: int
    cache: str
    position: int
    name: str
    step: str
    samples: int | None
    cpu_s: float | None
    cpu_us_per_sample: float | None
    cpu_share_percent: float | None
    calls: int | None
    bytes_in: int | None
    bytes_out: int | None
    cpu_ns_per_byte: float | None
    cache_place: str | None
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    shards: int | None
    source_samples: int | None
    trial: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Phase(Row):
    """An activity of a trial: `presto report --what phases`."""

    strategy: str
    threads: int | None
    cache: str | None
    phase: str
    wall_s: float | None
    cpu_s: float | None
    calls: int | None
    bytes: int | None
    wall_share_percent: float | None
    origin: str | None
    cache_place: str | None
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    shards: int | None
    source_samples: int | None
    trial: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Level(Row):
    """A partial epoch of a trial: `presto report --what levels`."""

    strategy: str
    threads: int
    cache: str
    level: str
    samples: int | None
    bytes: int | None
    wall_s: float | None
    cpu_s: float | None
    samples_per_s: float | None
    mb_per_s: float | None
    cpu_percent: float | None
    cache_place: str | None
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    shards: int | None
    source_samples: int | None
    trial: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class System(Row):
    """The machine in an interval: `presto report --what system`."""

    activity: str | None
    strategy: str | None
    threads: int | None
    cache: str | None
    run: int | None
    at_s: float | None
    interval_s: float | None
    cpu_user_percent: float | None
    cpu_system_percent: float | None
    cpu_idle_percent: float | None
    cpu_wait_percent: float | None
    cpu_stolen_percent: float | None
    disk_read_mb_per_s: float | None
    disk_write_mb_per_s: float | None
    network_read_mb_per_s: float | None
    network_write_mb_per_s: float | None
    memory_free_bytes: float | None
    memory_cached_bytes: float | None
    memory_used_bytes: float | None
    major_faults_per_s: float | None
    minor_faults_per_s: float | None
    context_switches_per_s: float | None
    interrupts_per_s: float | None
    pressure_cpu_percent: float | None
    pressure_io_percent: float | None
    pressure_memory_percent: float | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Session(Row):
    """All of one `presto profile`."""

    id: int
    pipeline: str
    path: str | None
    text: str | None
    fingerprint: str | None
    dataset: str | None
    work_dir: str | None
    samples: int
    total_samples: int
    full_samples: int
    source_bytes: int | None
    total_bytes: int | None
    seed: int
    batch: int
    started: str
    ended: str | None
    state: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Machine(Row):
    """What was measured on."""

    cpu: str
    cores: int
    memory_bytes: int
    memory_limit: int
    kernel: str | None
    virtual: str | None
    source_fs: str | None
    work_fs: str | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Storage(Row):
    """An emulated storage: its limits."""

    bandwidth_bytes_per_s: float | None
    latency_s: float | None
    iops: float | None
    open_s: float | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Versions(Row):
    """What was measured with."""

    presto: str
    compiler: str
    libraries: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ranked(Row):
    """A trial in the ranking of `presto recommend`."""

    strategy: str
    split: str
    store: str | None
    codec: str | None
    threads: int | None
    cache: str | None
    throughput: float | None
    throughput_low: float | None
    throughput_high: float | None
    prep_s: float | None
    storage_bytes: int | None
    full_prep_s: float | None
    full_storage_bytes: int | None
    break_even_epochs: float | None
    bottleneck: str | None
    score: float | None
    rank: int | None
    tied: bool
    pareto: bool
    meets_constraints: bool
    total_s: float | None
    cost: float | None
    equivalent: str | None
    portable: str | None
    bottleneck_evidence: str | None
    full_throughput: float | None
    outgrows_memory: bool | None
    sufficient: bool | None
    covers: float | None
    emulated_storage: str | None
    unranked: str | None
    full_throughput_low: float | None
    full_throughput_high: float | None
    loss: float | None
    drift: str | None
    psnr_db: float | None
    cache_place: str | None
    source_samples: int | None
    shards: int | None
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    hosts: int | None
    total_mb_per_s: float | None
    knee_hosts: int | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Winner(Row):
    """The strategy that `presto recommend` names."""

    strategy: str
    split: str
    store: str | None
    codec: str | None
    threads: int | None
    cache: str | None
    throughput: float | None
    speedup_over_unprocessed: float | None
    prep_s: float | None
    storage_bytes: int | None
    full_prep_s: float | None
    full_storage_bytes: float | None
    break_even_epochs: float | None
    bottleneck: str | None
    reason: str | None
    command: str | None
    bottleneck_evidence: str | None
    bottleneck_before: str | None
    bottleneck_before_evidence: str | None
    fits_memory: str | None
    next_best: str | None
    break_even_epochs_next: float | None
    full_throughput: float | None
    emulated_storage: str | None
    total_s: float | None
    cost: float | None
    open: str | None
    settle: str | None
    assumed_cache: str | None
    cache_place: str | None
    other_reader: str | None
    full_throughput_low: float | None
    full_throughput_high: float | None
    drift: str | None
    rival: str | None
    loss: float | None
    inconclusive: bool
    fetchers: int | None
    read_ahead: int | None
    shuffle: int | None
    batch: int | None
    shards: int | None
    source_samples: int | None
