"use strict";

// Runs before the first paint: the colours that the visitor chose, or what the system
// asks for.
{
  let theme = null;
  try {
    theme = localStorage.getItem("imgpuzzle.theme");
  } catch {
    // No storage here: nothing was chosen.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
}
