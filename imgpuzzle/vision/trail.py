"""``Trail``: what was looked at on the way to a reading, and which rule decided.

In: candidates with what their witnesses have said so far, matches with the reference,
and the outcome of each step, noted as the search goes on; nothing is asked for it.
Out: lines for ``imgpuzzle read --explain``, and the same as data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from imgpuzzle.vision.tuning import TUNING

if TYPE_CHECKING:
    from imgpuzzle.vision.candidate import Candidate
    from imgpuzzle.vision.reference.assess import Assessment
    from imgpuzzle.vision.report import Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """One question and what came of it, as data: the pictures of tiles are large.

    Attributes:
        view: What was searched: the screenshot, or a picture made from it. Places of
            candidates and matches are in its px.
        rule: What was asked, in words; of a rule of ``decide`` with its name.
        outcome: What it found, or why nothing.
        candidates: The grids in question, the likeliest first.
        matches: The same for places that were compared with the reference.
    """

    view: str
    rule: str
    outcome: dict[str, Any]
    candidates: list[dict[str, Any]]
    matches: list[dict[str, Any]]

    def lines(self) -> list[str]:
        """The step in words and nats."""
        found = " ".join(f"{name} {value}" for name, value in self.outcome.items())
        lines = [f"{self.rule}: {found}"]
        for one in (*self.candidates, *self.matches):
            told = ", ".join(f"{name} {value}" for name, value in one.items())
            lines.append(f"    {told}")
        return lines


@dataclass(slots=True)
class Trail:
    """The steps, in the order in which they were taken; the last one decided."""

    steps: list[Step] = field(default_factory=list)

    def note(
        self,
        view: str,
        rule: str,
        outcome: Outcome | None,
        candidates: Sequence[Candidate] = (),
        matches: Sequence[Assessment] = (),
    ) -> None:
        """Keep a step; an ``outcome`` of ``None`` is one with nothing to say."""
        some = [_witnesses(one) for one in candidates[: TUNING.most_told]]
        fits = [_match(one) for one in matches[: TUNING.most_told]]
        self.steps.append(Step(view, rule, _outcome(outcome), some, fits))

    def to_dict(self) -> list[dict[str, Any]]:
        """All steps as data."""
        return [asdict(step) for step in self.steps]

    def lines(self) -> list[str]:
        """All steps, a line for each, for each candidate and for another view."""
        lines = []
        view = ""
        for step in self.steps:
            if step.view != view:
                view = step.view
                lines.append(f"in {view}")
            lines += step.lines()
        return lines


def _outcome(outcome: Outcome | None) -> dict[str, Any]:
    from imgpuzzle.vision.report import Refused

    if outcome is None:
        return {"found": "nothing"}
    if isinstance(outcome, Refused):
        return {"refused": outcome.message.kind.value}
    found = {
        "found": str(outcome.shape),
        "at": str(outcome.region),
        "by": outcome.method,
        "lead": f"{outcome.verdict.nats:.1f} nats (needs {outcome.sure_nats:.1f})",
    }
    doubts = sorted(kind.value for kind in outcome.kinds)
    return {**found, "doubts": ", ".join(doubts) or "none"}


def _witnesses(one: Candidate) -> dict[str, Any]:
    """What each witness has said of a grid; those not asked are left out."""
    told: dict[str, Any] = {
        "grid": str(one.shape),
        "at": str(one.cut.region),
        "looks": f"{one.support:.1f} nats",
    }
    numbers = one.asked_numbers()
    if numbers is not None:
        told["numbers"] = f"{numbers:.1f} nats a tile"
    if one.is_laid:
        told["seams"] = f"quality {one.quality:.2f}"
        told["seams' lead"] = f"{one.laid.margin_nats:.1f} nats"
        told["in all"] = f"{one.total:.1f} nats"
        told["blank"] = "none"
        if not one.best.is_whole:
            row, col = one.shape.row_col(one.best.blank)
            told["blank"] = f"row {row + 1}, column {col + 1}"
        told["in order"] = "yes" if one.is_in_order else "no"
    elif one.passed_over is not None:
        told["not pieced together because"] = one.passed_over
    return told


def _match(one: Assessment) -> dict[str, Any]:
    """How well a place shows the reference."""
    at = one.alignment.screen
    sides = (round(n) for n in (at.left, at.top, at.width, at.height))
    row, col = one.best.shape.row_col(one.best.blank)
    return {
        "grid": str(one.best.shape),
        "at": ",".join(map(str, sides)),
        "unexplained": f"{one.residue:.0%} of the colours, {one.detail:.0%} of details",
        "score": f"{one.score:.3f}",
        "strange tiles": len(one.misfits),
        "blank": f"row {row + 1}, column {col + 1}",
        "complete picture": "yes" if one.is_whole else "no",
    }
