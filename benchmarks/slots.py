"""One sentence at a time on all threads, or several side by side on one thread each: throughput, and what a doorbell waits.

python -m benchmarks.slots [--rounds 5]

The wait is that of a sentence that is asked for while every slot has just begun another: until the first is free, and its own.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

from benchmarks.figure import Figure, print_figures
from benchmarks.networks import Feeds, ways
from wyoming_kokoro.engine.cores import allowed_cores
from wyoming_kokoro.engine.kokoro import Feed, Network
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.weights import fetch

SECTION = "threads"
_TEXTS = tuple(
    f"The {place} was left open and the living room is now {count} degrees colder."
    for place in ("front door", "window", "garage", "cellar door")
    for count in ("two", "three")
)
_BELL = "Somebody is at the door."


def measure(rounds: int = 5) -> list[Figure]:
    """The best level in both ways, in turn."""
    folder, cores = fetch().folder, allowed_cores()
    best = next((way.name for way in ways(folder) if way.name not in ("shipped", "onnx")), "onnx")
    together, alone = (next(way for way in ways(folder, threads) if way.name == best).load() for threads in (cores, 1))
    feeds = Feeds(folder)
    texts, bell = [feeds.feed(text, "af_heart") for text in _TEXTS], feeds.feed(_BELL, "af_heart")
    throughput, waits = [], []
    with ThreadPoolExecutor(cores) as slots:
        for turn in range(rounds + 1):
            one = _seconds(texts, together, slots, 1), _wait(texts, bell, together, slots, 1)
            many = _seconds(texts, alone, slots, cores), _wait(texts, bell, alone, slots, cores)
            if turn:
                throughput.append(one[0] / many[0])
                waits.append(many[1] / one[1])
    return [
        Figure.of(SECTION, f"eight sentences, {best}: {cores} side by side / one on all threads, throughput", throughput, "x"),
        Figure.of(SECTION, f"a doorbell's wait, {best}: {cores} side by side / one on all threads", waits, "x"),
    ]


def _seconds(texts: list[Feed], network: Network, slots: ThreadPoolExecutor, count: int) -> float:
    """Until all are spoken, `count` at a time."""
    began = time.perf_counter()
    shares = [texts[start::count] for start in range(count)]
    list(slots.map(lambda share: [network.run(feed, Stop()) for feed in share], shares))
    return time.perf_counter() - began


def _wait(texts: list[Feed], bell: Feed, network: Network, slots: ThreadPoolExecutor, count: int) -> float:
    """Of a sentence that finds all slots taken."""
    began = time.perf_counter()
    taken = [slots.submit(network.run, feed, Stop()) for feed in texts[:count]]
    while not any(each.done() for each in taken):
        time.sleep(0.001)
    network.run(bell, Stop())
    waited = time.perf_counter() - began
    for each in taken:
        each.result()
    return waited


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    print_figures(measure(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
