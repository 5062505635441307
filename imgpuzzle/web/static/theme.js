"use strict";

// Runs before the first paint: the colours and the language that the visitor chose,
// or what the system asks for.
{
  const kept = (name) => {
    try {
      return localStorage.getItem(`imgpuzzle.${name}`);
    } catch {
      return null; // no storage here: nothing was chosen
    }
  };
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = kept("theme");
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
  const language = kept("language") ?? navigator.language ?? "en";
  root.lang = language.toLowerCase().startsWith("ru") ? "ru" : "en";
}
