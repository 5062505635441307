// Small helpers for elements.

import { find, make, makeSvg } from "./elements.js";
import { t } from "./i18n.js";

export { find, make, makeSvg };

export function icon(name, extra = "") {
  return makeSvg(
    "svg",
    { class: `icon ${extra}`.trim(), "aria-hidden": "true" },
    makeSvg("use", { href: `#i-${name}` }),
  );
}

// Buttons that cannot be used now stay in the tab order, so that focus is not lost.
export function setUsable(button, usable) {
  button.setAttribute("aria-disabled", String(!usable));
}

export const isUsable = (button) => button.getAttribute("aria-disabled") !== "true";

// Show a picture that is a file, or none; the address of the one before is given back.
export function showFile(picture, file) {
  URL.revokeObjectURL(picture.src);
  if (file) picture.src = URL.createObjectURL(file);
  else picture.removeAttribute("src");
}

let announced = 0;
// Say something to screen readers only.
export function announce(text) {
  const region = find("announce");
  region.textContent = "";
  clearTimeout(announced);
  announced = setTimeout(() => (region.textContent = text), 60);
}

// A short message, in text or nodes. Errors take room of their own above the content,
// and stay until they are closed or something succeeds; notes lie over the head of the
// page for a moment, with a tick; what is only to be known has the kind "known". `action`, { text, run }, is a button beside the words.
export function toast(words, { kind = "note", action = null } = {}) {
  const said = make("div", { class: "toast-words" }, make("p", {}, ...[words].flat()));
  const box = make("div", { class: `toast ${kind}` }, icon(kind === "note" ? "check" : "note"), said);
  const close = () => box.remove();
  if (action) {
    const run = () => {
      close();
      action.run();
    };
    said.append(make("button", { type: "button", class: "button slim", text: action.text, onclick: run }));
    clearActions();
  }
  box.append(make("button", { type: "button", class: "button bare", "aria-label": t("close"), onclick: close }, icon("close")));
  const region = find(kind === "bad" ? "alerts" : "toasts");
  // Of what was done the last is told, beside what can be clicked still.
  if (kind === "note") for (const old of region.querySelectorAll(".note:not(:has(.toast-words .button))")) old.remove();
  while (region.children.length > 1) region.firstChild.remove();
  region.append(box);
  // What can be clicked stays long enough to be read and reached.
  if (kind !== "bad") setTimeout(close, action ? 12_000 : 6000);
}

// What a message offered to do is not to be done to something else.
export function clearActions() {
  for (const button of find("toasts").querySelectorAll(".toast-words .button")) button.closest(".toast").remove();
}

export const clearErrors = () => find("alerts").replaceChildren();

// Arrow keys move the focus within a grid of cells; one of them is a tab stop.
export function roam(cells, rows, cols) {
  let current = Math.max(0, cells.findIndex((cell) => cell.getAttribute("tabindex") === "0"));
  cells.forEach((cell, index) => {
    cell.setAttribute("tabindex", index === current ? "0" : "-1");
    cell.addEventListener("focus", () => {
      cells[current].setAttribute("tabindex", "-1");
      current = index;
      cell.setAttribute("tabindex", "0");
    });
    cell.addEventListener("keydown", (event) => {
      const [row, col] = [Math.floor(index / cols), index % cols];
      const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      const step = steps[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const [r, c] = [row + step[0], col + step[1]];
      if (r >= 0 && r < rows && c >= 0 && c < cols) cells[r * cols + c].focus();
    });
  });
}
