"""Train the net that finds boards and write imgpuzzle/vision/propose/finder.onnx.

    python -m scripts.train_finder FOLDER [FOLDER ...] --store FOLDER

Needs torch and onnx besides the package. The folders hold photographs (JPEG, WebP),
clip art (PNG with alpha) and fonts; screens are drawn of them
(``benchmarks/scenes/screens``), kept in the store as the net is shown them, and trained
on for a fixed number of steps. The weights in the project were trained on pictures
under CC0 or in the public domain only (panoramas of blender-data and of the npm package
@pmndrs/assets, photographs of scikit-image, openclipart-png) and on the fonts of
Debian's packages under free licences; nothing of them is in the file but what the net
has learnt of them.
"""

from __future__ import annotations

import argparse
import copy
import io
import math
import multiprocessing
import queue
import random
import threading
import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as nnf

from benchmarks.scenes.screens import Screen, draw_screen
from benchmarks.scenes.stock import Stock
from imgpuzzle.files.image import write_atomically
from imgpuzzle.vision.propose.maps import MAPS, reduced

OUTPUT = Path(__file__).parents[1] / "imgpuzzle" / "vision" / "propose" / "finder.onnx"
KEPT_SIDE, SIDE = 272, 192
"""Sides in px of what is kept of a screen, and of what is trained on."""

EXPORTED_SIDE = 224  # OpenCV 4.10 takes any multiple of 16 where a size is fixed
CHUNK, BATCH = 250, 12
HIGHEST_RATE = 4e-3
NEAR_SHARE = 0.6
WIDTHS = (16, 24, 40, 48)
LINE_WEIGHT = torch.tensor([1.0, 4.0, 4.0, 4.0, 4.0]).view(1, 5, 1, 1)
MAP_WEIGHT = torch.tensor([1.0, 1.5, 1.5, 1.0, 1.0]).view(1, 5, 1, 1)


class View(NamedTuple):
    """A view of a screen as the net is shown it, and its board in px of the view."""

    shown: np.ndarray
    rows: int
    cols: int
    box: tuple[float, float, float, float]
    gap: tuple[float, float]


def view_of(screen: Screen, part: tuple[float, float, float, float]) -> View:
    """A part of a screen (left, top, width, height in px), reduced."""
    left, top, width, height = (round(value) for value in part)
    scale = min(1.5, KEPT_SIDE / math.sqrt(width * height))
    size = max(8, round(width * scale)), max(8, round(height * scale))
    across, down = size[0] / width, size[1] / height
    x, y, wide, high = screen.box
    box = (x - left) * across, (y - top) * down, wide * across, high * down
    gap = screen.gap[0] * across, screen.gap[1] * down
    shown = reduced(screen.image, (left, top, width, height), size)
    return View(shown, screen.rows, screen.cols, box, gap)


def draw(job: tuple[list[Path], Path, int, bool]) -> None:
    """A chunk of screens: each whole, and about its board."""
    folders, file, seed, test = job
    if file.exists():
        return
    cv2.setNumThreads(1)
    stock = Stock(folders, test=test, seed=seed)
    views = []
    for _ in range(CHUNK):
        screen = draw_screen(stock)
        high, wide = screen.image.shape[:2]
        views.append(view_of(screen, (0, 0, wide, high)))
        if screen.rows:
            x, y, width, height = screen.box
            margin = 0.6
            near = x - margin * width, y - margin * height
            size = (1 + 2 * margin) * width, (1 + 2 * margin) * height
        else:  # any place
            near = stock.rng.uniform(0, 0.4) * wide, stock.rng.uniform(0, 0.4) * high
            size = 0.5 * wide, 0.5 * high
        views.append(view_of(screen, (*near, *size)))
    packed = {f"shown{number}": view.shown for number, view in enumerate(views)}
    truth = [(view.rows, view.cols, *view.box, *view.gap) for view in views]
    stored = io.BytesIO()
    np.savez(stored, truth=np.array(truth), **packed)
    write_atomically(file, stored.getbuffer())


def loaded(files: list[Path]) -> list[View]:
    """The views of some chunks, whole and near in turn."""
    views = []
    for file in files:
        with np.load(file) as stored:
            for number, row in enumerate(stored["truth"]):
                rows, cols, x, y, width, height, across, down = row
                shown = stored[f"shown{number}"]
                box, gap = (x, y, width, height), (across, down)
                views.append(View(shown, int(rows), int(cols), box, gap))
    return views


def sample(rng: random.Random, view: View, *, is_near: bool) -> tuple[np.ndarray, View]:
    """A window of a view as the net might be shown it, SIDE x SIDE x 5."""
    high, wide = view.shown.shape[:2]
    x, y, width, height = view.box
    if is_near and view.rows:
        share = rng.uniform(0.52, 0.92)
        side = math.sqrt(width * height) / share
        aspect = math.sqrt(width / height) * math.exp(rng.gauss(0, 0.12))
        across, down = side * aspect, side / aspect
        middle = (
            x + width / 2 + rng.uniform(-0.55, 0.55) * max(0.0, across - width),
            y + height / 2 + rng.uniform(-0.55, 0.55) * max(0.0, down - height),
        )
        scale = min(SIDE / math.sqrt(across * down), SIDE / (max(width, height) * 1.02))
    else:
        across, down = wide * rng.uniform(0.88, 1.05), high * rng.uniform(0.88, 1.05)
        middle = (
            (0.5 + rng.uniform(-0.06, 0.06)) * wide,
            (0.5 + rng.uniform(-0.06, 0.06)) * high,
        )
        scale = SIDE / max(across, down)
    stretched = scale * math.exp(rng.gauss(0, 0.05))
    matrix = np.array([
        [stretched, 0, SIDE / 2 - middle[0] * stretched],
        [0, scale, SIDE / 2 - middle[1] * scale],
    ])  # fmt: skip
    colours = np.ascontiguousarray(view.shown[..., :3])
    edges = np.ascontiguousarray(view.shown[..., 3:])
    window = np.dstack([
        cv2.warpAffine(colours, matrix, (SIDE, SIDE), borderValue=(127, 127, 127)),
        cv2.warpAffine(edges, matrix, (SIDE, SIDE), borderValue=(0, 0)),
    ])  # fmt: skip
    box = (
        x * stretched + matrix[0, 2],
        y * scale + matrix[1, 2],
        width * stretched,
        height * scale,
    )
    gap = view.gap[0] * stretched, view.gap[1] * scale
    return turned(rng, View(window, view.rows, view.cols, box, gap))


def turned(rng: random.Random, view: View) -> tuple[np.ndarray, View]:
    """The view mirrored and coloured anew."""
    shown, rows, cols, (x, y, width, height), gap = view
    if rng.random() < 0.5:
        shown, x = shown[:, ::-1], SIDE - x - width
    if rng.random() < 0.5:
        shown, y = shown[::-1], SIDE - y - height
    if rng.random() < 0.5:
        shown = shown.transpose(1, 0, 2)[..., [0, 1, 2, 4, 3]]
        x, y, width, height, rows, cols = y, x, height, width, cols, rows
        gap = gap[1], gap[0]
    shown = np.ascontiguousarray(shown)
    if rng.random() < 0.5:
        shown[..., :3] = shown[..., rng.sample(range(3), 3)]
    if rng.random() < 0.2:
        shown[..., :3] = 255 - shown[..., :3]
    if rng.random() < 0.15:
        shown[..., :3] = shown[..., :3].mean(axis=2, keepdims=True)
    return shown, View(shown, rows, cols, (x, y, width, height), gap)


def target(view: View) -> tuple[np.ndarray, np.ndarray]:
    """The maps that the net is to draw, 5 x n x n, and where they count."""
    count = SIDE // 2
    maps = np.zeros((len(MAPS), count, count), np.float32)
    weight = np.ones_like(maps)
    if not view.rows:
        return maps, weight
    at = np.arange(count) * 2 + 1.0
    x, y, width, height = view.box
    inside_x = ((at >= x) & (at <= x + width)).astype(np.float32)
    inside_y = ((at >= y) & (at <= y + height)).astype(np.float32)
    pitch_x = (width + view.gap[0]) / view.cols
    pitch_y = (height + view.gap[1]) / view.rows

    def lines(places: list[float]) -> np.ndarray:
        apart = (at[:, None] - np.array(places)) / 1.5
        return np.exp(-0.5 * apart**2).max(axis=1).astype(np.float32)

    across = [x + pitch_x * line - view.gap[0] / 2 for line in range(1, view.cols)]
    down = [y + pitch_y * line - view.gap[1] / 2 for line in range(1, view.rows)]
    maps[0] = inside_y[:, None] * inside_x
    maps[1] = inside_y[:, None] * lines(across)
    maps[2] = lines(down)[:, None] * inside_x
    maps[3] = inside_y[:, None] * lines([x, x + width])
    maps[4] = lines([y, y + height])[:, None] * inside_x
    weight[1] *= pitch_x >= 7
    weight[2] *= pitch_y >= 7
    return maps, weight


class Strip(nn.Module):
    """Means along rows and columns: a line is a line over the whole board."""

    def __init__(self, width: int) -> None:
        super().__init__()
        inner = width // 2
        self.first = nn.Conv2d(width, inner, 1)
        self.across = nn.Conv2d(inner, inner, (1, 5), padding=(0, 2))
        self.down = nn.Conv2d(inner, inner, (5, 1), padding=(2, 0))
        self.last = nn.Conv2d(inner, width, 1)

    def forward(self, shown: Tensor) -> Tensor:
        """Add to each px what its row and column show."""
        some = nnf.relu(self.first(shown))
        across = nnf.relu(self.across(some.mean(2, keepdim=True)))
        down = nnf.relu(self.down(some.mean(3, keepdim=True)))
        return shown + self.last(across + down)


def layer(given: int, made: int, size: int = 3, step: int = 1) -> nn.Sequential:
    """Convolution, normalisation, rectification."""
    convolution = nn.Conv2d(given, made, size, step, size // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(made), nn.ReLU())


class Block(nn.Module):
    """Two convolutions beside the input, and a strip."""

    def __init__(self, width: int) -> None:
        super().__init__()
        last = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.body = nn.Sequential(layer(width, width), last, nn.BatchNorm2d(width))
        self.strip = Strip(width)

    def forward(self, shown: Tensor) -> Tensor:
        """The input with what is found in it."""
        return self.strip(nnf.relu(shown + self.body(shown)))


class Net(nn.Module):
    """A small U-Net with strips: 5 layers in, 5 maps at half the size out."""

    def __init__(self) -> None:
        super().__init__()
        one, two, three, four = WIDTHS
        self.down1 = layer(5, one, 5, 2)
        self.down2 = nn.Sequential(layer(one, two, 3, 2), Block(two))
        self.down3 = nn.Sequential(layer(two, three, 3, 2), Block(three), Block(three))
        self.down4 = nn.Sequential(
            layer(three, four, 3, 2), Block(four), Block(four), Block(four)
        )
        self.up3, self.block3 = layer(four, three, 1), Block(three)
        self.up2, self.block2 = layer(three, two, 1), Block(two)
        self.up1, self.skip1 = layer(two, 16, 1), layer(one, 16, 1)
        self.block1 = layer(16, 16)
        self.out = nn.Conv2d(16, len(MAPS), 1)

    def forward(self, shown: Tensor) -> Tensor:
        """The maps before the logistic function."""

        def larger(small: Tensor) -> Tensor:
            return nnf.interpolate(small, scale_factor=2.0, mode="nearest")

        first = self.down1(shown)
        second = self.down2(first)
        third = self.down3(second)
        drawn = self.block3(larger(self.up3(self.down4(third))) + third)
        drawn = self.block2(larger(self.up2(drawn)) + second)
        return self.out(self.block1(larger(self.up1(drawn)) + self.skip1(first)))


def batch(
    rng: random.Random, views: list[View], count: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Windows of random views with what is to be drawn, and where it counts."""
    shown, maps, weights = [], [], []
    for _ in range(count):
        is_near = rng.random() < NEAR_SHARE
        view = views[2 * rng.randrange(len(views) // 2) + is_near]
        window, at = sample(rng, view, is_near=is_near)
        drawn, weight = target(at)
        shown.append(window)
        maps.append(drawn)
        weights.append(weight)
    tensor = torch.from_numpy(np.stack(shown)).permute(0, 3, 1, 2).float()
    tensor = (tensor / 127.5 - 1).contiguous(memory_format=torch.channels_last)
    return tensor, torch.from_numpy(np.stack(maps)), torch.from_numpy(np.stack(weights))


def loss_of(drawn: Tensor, maps: Tensor, weight: Tensor) -> Tensor:
    """Cross entropy of each px, and a quarter of how badly whole maps overlap."""
    apart = nnf.binary_cross_entropy_with_logits(
        drawn, maps, reduction="none", pos_weight=LINE_WEIGHT
    )
    shown, true = torch.sigmoid(drawn) * weight, maps * weight
    both = 2 * (shown * true).sum((2, 3)) + 1
    overlap = both / (shown.pow(2).sum((2, 3)) + true.pow(2).sum((2, 3)) + 1)
    return (apart * weight * MAP_WEIGHT).mean() + 0.25 * (1 - overlap).mean()


def train(views: list[View], held: list[View], steps: int, threads: int) -> Net:
    """The mean of the nets of the last steps."""
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    rng = random.Random(5)
    net = Net().to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(
        net.parameters(), lr=1e-3, weight_decay=1e-3, betas=(0.9, 0.98)
    )
    held_rng = random.Random(9)
    checks = [batch(held_rng, held, 16) for _ in range(6)]
    ready: queue.Queue[tuple[Tensor, Tensor, Tensor]] = queue.Queue(4)

    def feed() -> None:
        for _ in range(steps):
            ready.put(batch(rng, views, BATCH))

    threading.Thread(target=feed, daemon=True).start()
    begun, seen = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        share = step / steps
        rate = HIGHEST_RATE * min(share / 0.06 + 0.02, 1.0)
        if share > 0.06:
            rate = (
                HIGHEST_RATE * (0.5 + 0.5 * math.cos(math.pi * (share - 0.06) / 0.94))
                + 1e-5
            )
        for group in optimiser.param_groups:
            group["lr"] = rate
        shown, maps, weight = ready.get()
        net.train()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            drawn = net(shown)
        loss = loss_of(drawn.float(), maps, weight)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        seen = loss.item() if step == 1 else 0.98 * seen + 0.02 * loss.item()
        if step % 10 == 0:
            believed = min(0.85, step / (step + 400))
            with torch.no_grad():
                for kept, new in zip(
                    mean.state_dict().values(), net.state_dict().values(), strict=True
                ):
                    if kept.dtype.is_floating_point:
                        kept.lerp_(new, 1 - believed)
                    else:
                        kept.copy_(new)
        if step % 200 == 0 or step == steps:
            mean.eval()
            with torch.no_grad():
                losses = [loss_of(mean(a).float(), b, c).item() for a, b, c in checks]
            print(
                f"{step} steps, {time.monotonic() - begun:.0f} s: {seen:.4f}, "
                f"held out {sum(losses) / len(losses):.4f}",
                flush=True,
            )
    return mean.eval()


def export(net: Net, file: Path) -> None:
    """Write the net with half-precision weights."""
    import onnx
    from onnx import numpy_helper

    plain = net.to(memory_format=torch.contiguous_format)
    shape = torch.zeros(1, 5, EXPORTED_SIDE, EXPORTED_SIDE)
    whole = file.with_suffix(".whole.onnx")
    torch.onnx.export(
        plain, (shape,), str(whole), input_names=["shown"], output_names=["maps"],
        opset_version=11, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(whole))
    whole.unlink()
    casts = []
    for weights in list(model.graph.initializer):
        values = numpy_helper.to_array(weights)
        if values.dtype != np.float32 or values.size < 16:
            continue
        name = weights.name
        half = numpy_helper.from_array(values.astype(np.float16), name + "_half")
        model.graph.initializer.remove(weights)
        model.graph.initializer.append(half)
        casts.append(
            onnx.helper.make_node(
                "Cast", [half.name], [name], to=onnx.TensorProto.FLOAT
            )
        )
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    write_atomically(file, model.SerializeToString())


def main() -> None:
    """Draw, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--screens", type=int, default=5000)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    args = parser.parse_args()
    args.store.mkdir(parents=True, exist_ok=True)
    jobs = [
        (args.folders, args.store / f"train{number:03}.npz", 100 + number, False)
        for number in range(args.screens // CHUNK)
    ]
    jobs.append((args.folders, args.store / "held.npz", 7, True))
    with multiprocessing.Pool(args.processes) as pool:
        pool.map(draw, jobs, chunksize=1)
    views = loaded([job[1] for job in jobs[:-1]])
    net = train(views, loaded([jobs[-1][1]]), args.steps, args.processes)
    export(net, args.output)


if __name__ == "__main__":
    main()
