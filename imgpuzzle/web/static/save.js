// "Save": the guide as a file, in many formats, with the look that is wanted.

import { ApiError, api, work } from "./api.js";
import { find, icon, make, setUsable, isUsable } from "./dom.js";
import { emit, on } from "./events.js";
import formats from "./formats.js";
import { currentLanguage, isMessage, onLanguage, t } from "./i18n.js";
import languages from "./languages.js";
import options from "./options.js";
import { kept, keep } from "./prefs.js";
import { said, saidOfFile } from "./sayings.js";
import { session } from "./session.js";
import { solutionJob, solving } from "./solving.js";
import * as preview from "./preview.js";
import { bytes, errorNodes, lengthOf, sentence } from "./words.js";

const of = (...kinds) => formats.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
const MOVING = of("animation");
const PRINTED = of("paper", "sheets");
const GROUPS = [
  ["moving", "film", MOVING],
  ["printed", "print", PRINTED],
  ["stepped", "grid", of("page", "archive")],
  ["written", "page", of("record", "words")],
];
const DRAWN = formats.map(({ name }) => name).filter((name) => !of("record", "words").includes(name));

// What the guide's drawing makes of each way to show the tile that moves.
const HIGHLIGHTS = {
  both: { outline: "always", arrow: true },
  outline: { outline: "always", arrow: false },
  arrow: { outline: "never", arrow: true },
  brighten: { outline: "auto", arrow: false, brighten: 100 },
};

// How much of the screenshot is shown around the board: its margin leaves out the rest
// of the screen, such as the browser's own bars.
const AROUND = { none: {}, margin: { crop_px: 24 }, whole: { in_screenshot: true } };

// Each option: which formats know it, how it is chosen, and where it goes. Most are those
// of the library; what it takes in several fields, or elsewhere, is put together here.
const OPTIONS = [
  { name: "highlight", in: DRAWN, values: Object.keys(HIGHLIGHTS), otherwise: "both" },
  ...options.filter(({ making }) => !making),
  { name: "language", in: [...DRAWN, ...of("words")], values: Object.keys(languages), labels: (name) => languages[name].name, otherwise: null },
  { name: "frame_ms", in: [...MOVING, ...of("page")], values: ["350", "700", "1200"], otherwise: "700", whole: true },
  { name: "around", in: [...MOVING, ...of("archive")], values: Object.keys(AROUND), otherwise: "none", making: true },
  ...options.filter(({ making }) => making),
];

const chosen = new Map(); // option: value, as the visitor set it
let format = kept("format", "gif");
let running = null; // { controller, format, progress }
let made = []; // files, the newest first
let failure = null;
let puzzle = null;

const valueOf = (option) => chosen.get(option.name) ?? (option.name === "language" ? currentLanguage() : option.otherwise);
const isOffered = (option) => option.in.includes(format) && !(option.name === "around" && (!puzzle?.screenshot || puzzle.reading?.corners));

// What has to be installed for a format, as the server says it.
const lackOf = (name) => formats.find((one) => one.name === name).lacks;

function aboutOf(name) {
  const lack = lackOf(name);
  return !lack ? `format_${name}` : lack.kind === "not_here" ? "format_not_here" : "format_lacks";
}

function drawFormats() {
  const groups = GROUPS.map(([group, sign, formats]) =>
    make(
      "div",
      { class: "format-group", role: "group", "aria-label": t(`group_${group}`) },
      make("h2", {}, icon(sign), make("span", { text: t(`group_${group}`) })),
      make("div", { class: "format-row" }, ...formats.map((name) => {
        const input = make("input", { type: "radio", name: "format", value: name, autocomplete: "off" });
        input.checked = name === format;
        input.addEventListener("change", () => {
          format = name;
          keep("format", name);
          failure = null;
          drawFields();
          draw();
          askPreview();
        });
        return make("label", { class: "format" }, input, make("span", { class: "format-name", text: name.toUpperCase() }), make("span", { class: "small", text: t(aboutOf(name)) }));
      })),
    ),
  );
  find("formats").replaceChildren(...groups);
}

function drawFields() {
  const fields = OPTIONS.filter(isOffered).map((option) => {
    const id = `option-${option.name}`;
    const value = valueOf(option);
    let input;
    if (option.text) input = make("input", { type: "text", id, maxlength: 120, autocomplete: "off", value });
    else if (option.values) {
      input = make("select", { id, autocomplete: "off" });
      for (const one of option.values) {
        const key = `option_${option.name}_${one}`;
        // Numbers need no words.
        const text = option.labels?.(one) ?? (isMessage(key) ? t(key) : one);
        const choice = make("option", { value: one, text });
        choice.selected = one === value;
        input.append(choice);
      }
    } else {
      input = make("input", { type: "checkbox", role: "switch", id, autocomplete: "off" });
      input.checked = value;
    }
    input.addEventListener("change", () => {
      chosen.set(option.name, option.values || option.text ? input.value : input.checked);
      find("save-words").textContent = saveWords();
      askPreview();
    });
    return make("label", { class: "switch", for: id }, make("span", { text: t(`option_${option.name}`) }), input);
  });
  find("style").hidden = !fields.length;
  find("fields").replaceChildren(...fields);
}

function request() {
  const [style, making] = [{}, {}];
  for (const option of OPTIONS.filter(isOffered)) {
    const value = option.whole ? Number(valueOf(option)) : valueOf(option);
    if (option.empty && !value) continue;
    if (option.name === "highlight") Object.assign(style, HIGHLIGHTS[value]);
    else if (option.name === "around") Object.assign(making, AROUND[value]);
    else (option.making ? making : style)[option.name] = value;
  }
  return { reading: solving.reading, job: solutionJob(), format, style, options: making };
}

// What the file will look like, as soon as it is known what it will show.
function askPreview() {
  const shown = !find("view-save").hidden && solutionJob() && !session.busy && !lackOf(format);
  preview.ask(shown ? request() : null);
}

async function create() {
  const controller = new AbortController();
  const mine = { format, progress: 0, controller };
  running = mine;
  failure = null;
  draw();
  try {
    for await (const news of work(api.render(request()), controller.signal)) {
      mine.progress = news.progress ?? 0;
      if (news.state === "done") finish(news.result, mine.format);
      draw();
    }
  } catch (error) {
    if (error.name !== "AbortError") {
      if (!(error instanceof ApiError)) throw error;
      failure = { error, format: mine.format };
    }
  } finally {
    if (running === mine) running = null;
    draw();
  }
}

function finish(result, name) {
  made = [{ ...result, format: name }, ...made].slice(0, 6);
  emit("saved");
  // The download begins by itself; the link stays for a second one.
  make("a", { href: result.url, download: result.name }).click();
}

find("save-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (isUsable(find("make"))) create();
});

function draw() {
  const button = find("make");
  // While the board is read again, its solution is about to change.
  find("view-save").setAttribute("aria-busy", String(session.busy));
  const lack = lackOf(format);
  setUsable(button, Boolean(solutionJob()) && !running && !session.busy && !lack);
  button.replaceChildren(icon("download"), make("span", { text: t("make", { format: format.toUpperCase() }) }));
  find("save-words").textContent = saveWords();
  const parts = [];
  if (lack) parts.push(make("p", { class: "verdict care" }, sentence(said("", lack))));
  if (running) parts.push(progress(running));
  if (failure) parts.push(make("p", { class: "verdict bad" }, ...failed(failure)));
  parts.push(...made.map(card));
  find("made").replaceChildren(...parts);
}

// What will be in the file, in the words that the solution is counted in.
function saveWords() {
  const { best } = solving;
  if (!best) return t("save_wait");
  const moves = lengthOf(best, "single");
  if (solving.metric !== "slide") return t("save_words", { moves });
  const clicks = t("clicks", { count: best.slide_count });
  // Guides of slides have one picture a slide, but for the page.
  if (best.metric === "slide" && format !== "html") return t("save_words", { moves: clicks });
  return t("save_words_clicks", { clicks, moves, number: best.move_count });
}

function failed({ error, format: name }) {
  if (error.kind !== "MissingDependencyError") return errorNodes(error);
  return [`${t("format_missing", { format: name.toUpperCase() })} `, sentence(said(error.message, error.message_code))];
}

function progress(task) {
  const bar = make("progress", { max: 1, "aria-label": t("making", { format: task.format.toUpperCase() }) });
  if (task.progress > 0) bar.value = task.progress;
  const stop = make("button", { type: "button", class: "button slim", text: t("stop"), onclick: () => task.controller.abort() });
  const row = make("div", { class: "search-row" }, make("span", { class: "spinner", "aria-hidden": "true" }), make("span", { text: t("making", { format: task.format.toUpperCase() }) }), stop);
  return make("div", { class: "search running" }, row, bar);
}

function card(file, index) {
  const link = make("a", { class: "button", href: file.url, download: file.name }, icon("download"), make("span", { text: t("download") }));
  const about = make("div", { class: "file-about" }, make("strong", { text: file.name }), make("span", { class: "small", text: bytes(file.bytes) }));
  const notes = (file.notes ?? []).flatMap((note, at) => saidOfFile(note, file.note_codes?.[at]));
  for (const { text, lang } of notes) about.append(make("span", { class: "small", text, lang }));
  const box = make("div", { class: "file card" }, about, link);
  const { media } = formats.find(({ name }) => name === file.format);
  if (index === 0 && media.startsWith("image/")) {
    box.prepend(make("img", { src: file.url, alt: t("preview", { name: file.name }) }));
  } else if (index === 0 && media.startsWith("video/")) {
    const film = make("video", { src: file.url, controls: true, "aria-label": t("preview", { name: file.name }) });
    film.muted = true;
    box.prepend(film);
  }
  return box;
}

on("puzzle", (news) => {
  ({ puzzle } = news);
  made = [];
  failure = null;
  running?.controller.abort();
  drawFields();
  draw();
});
on("solving", () => {
  draw();
  if (solving.state !== "running") askPreview();
});
on("busy", () => {
  draw();
  askPreview();
});
on("view", askPreview);
on("forget", () => {
  puzzle = null;
  made = [];
});
onLanguage(() => {
  drawFormats();
  drawFields();
  draw();
  askPreview();
});
// A phone has no room for all of them at once.
if (matchMedia("(max-width: 47.99rem)").matches) find("style").open = false;
if (!GROUPS.some(([, , formats]) => formats.includes(format))) format = "gif";
