// The code that lets the extension of the browser in.

import { api } from "./api.js";
import { find, toast } from "./dom.js";
import { errorNodes } from "./words.js";

let clock = 0;

find("pairing-new").addEventListener("click", async () => {
  try {
    const { code, seconds } = await api.pairing();
    // In two groups it is easier to carry over.
    find("pairing-code").textContent = `${code.slice(0, 3)} ${code.slice(3)}`;
    clearTimeout(clock);
    clock = setTimeout(() => (find("pairing-code").textContent = ""), 1000 * seconds);
  } catch (error) {
    toast(errorNodes(error), { kind: "bad" });
  }
});
