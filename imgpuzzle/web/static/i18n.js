// The page's words in the visitor's language, as the server has them from the catalogues
// of the library: the one that was chosen, or the first of the browser's that is there.

import { make } from "./dom.js";
import languages from "./languages.js";
import { kept } from "./prefs.js";

const wanted = [kept("language"), ...navigator.languages].map((tag) => (tag ?? "").toLowerCase().split("-")[0]);
const listeners = [];
let language = wanted.find((name) => Object.hasOwn(languages, name)) ?? "en";
let words = languages[language];

export const currentLanguage = () => language;

// Called whenever the language changes.
export const onLanguage = (listener) => listeners.push(listener);

// The message `key` with its {fields} filled in; `count` chooses the plural form.
export function t(key, values = {}) {
  let message = words.messages[key] ?? key;
  if (Array.isArray(message)) {
    const { count } = values;
    message = message[words.plural[count < words.plural.length ? count : 100 + (count % 100)]];
  }
  return message.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export const isMessage = (key) => Object.hasOwn(words.messages, key);

export const number = (value, options = {}) =>
  new Intl.NumberFormat(language, options).format(value);

export function setLanguage(name) {
  [language, words] = [name, languages[name]];
  document.documentElement.lang = language;
  translate(document);
  for (const listener of listeners) listener();
}

// A message with [keys] in square brackets, as nodes.
function withKeys(message) {
  return message
    .split(/(\[[^\]]+\])/)
    .filter(Boolean)
    .map((part) => (part.startsWith("[") ? make("kbd", { text: part.slice(1, -1) }) : part));
}

// Fill in all elements that name their message.
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) {
    element.replaceChildren(...withKeys(t(element.dataset.t)));
  }
  for (const element of root.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
  for (const element of root.querySelectorAll("[data-t-title]")) {
    element.title = t(element.dataset.tTitle);
  }
}
