"""Train the reader of numbers and write imgpuzzle/vision/numbers/digits.onnx.

    python -m scripts.train_digits --fonts FOLDER --photos FOLDER --store FOLDER

Needs torch and onnx besides the package. One process paints tiles (the fonts and
photographs of the tune split only) and lays them into the store, the other trains on
what is there.
``--start digits.onnx`` goes on from weights that were written here before, with less
steps than a net from nothing needs. Nothing of the fonts or pictures goes into the
weights file but what the net has learnt of them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as nnf

from imgpuzzle.vision.numbers.digit_net import GRID, LEAST_SPREAD, MOST_ROMAN, SIDE
from scripts import digit_file
from scripts.digit_fonts import find_faces, load_pictures
from scripts.digit_painter import Sample
from scripts.harsh_painter import HarshPainter

CHUNK = 2000
OUTPUT = Path(__file__).parents[1] / "imgpuzzle" / "vision" / "numbers" / "digits.onnx"
BATCH = 128
HIGHEST_RATE = 2e-3
FURTHER_RATE = 8e-4
"""Where a trained net goes on."""


def covered(box: tuple[float, float, float, float] | None) -> np.ndarray:
    """Which share of a box lies in each cell of the attention map; sums to 1 or 0."""
    if box is None:
        return np.zeros((GRID, GRID), np.float32)
    edges = np.arange(GRID + 1) / GRID
    spans = []
    for low, high in ((box[0], box[2]), (box[1], box[3])):
        inside = np.minimum(edges[1:], high) - np.maximum(edges[:-1], low)
        spans.append(np.clip(inside, 0, None))
    cells = np.outer(spans[1], spans[0])
    return (cells / max(cells.sum(), 1e-9)).astype(np.float32)


def shrunk(sample: Sample) -> np.ndarray:
    """The tile at the net's size, as the reader scales it."""
    height, width = sample.picture.shape[:2]
    how = cv2.INTER_AREA if height > SIDE or width > SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(sample.picture, (SIDE, SIDE), interpolation=how))


def paint(fonts: list[Path], photos: Path, store: Path, seed: int, most: int) -> None:
    """Fill the store with chunks of tiles, ``most`` of them in all."""
    cv2.setNumThreads(1)
    faces = [face for folder in fonts for face in find_faces(folder, test=False)]
    painter = HarshPainter(faces, load_pictures(photos, test=False), seed)
    for number in range(most // CHUNK):
        samples = [painter.sample() for _ in range(CHUNK)]
        name = store / f"{seed}-{number:05d}"
        arrays = {
            "tiles": np.stack([shrunk(sample) for sample in samples]),
            "numbers": np.array([sample.number for sample in samples]),
            "digits": np.array([sample.digits for sample in samples]),
            "romans": np.array([sample.roman for sample in samples]),
            "where": np.stack(
                [[covered(sample.tens), covered(sample.units)] for sample in samples]
            ),
        }
        with open(f"{name}.part", "wb") as file:
            np.savez(file, **arrays)
        os.replace(f"{name}.part", f"{name}.npz")


class Net(nn.Module):
    """The net of ``imgpuzzle.vision.numbers.digit_net``, with what training needs.

    From nothing it needs normalisation; in weights that were exported it is folded.
    """

    def __init__(self, *, is_folded: bool = False) -> None:
        super().__init__()

        def block(
            inner: int, outer: int, size: int = 3, step: int = 1
        ) -> nn.Sequential:
            conv = nn.Conv2d(inner, outer, size, step, size // 2, bias=is_folded)
            norm = nn.Identity() if is_folded else nn.BatchNorm2d(outer)
            return nn.Sequential(conv, norm, nn.ReLU())

        self.c1 = block(3, 16, 5, 2)
        self.c2 = block(16, 32)
        self.c3 = block(32, 48)
        self.c4 = block(48, 48)
        self.c5 = block(48, 96)
        self.c6 = block(96, 96)
        self.c7 = block(96, 96)
        self.c8 = block(96, 96)
        self.c9 = block(96, 96, 1)
        self.where = nn.Linear(96, 2)
        self.length = nn.Linear(3 * 96, 3)
        self.tens = nn.Linear(96, 10)
        self.units = nn.Linear(96, 10)
        self.roman = nn.Linear(3 * 96, MOST_ROMAN + 1)

    def forward(self, tiles: Tensor) -> tuple[Tensor, ...]:
        """Logits of length, tens, units, place and Roman numeral.

        ``tiles`` is n x 3 x SIDE x SIDE.
        """
        maps = nnf.max_pool2d(self.c2(self.c1(tiles)), 2)
        maps = self.c3(maps)
        maps = nnf.max_pool2d(maps + self.c4(maps), 2)
        maps = self.c5(maps)
        fine = maps + self.c6(maps)
        maps = self.c7(nnf.max_pool2d(fine, 2))
        coarse = maps + self.c8(maps)
        found = self.c9(fine + nnf.interpolate(coarse, scale_factor=2.0))
        flat = found.float().flatten(2).transpose(1, 2)
        where = self.where(flat).transpose(1, 2)
        pooled = where.softmax(2) @ flat
        all_of = torch.cat([pooled[:, 0], pooled[:, 1], flat.amax(1)], 1)
        tens, units = self.tens(pooled[:, 0]), self.units(pooled[:, 1])
        return self.length(all_of), tens, units, where, self.roman(all_of)


def loss_of(
    net: Net,
    tiles: Tensor,
    numbers: Tensor,
    digits: Tensor,
    romans: Tensor,
    where: Tensor,
) -> Tensor:
    """Cross entropies of all that the net says, per tile."""
    length, tens, units, places, roman = net(tiles)
    one, two = digits > 0, digits > 1
    # I and II may be 1 and 11: nobody can tell.
    is_number, is_roman = romans - 1 > 1, (numbers != 1) & (numbers != 11)
    is_number |= romans == 0
    total = nnf.cross_entropy(length[is_number], digits[is_number], reduction="sum")
    total = total + nnf.cross_entropy(
        roman[is_roman], romans[is_roman], reduction="sum"
    )
    total = total + nnf.cross_entropy(units[one], numbers[one] % 10, reduction="sum")
    total = total + nnf.cross_entropy(tens[two], numbers[two] // 10, reduction="sum")
    pointing = -(places.log_softmax(2) * where.flatten(2)).sum()
    return (total + 0.3 * pointing) / len(tiles)


def varied(tiles: Tensor) -> Tensor:
    """Uint8 n x SIDE x SIDE x 3 to the net's input, inverted or recoloured at times."""
    values = tiles.permute(0, 3, 1, 2).float()
    if torch.rand(()) < 0.5:
        values = values[:, torch.randperm(3)]
    shift = torch.randint(-2, 3, (2,)).tolist()
    values = torch.roll(values, shift, (2, 3))
    values = values * torch.where(torch.rand(len(values), 1, 1, 1) < 0.25, -1.0, 1.0)
    return standardised(values)


def standardised(values: Tensor) -> Tensor:
    """As ``standardised`` of the reader, channels first."""
    values = values - values.mean((2, 3), keepdim=True)
    spread = values.square().mean((1, 2, 3), keepdim=True).sqrt()
    return values / spread.clamp(min=LEAST_SPREAD)


class Pool:
    """The tiles painted so far, the newest ``most`` of them."""

    def __init__(self, store: Path, most: int) -> None:
        self.store = store
        self.seen: set[str] = set()
        self.tiles = torch.empty((most, SIDE, SIDE, 3), dtype=torch.uint8)
        self.numbers = torch.empty(most, dtype=torch.long)
        self.digits = torch.empty(most, dtype=torch.long)
        self.romans = torch.empty(most, dtype=torch.long)
        self.where = torch.empty((most, 2, GRID, GRID))
        self.count = 0

    def refresh(self) -> int:
        """Take in what is new; returns how many tiles there are."""
        for path in sorted(self.store.glob("*.npz")):
            if path.name in self.seen:
                continue
            self.seen.add(path.name)
            with np.load(path) as part:
                size = len(part["numbers"])
                index = (self.count + torch.arange(size)) % len(self.numbers)
                self.tiles[index] = torch.from_numpy(part["tiles"])
                self.numbers[index] = torch.from_numpy(part["numbers"]).long()
                self.digits[index] = torch.from_numpy(part["digits"]).long()
                self.romans[index] = torch.from_numpy(part["romans"]).long()
                self.where[index] = torch.from_numpy(part["where"])
            self.count += size
        return min(self.count, len(self.numbers))


def imported(path: Path) -> Net:
    """A net with weights that ``export`` wrote; what those lack begins by chance."""
    net = Net(is_folded=True)
    stored = digit_file.read(path)
    for name, part in net.named_children():
        if f"{name}.weight" not in stored:
            continue
        layer = part[0] if isinstance(part, nn.Sequential) else part
        weight = stored[f"{name}.weight"] * stored.get(f"{name}.scale", np.float32(1))
        with torch.no_grad():
            layer.weight.copy_(torch.from_numpy(weight))
            layer.bias.copy_(torch.from_numpy(stored[f"{name}.bias"]))
    return net


def between(start: Net, trained: Net, share: float) -> Net:
    """So large a share of the way from one net to what training has made of it.

    There both what was known and what was learnt are read better than at either end
    (M. Wortsman et al., 2022). The tens are the trained net's: which digits it was
    never shown there, the other one has unlearnt for good.
    """
    weights, found = trained.state_dict(), Net(is_folded=True)
    for name, known in start.state_dict().items():
        if not name.startswith("tens."):
            weights[name] = known + share * (weights[name] - known)
    found.load_state_dict(weights)
    return found.eval()


def train(store: Path, steps: int, most: int, start: Path | None) -> Net:
    """Train so many steps on what the store has and receives."""
    net = Net() if start is None else imported(start)
    net = net.to(memory_format=torch.channels_last)
    highest = HIGHEST_RATE if start is None else FURTHER_RATE
    pool = Pool(store, most)
    while (size := pool.refresh()) < 5 * CHUNK:
        time.sleep(5)
    optimiser = torch.optim.AdamW(net.parameters(), highest, weight_decay=0.02)
    recent = 0.0
    for step in range(steps):
        share = step / steps
        warm = min(1.0, (step + 1) / 300)
        rate = highest * warm * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-5
        for group in optimiser.param_groups:
            group["lr"] = rate
        if step % 50 == 0:
            size = pool.refresh()
        chosen = torch.randint(0, size, (BATCH,))
        tiles = varied(pool.tiles[chosen]).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(
                net,
                tiles,
                pool.numbers[chosen],
                pool.digits[chosen],
                pool.romans[chosen],
                pool.where[chosen],
            )
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        recent += (loss.item() - recent) / min(step + 1, 100)
        if step % 200 == 199:
            spent = time.process_time()
            print(
                f"{share:6.1%} step {step + 1} pool {size} loss {recent:.3f}, "
                f"{spent:.0f} s of CPU",
                flush=True,
            )
    return net.eval()


def export(net: Net, path: Path) -> None:
    """Fold the normalisation into the convolutions and store them in 8 bits."""
    arrays: dict[str, np.ndarray] = {}
    for name, part in net.named_children():
        if isinstance(part, nn.Sequential):
            kernel, bias, norm = part[0].weight, part[0].bias, part[1]
            if isinstance(norm, nn.BatchNorm2d):
                factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
                kernel = kernel * factor[:, None, None, None]
                bias = norm.bias - norm.running_mean * factor
            values = kernel.detach().numpy()
            most = np.abs(values).max((1, 2, 3), keepdims=True)
            scale = np.maximum(most, 1e-12) / 127
            arrays[f"{name}.weight"] = np.round(values / scale).astype(np.int8)
            arrays[f"{name}.scale"] = scale.astype(np.float32)
        else:
            bias = part.bias
            arrays[f"{name}.weight"] = part.weight.detach().numpy().astype(np.float32)
        arrays[f"{name}.bias"] = bias.detach().numpy().astype(np.float32)
    path.parent.mkdir(exist_ok=True)
    digit_file.write(arrays, path)


def main() -> None:
    """Paint, train, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", required=True)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True, help="for painted tiles")
    parser.add_argument("--steps", type=int, default=10_000, help=f"of {BATCH} tiles")
    parser.add_argument("--most", type=int, default=400_000, help="tiles in memory")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--tiles",
        type=int,
        default=20_000_000,
        help="to paint at most; 0: those of the store",
    )
    parser.add_argument("--start", type=Path, help="weights to go on from (.onnx)")
    parser.add_argument(
        "--way", type=float, default=1.0, help="share of the way from --start to go"
    )
    parser.add_argument("--only-paint", action="store_true")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    choice = parser.parse_args()
    choice.store.mkdir(parents=True, exist_ok=True)
    if choice.only_paint:
        paint(choice.fonts, choice.photos, choice.store, choice.seed, choice.tiles)
        return
    torch.manual_seed(choice.seed)
    torch.set_num_threads(1)
    painting = multiprocessing.Process(
        target=paint,
        args=(
            choice.fonts,
            choice.photos,
            choice.store,
            choice.seed,
            choice.tiles,
        ),
        daemon=True,
    )
    if choice.tiles:
        painting.start()
    try:
        net = train(choice.store, choice.steps, choice.most, choice.start)
    finally:
        if choice.tiles:
            painting.terminate()
    if choice.start is not None:
        net = between(imported(choice.start), net, choice.way)
    export(net, choice.output)


if __name__ == "__main__":
    main()
