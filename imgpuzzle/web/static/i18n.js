// The page's words in the visitor's language.

import en from "./i18n/en.js";
import ru from "./i18n/ru.js";

import { make } from "./dom.js";

const tables = { en, ru };
const listeners = [];
let language = "en";
let rules = new Intl.PluralRules("en");

export const currentLanguage = () => language;

// Called whenever the language changes.
export const onLanguage = (listener) => listeners.push(listener);

// The message `key` with its {fields} filled in; `count` chooses the plural form.
export function t(key, values = {}) {
  let message = tables[language][key] ?? tables.en[key] ?? key;
  if (typeof message === "object") {
    message = message[rules.select(values.count)] ?? message.other;
  }
  return message.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export const isMessage = (key) => key in tables.en;

export const number = (value, options = {}) =>
  new Intl.NumberFormat(language, options).format(value);

export function setLanguage(name) {
  language = name in tables ? name : "en";
  rules = new Intl.PluralRules(language);
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
