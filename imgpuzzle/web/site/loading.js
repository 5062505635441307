// How far the engine is: a line of the first view, until it is there.

import { find, make } from "./dom.js";
import { on } from "./events.js";
import { number, onLanguage, t } from "./i18n.js";
import { start } from "./transport.js";

const words = make("span");
const bar = make("progress", { max: 1, id: "engine-progress" });
const again = make("button", { type: "button", class: "button slim", id: "engine-again", onclick: () => start() });
const spinner = make("span", { class: "spinner", "aria-hidden": "true" });
const box = make("div", { class: "search running", id: "engine", role: "status" }, make("div", { class: "search-row" }, spinner, words, again), bar);
find("samples").before(box);

let state = { done: 0, total: 0 };

const megabytes = (bytes) => number(bytes / 1e6, { maximumFractionDigits: 0 });

function draw() {
  const { done = 0, total = 0, ready = false, failed = false } = state;
  const arrives = done < total;
  box.hidden = ready;
  again.hidden = !failed;
  again.textContent = t("engine_again");
  spinner.hidden = bar.hidden = failed;
  bar.setAttribute("aria-label", t("engine_starting"));
  bar.value = total ? done / total : 0;
  const loading = () => t("engine_loading", { done: megabytes(done), total: megabytes(total) });
  words.textContent = failed ? t("engine_failed") : arrives ? loading() : t("engine_starting");
}

on("loading", (news) => {
  state = news;
  draw();
});
onLanguage(draw);
