// What is known of the number of moves, and the search for fewer.

import { find, icon, isUsable, make, setUsable } from "./dom.js";
import { on } from "./events.js";
import { currentLanguage, t } from "./i18n.js";
import { player } from "./player.js";
import { session } from "./session.js";
import { cancelSolving, isProven, solving, startSolving } from "./solving.js";
import { claim, errorNodes, lengthOf, steps } from "./words.js";

const LONGER_SECONDS = 60;

// While the board is read again, nothing begins from what was known of it.
on("busy", (busy) => {
  find("view-follow").setAttribute("aria-busy", String(busy));
  setUsable(find("elsewhere"), !busy);
  if (player.board) drawClaim();
});

export function drawClaim() {
  const { result, line, own } = player;
  const searching = solving.state === "running";
  const title = result?.shown?.title[currentLanguage()] ?? t("grid_puzzle", { rows: player.board?.rows ?? 0, cols: player.board?.cols ?? 0 });
  find("follow-title").textContent = title;
  const box = find("claim");
  box.hidden = !result;
  if (result) {
    const proven = isProven(result);
    // Long solutions are never proven shortest: nothing is wrong with them.
    box.className = `claim ${proven && !own ? "good" : "calm"}`;
    const words = own ? t("claim_own", { total: steps(line.last), moves: lengthOf(result) }) : claim(result, searching, solving.metric);
    box.replaceChildren(icon(own ? "note" : "check"), make("span", { text: words }));
  }
  // Many games move several tiles with one click.
  const fewer = result && result.slide_count < result.move_count;
  find("slides-row").hidden = !(fewer || find("slides").checked);
  find("slides-count").textContent = !fewer || own ? "" : solving.metric === "slide"
    ? t("slides_moves", { count: result.move_count })
    : t("slides_clicks", { count: result.slide_count });
  const { rows, cols } = player.board ?? { rows: 0, cols: 0 };
  find("stages-row").hidden = !result?.move_count || Math.min(rows, cols) < 2 || Boolean(result.shown);
  // Whose moves the server shows, the visitor follows, and makes none of their own.
  find("modes").hidden = Boolean(result?.shown);
  drawSearch(searching);
}

function drawSearch(searching) {
  const box = find("search");
  const failed = solving.state === "failed" || (solving.state === "cancelled" && !solving.best);
  const longer = !searching && solving.best && !isProven(solving.best) && !player.own;
  box.hidden = !(searching || failed || longer);
  box.classList.toggle("running", searching);
  const words = find("search-words");
  const button = find("search-stop");
  find("search-progress").hidden = !searching;
  if (searching) {
    const shortens = solving.best && solving.metric !== "stages";
    words.textContent = t(solving.waits ? "waits" : solving.setup ? "search_setup" : shortens ? "searching_shorter" : "searching");
    const bar = find("search-progress");
    if (solving.progress > 0) bar.value = solving.progress;
    else bar.removeAttribute("value");
    button.textContent = t(solving.best ? "take_this" : "stop");
    setUsable(button, true);
    button.onclick = cancelSolving;
  } else {
    if (failed && solving.error) words.replaceChildren(...errorNodes(solving.error));
    else words.textContent = t(failed ? "search_stopped" : "not_proven");
    button.textContent = t(failed ? "search_again" : "search_longer");
    setUsable(button, !session.busy);
    button.onclick = () => isUsable(button) && startSolving(session.puzzle, { seconds: LONGER_SECONDS });
  }
}
