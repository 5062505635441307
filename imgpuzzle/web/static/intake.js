// Ways in: a picture that is dropped, pasted or chosen, a sample, or typed numbers.

import { api } from "./api.js";
import { find, icon, isUsable, make, showFile, toast } from "./dom.js";
import { on } from "./events.js";
import { onLanguage, t } from "./i18n.js";
import { isFilm, isMoving, review } from "./review.js";
import samples from "./samples.js";
import { addReference, continueWith, forget, openBoard, openPair, openSample, openScreenshot, placeByHand, session, swapPair } from "./session.js";
import { solutionJob } from "./solving.js";
import { errorNodes } from "./words.js";

// An empty file is none: a form with it looks like one in which nothing was chosen.
const isPicture = (file) => file.size > 0 && (file.type.startsWith("image/") || /\.(png|jpe?g|webp|gif|bmp|avif|heic|heif|tiff?)$/i.test(file.name));
const REFERENCE_NAME = /(^|[^a-z])(ref|reference|goal|solved|original|complete|target)([^a-z]|$)/i;
const SCREENSHOT_NAME = /(^|[^a-z])(screenshot|screen|shot|scrambled|shuffled)([^a-z]|$)|снимок|скриншот/i;
const NAMED = 100; // what a name weighs: more than all else

// What a picture can be, given what is there already; the likeliest first.
function roles() {
  if (!session.puzzle && !session.source) return ["screenshot", "reference"];
  const known = session.puzzle?.screenshot && solutionJob();
  const late = session.puzzle?.screenshot ? ["reference"] : [];
  return known ? ["now", "screenshot", ...late] : ["screenshot", ...late];
}

// What went wrong is said where the visitor is: a window hides what lies behind it.
function complain(...words) {
  if (!find("now-dialog").open) {
    toast(words, { kind: "bad" });
    return;
  }
  find("now-error").hidden = false;
  find("now-error").replaceChildren(...words);
}

function take(file, role) {
  if (!isPicture(file)) {
    complain(t("not_a_picture", { name: file.name }));
    return;
  }
  if (role === "now") goOn(file);
  else if (role === "screenshot") openScreenshot(file);
  else if (session.puzzle) addReference(file);
  else keepReference(file);
}

// Several files at once: two pictures are the screenshot and the solved picture.
// Without a role, a single one is asked about if there is a choice.
// A recording is told as such, unless it was given as a picture; `likeliest` is the role
// of other files.
async function takeAll(files, role = null, likeliest = null) {
  if (files.some(isFilm)) {
    if (files.length > 1 || find("now-dialog").open) complain(t("one_recording"));
    else review(files[0]);
    return;
  }
  if (files.length === 1 && !["reference", "now"].includes(role) && (await isMoving(files[0]))) {
    review(files[0]);
    return;
  }
  role ??= likeliest;
  const pictures = files.filter(isPicture);
  if (!files.length) return;
  const other = files.find((file) => !isPicture(file));
  if (other && pictures.length) toast(t("not_a_picture", { name: other.name }));
  if (!pictures.length) complain(t("not_a_picture", { name: other.name }));
  else if (pictures.length > 2) complain(t("too_many", { count: pictures.length }));
  else if (pictures.length === 1) role ? take(pictures[0], role) : takeOrAsk(pictures[0]);
  else if (role === "now") complain(t("one_screenshot"));
  else takePair(pictures);
}

// Which of two pictures is the screenshot: by their names, else by what screenshots
// are like. It is only what is tried first.
async function takePair(pictures) {
  const marks = await Promise.all(pictures.map(likeScreenshot));
  const ordered = marks[1] > marks[0] ? [pictures[1], pictures[0]] : pictures;
  openPair(...ordered, { named: Math.abs(marks[0] - marks[1]) >= NAMED });
}

async function likeScreenshot(file) {
  const named = SCREENSHOT_NAME.test(file.name) - REFERENCE_NAME.test(file.name);
  let pixels = 0;
  let screen = false;
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    pixels = width * height;
    screen = Math.abs(width - height) > 0.05 * Math.max(width, height);
  } catch {
    // A kind that only the server can read.
  }
  return NAMED * named + 2 * screen + (file.type === "image/png") + pixels / 1e9;
}

// A picture that came without saying what it is: ask, if there is a choice.
function takeOrAsk(file) {
  const possible = roles();
  if (find("now-dialog").open) return take(file, "now");
  if (!session.puzzle && !session.source) return take(file, "screenshot");
  if (possible.length === 1) return take(file, possible[0]);
  ask(file, possible);
}

function ask(file, possible) {
  const dialog = find("ask");
  find("ask-title").textContent = t("ask_title");
  showFile(find("ask-picture"), file);
  const buttons = possible.map((role, index) =>
    make(
      "button",
      {
        type: "button",
        class: index ? "button" : "button primary",
        onclick: () => {
          dialog.close();
          take(file, role);
        },
      },
      make("span", { text: t(`role_${role}`) }),
    ),
  );
  buttons.push(make("button", { type: "button", class: "button quiet", text: t("cancel"), onclick: () => dialog.close() }));
  find("ask-choices").replaceChildren(...buttons);
  dialog.onclose = () => showFile(find("ask-picture"), null);
  dialog.showModal();
}

// The solved picture, given before the screenshot.
function keepReference(file) {
  session.reference = file;
  drawReference();
}

function drawReference() {
  const given = session.reference;
  showFile(find("reference-picture"), given);
  find("reference-picture").hidden = !given;
  find("reference-words").textContent = t(given ? "reference_given" : "reference_optional");
  find("reference-add").hidden = Boolean(given);
  find("reference-drop").hidden = !given;
}

// Of two pictures that were given at once: which was taken as what.
function drawPair() {
  const pair = session.source?.pair ?? null;
  find("pair").hidden = !pair;
  ["screenshot", "reference"].forEach((role, index) => {
    showFile(find(`pair-${role}`), pair?.[index]);
    find(`pair-${role}-name`).textContent = pair?.[index].name ?? "";
  });
}

find("pair-swap").addEventListener("click", () => session.source?.pair && !session.busy && swapPair());
on("pair", ([screenshot, reference]) => {
  toast(t("pair_taken", { screenshot: screenshot.name, reference: reference.name }), {
    action: { text: t("pair_swap"), run: () => session.source?.pair && swapPair() },
  });
});
for (const event of ["begin", "pair", "puzzle", "failure", "forget"]) on(event, drawPair);

// Going on from a later screenshot.
let busyNow = false;
async function goOn(file) {
  if (busyNow) return;
  const dialog = find("now-dialog");
  if (!dialog.open) dialog.showModal();
  busyNow = true;
  find("now-busy").hidden = false;
  find("now-error").hidden = true;
  try {
    await continueWith(file);
    dialog.close();
    scrollTo(0, 0); // a phone shows the button of it far below the board
  } catch (error) {
    complain(...errorNodes(error));
  } finally {
    busyNow = false;
    find("now-busy").hidden = true;
  }
}

find("elsewhere").addEventListener("click", () => {
  if (!isUsable(find("elsewhere"))) return;
  find("now-error").hidden = true;
  find("now-dialog").showModal();
});
find("now-close").addEventListener("click", () => find("now-dialog").close());
for (const id of ["ask", "now-dialog"]) {
  find(id).addEventListener("click", (event) => {
    if (event.target === find(id)) find(id).close(); // the backdrop
  });
}

// Choosing files.

function chosen(id, role) {
  find(id).addEventListener("change", (event) => {
    const files = [...event.target.files];
    event.target.value = ""; // the same file may be chosen again
    takeAll(files, role);
  });
}
chosen("file", "screenshot");
chosen("reference-file", "reference");
chosen("now-file", "now");
find("reference-drop").addEventListener("click", () => {
  keepReference(null);
  find("reference-file").focus();
});

// Pasting, by the keys or by a button where the browser has one for pages.

document.addEventListener("paste", (event) => {
  const files = [...(event.clipboardData?.files ?? [])];
  // Words from an office program come with a picture of themselves.
  if (event.target.closest?.("input, textarea") && !files.some(isPicture)) return;
  event.preventDefault();
  if (files.length) takeAll(files, find("now-dialog").open ? "now" : null);
  else complain(t("clipboard_empty"));
});

for (const [id, role] of [["paste", "screenshot"], ["now-paste", "now"]]) {
  find(id).hidden = !navigator.clipboard?.read;
  find(id).addEventListener("click", async () => {
    try {
      for (const item of await navigator.clipboard.read()) {
        const type = item.types.find((name) => name.startsWith("image/"));
        if (!type) continue;
        take(new File([await item.getType(type)], "pasted.png", { type }), role);
        return;
      }
      complain(t("clipboard_empty"));
    } catch {
      complain(t("clipboard_denied"));
    }
  });
}

// Dropping: while something is dragged over the page, it shows what a picture can be.

let depth = 0;
const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

document.addEventListener("dragenter", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  depth += 1;
  if (depth === 1) showTargets();
});
document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  const over = event.target.closest?.(".target");
  for (const target of find("targets").children) target.classList.toggle("over", target === over);
});
document.addEventListener("dragleave", (event) => {
  if (!carriesFiles(event)) return;
  depth = Math.max(0, depth - 1);
  if (!depth) find("targets").hidden = true;
});
document.addEventListener("drop", (event) => {
  depth = 0;
  find("targets").hidden = true;
  if (!carriesFiles(event)) return;
  event.preventDefault();
  const over = event.target.closest?.(".target")?.dataset.role;
  const folder = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).find((entry) => entry?.isDirectory);
  if (folder) {
    complain(t("a_folder", { name: folder.name }));
    return;
  }
  const files = [...event.dataTransfer.files];
  // Not upon one of the targets: the likeliest of them, which two pictures do not have.
  const likeliest = files.length > 1 ? "screenshot" : roles()[0];
  takeAll(files, find("now-dialog").open ? "now" : (over ?? null), likeliest);
});

function showTargets() {
  if (find("now-dialog").open) return; // it lies above everything and is one target
  const names = { now: "camera", screenshot: "upload", reference: "picture" };
  const targets = roles().map((role) =>
    make("div", { class: "target", "data-role": role }, icon(names[role]), make("strong", { text: t(`role_${role}`) })),
  );
  find("targets").replaceChildren(...targets);
  find("targets").hidden = false;
}

// Samples and typed numbers.

function drawSamples() {
  const cards = Object.entries(samples).map(([name, files]) => {
    const places = files.map((file) => `static/samples/${file}`);
    const button = make("button", { type: "button", class: "sample", "data-sample": name, onclick: () => openSample(name, places) });
    button.append(make("img", { src: places[0], alt: "", loading: "lazy" }), make("span", { text: t(`sample_${name}`) }));
    return button;
  });
  find("samples").hidden = !cards.length;
  find("sample-cards").replaceChildren(...cards);
}

find("typed-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = find("typed-board").value.trim();
  if (text) openBoard(text, find("typed-goal").value.trim());
  else find("typed-board").focus();
});

// Numbers that are no board stay in sight, to be mended.
on("failure", () => {
  if (find("typed").open && !session.puzzle && !session.source) requestAnimationFrame(() => find("typed-form").scrollIntoView({ block: "center" }));
});
on("given", (files) => takeAll(files));
on("busy", drawBusy);
on("forget", drawReference);
on("begin", drawReference);

// While the first answer is on its way, the picture itself shows what is going on.
function drawBusy(busy) {
  const reading = busy && !session.puzzle;
  find("start-busy").hidden = !reading;
  find("drop").hidden = reading;
  const picture = find("start-picture");
  const url = reading ? session.source?.url : null;
  picture.parentElement.hidden = !url;
  if (url) picture.src = url;
  else picture.removeAttribute("src");
  clearInterval(clock);
  find("start-place").hidden = true;
  if (!reading) return;
  const { source } = session;
  source?.measured.then(() => (find("start-place").hidden = !(source === session.source && source.width)));
  const began = performance.now();
  const tick = () => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    find("start-time").textContent = seconds ? t("reading_time", { seconds }) : "";
    const long = seconds < LONG_SECONDS ? "" : t("reading_long");
    if (find("start-long").textContent !== long) find("start-long").textContent = long;
  };
  tick();
  clock = setInterval(tick, 1000);
}

// How long it has taken so far shows that it goes on.
const LONG_SECONDS = 10;
let clock = 0;

find("start-place").addEventListener("click", placeByHand);
find("start-cancel").addEventListener("click", () => {
  forget();
  find("start-title").focus();
});
onLanguage(() => {
  drawReference();
  drawSamples();
});
