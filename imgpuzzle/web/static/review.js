// A recording of a game: how it was played, as the server says it.

import { ApiError, api, work } from "./api.js";
import { find, icon, make } from "./dom.js";
import { emit } from "./events.js";
import { currentLanguage, onLanguage, t } from "./i18n.js";
import { openScreenshot } from "./session.js";
import { bytes, errorWords, sentence as worded } from "./words.js";

const FILM = /\.(mp4|m4v|webm|mkv|mov|avi)$/i;

let running = null; // { file, controller, state }
let found = null; // the server's answer
let failure = null; // { error, file }

export const isFilm = (file) => file.size > 0 && (file.type.startsWith("video/") || FILM.test(file.name));

// Whether a picture moves: its file then has more than one frame.
export async function isMoving(file) {
  if (!/\.(gif|webp|png)$/i.test(file.name) && !/gif|webp|png/.test(file.type)) return false;
  // Letters of one byte each, to look for what stands before frames.
  const text = new TextDecoder("latin1").decode(await file.arrayBuffer());
  if (text.startsWith("GIF8")) return text.split("\x00\x21\xf9\x04").length > 2;
  return /^RIFF....WEBPVP8X.{14}ANIM/s.test(text) || /^.PNG.{0,400}acTL/s.test(text);
}

export async function review(file) {
  stop();
  const mine = { file, controller: new AbortController(), state: null };
  [running, found, failure] = [mine, null, null];
  emit("open", "review");
  draw();
  try {
    const { signal } = mine.controller;
    const begun = api.review({ recording: file, language: currentLanguage() }, signal);
    for await (const news of work(begun, signal)) {
      if (mine !== running) return;
      mine.state = news;
      if (news.state === "done") found = news.result;
      draw();
    }
  } catch (error) {
    if (error.name === "AbortError" || mine !== running) return;
    if (!(error instanceof ApiError)) throw error;
    failure = { error, file };
  }
  if (mine === running) running = null;
  draw();
}

export const isEmpty = () => !(running || found || failure);

function stop() {
  running?.controller.abort();
  running = null;
}

function draw() {
  find("review-busy").hidden = !running;
  if (running) {
    const { state } = running;
    const [seconds, queued] = [state?.text, state?.state === "queued"];
    const judging = state?.progress > 0;
    find("review-now").hidden = queued;
    find("review-words").textContent = queued ? t("waits") : judging ? t("review_judging") : seconds ? t("review_seen", { seconds }) : "";
    const bar = find("review-progress");
    if (judging) bar.value = state.progress;
    else bar.removeAttribute("value");
  }
  const parts = [];
  if (failure) {
    const { text, detail } = errorWords(failure.error);
    parts.push(worded(detail ?? { text }, "p"));
    parts[0].className = "verdict bad";
    if (!isFilm(failure.file)) {
      const { file } = failure;
      parts.push(make("button", { type: "button", class: "button", text: t("review_first"), onclick: () => openScreenshot(file) }));
    }
  }
  if (found) {
    const link = make("a", { class: "button primary", href: found.url, download: found.name }, icon("download"), make("span", { text: t("review_page") }));
    const saved = make("div", { class: "review-page" }, link, make("span", { class: "small", text: bytes(found.bytes) }));
    parts.push(...(found.bytes ? [saved] : []), ...found.parts.map(card));
  }
  find("review-parts").replaceChildren(...parts);
}

function card({ moves, picture, told }) {
  const language = currentLanguage();
  const { head, start, facts, moves: lines, rest } = told[language];
  const box = make("section", { class: "card review-part" });
  const words = make("div", { class: "review-facts" }, ...[...head, ...facts, ...rest].map((text) => make("p", {}, ...linked(text))));
  const shown = picture
    ? make("img", { class: "review-start", src: picture, alt: `${t("review_start")}: ${start}` })
    : make("pre", { text: start });
  box.append(make("div", { class: "review-head" }, shown, words));
  if (moves) {
    const list = make("ol", { class: "review-moves" }, ...lines.map((text) => make("li", { text: text.replace(/^ *\d+ +/, "") })));
    box.append(make("details", {}, make("summary", { text: t("review_moves") }), list));
  }
  return box;
}

// The address in a sentence as a link, and sizes as the page writes them.
function linked(sentence) {
  const text = sentence.replace(/\b(\d+)x(\d+)\b/, "$1 × $2");
  const [, before, address] = /^(.*?)(https:\S+)$/.exec(text) ?? [];
  if (!address) return [text];
  return [before, make("a", { href: address, target: "_blank", rel: "noreferrer", text: new URL(address).host })];
}

find("review-cancel").addEventListener("click", () => {
  stop();
  emit("open", "start");
  draw();
});
onLanguage(draw);
