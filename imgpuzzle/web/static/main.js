// The page as a whole: its views, its colours, its language.

import "./along.js";
import "./check.js";
import { clearActions, clearErrors, find, make, toast } from "./dom.js";
import { emit, on } from "./events.js";
import { pause } from "./follow.js";
import "./goals.js";
import { currentLanguage, onLanguage, setLanguage, t } from "./i18n.js";
import "./kinds.js";
import "./intake.js";
import languages from "./languages.js";
import { openLinked } from "./links.js";
import { keep, kept } from "./prefs.js";
import "./save.js";
import "./share.js";
import { said } from "./sayings.js";
import { forget, openPair, openScreenshot, session } from "./session.js";
import * as review from "./review.js";
import * as shelf from "./shelf.js";
import { solving } from "./solving.js";
import * as trail from "./trail.js";
import { hasServer } from "./transport.js";
import { errorNodes } from "./words.js";

const VIEWS = ["start", "check", "follow", "save", "review"];

let current = "";

function open(name, { focus = true } = {}) {
  // After a reload nothing is known of a recording.
  if (name === "review" && review.isEmpty()) name = !session.puzzle ? "start" : session.trusted ? "follow" : "check";
  if (current !== name) {
    for (const view of VIEWS) find(`view-${view}`).hidden = view !== name;
    if (name !== "follow") pause();
    if (current) scrollTo(0, 0);
    current = name;
    document.body.dataset.view = name;
    if (focus) find(`${name}-title`).focus({ preventScroll: true });
    emit("view", name);
    leaveTrail();
  }
  for (const tab of find("tabs").children) {
    if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  drawTabs();
}

function drawTabs() {
  const given = Boolean(session.puzzle) || current === "check";
  find("tabs").hidden = !given;
  // While the first picture is read, it is the way out.
  find("fresh").hidden = current === "start" && !session.busy;
  // While the board is read anew, what was known of it is about to change.
  const ready = Boolean(session.puzzle?.solvable && session.trusted) && !session.busy;
  for (const tab of find("tabs").children) {
    const name = tab.dataset.view;
    tab.disabled = !(name === "check" || name === current || (ready && (name === "follow" || solving.best)));
  }
}

for (const tab of find("tabs").children) {
  tab.addEventListener("click", () => open(tab.dataset.view));
}
for (const id of ["home", "fresh"]) {
  find(id).addEventListener("click", () => {
    if (current === "start" && !session.busy) return;
    const work = session.puzzle && shelf.workOf(session.puzzle.id);
    const { file, pair } = session.source ?? {};
    const again = !session.puzzle && file && (() => (pair ? openPair(...pair, { only: true }) : openScreenshot(file)));
    forget();
    open("start");
    // Of what could not be read, the picture itself.
    if (again) toast(t("put_away_picture"), { action: { text: t("take_back"), run: again } });
    // Nothing is lost: it lies on the shelf.
    if (work) toast(t("put_away"), { action: { text: t("take_back"), run: () => reopen(work) } });
  });
}

function reopen(work) {
  shelf.bring(shelf.workOf(work.reading) ?? work, open, { quiet: true });
}

// Back and forward.

let travels = 0;
let travelling = true; // on the way to an entry of the history: what is shown is none yet
let marking = false;

function leaveTrail() {
  if (marking || travelling) return;
  marking = true;
  // Once all has settled: a view is often opened in two steps.
  queueMicrotask(() => {
    marking = false;
    if (!travelling) markTrail();
  });
}

function markTrail(options) {
  if (session.busy && !session.puzzle && current !== "start") return;
  const reading = current === "start" ? null : (session.puzzle?.id ?? null);
  trail.mark({ view: current, reading }, options);
}

function arrive(mine) {
  if (mine !== travels) return;
  travelling = false;
  // What could not be shown as it was leaves its place to what is shown.
  markTrail({ instead: true });
}

async function travel({ view, reading }) {
  const work = reading && shelf.workOf(reading);
  const mine = (travels += 1);
  travelling = true;
  if (reading && reading === session.puzzle?.id) {
    const ready = session.trusted && session.puzzle.solvable;
    open(ready ? view : "check");
  } else if (work) {
    await shelf.bring(work, open, { at: view, quiet: true });
  } else if (!(view === "check" && session.failure && !session.puzzle)) {
    if (reading) toast(t("error_404"), { kind: "bad" });
    forget();
    open("start");
  } else open("check");
  arrive(mine);
}

// A new puzzle is read where the first one was given.
on("begin", ({ quiet }) => {
  clearActions();
  if (quiet) return;
  travels += 1;
  travelling = false;
  open("start", { focus: false });
});
for (const event of ["puzzle", "busy"]) on(event, leaveTrail);

// Where a new answer leads: straight on when it is sure, else to be checked.
on("puzzle", ({ puzzle, fresh }) => {
  if (!fresh) {
    if (!(puzzle.solvable && session.trusted) && current !== "check") open("check");
    drawTabs();
    return;
  }
  open(puzzle.solvable && session.trusted ? "follow" : "check");
});

on("failure", (error) => {
  if (session.puzzle) {
    toast(errorNodes(error), { kind: "bad" });
    if (current !== "check") open("check");
    return;
  }
  if (error.isNoBoard && session.source && !session.source.broken) {
    open("check");
    return;
  }
  toast(errorNodes(error), { kind: "bad" });
  if (current !== "check" || !session.source) {
    forget();
    open("start");
  }
});
on("reference-ignored", (note) => toast(note ? said("", note).text : t("reference_ignored"), { kind: "known" }));
for (const event of ["solving", "busy"]) on(event, drawTabs);
for (const event of ["begin", "puzzle", "jump", "saved"]) on(event, clearErrors);

// Colours.

const dark = matchMedia("(prefers-color-scheme: dark)");

function drawTheme() {
  const now = document.documentElement.dataset.theme;
  const label = t(now === "dark" ? "theme_light" : "theme_dark");
  find("theme").setAttribute("aria-label", label);
  find("theme").title = label;
}

find("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = now;
  // What the system asks for anyway is not a choice.
  keep("theme", now === (dark.matches ? "dark" : "light") ? null : now);
  drawTheme();
});
dark.addEventListener("change", () => {
  // A choice stands; some browsers announce a change while they load the page, too.
  if (kept("theme")) return;
  document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  drawTheme();
});

// Language.

onLanguage(() => {
  drawTheme();
  document.title = t("page_title");
});
find("language").addEventListener("change", (event) => {
  keep("language", event.target.value);
  setLanguage(event.target.value);
});

on("open", open);
on("reopen", reopen);
on("travel", travel);
for (const [name, { name: title }] of Object.entries(languages)) {
  find("language").append(make("option", { value: name, lang: name, title, text: name.toUpperCase() }));
}
find("language").value = currentLanguage();
setLanguage(currentLanguage());
for (const part of document.querySelectorAll(hasServer ? "[data-alone]" : "[data-server]")) part.remove();
open("start", { focus: false });
(openLinked() ?? shelf.comeBack((name) => open(name, { focus: false }), history.state)).finally(() => arrive(0));
