// The beginning of a guide, drawn as its file will have it, before that is made.

import { ApiError, api, work } from "./api.js";
import { find, make } from "./dom.js";
import formats from "./formats.js";
import { onLanguage, t } from "./i18n.js";

const WAIT_MS = 200; // several choices in a row are one
const MOST_LINES = 14;
const KINDS = { animation: "loop", sheets: "page", paper: "page", words: "text", record: "text" };
const kindOf = (format) => KINDS[formats.find(({ name }) => name === format).kind] ?? "step";

let wanted = null; // the request whose picture is to be shown
let shown = ""; // the one whose picture is shown, as text
let timer = 0;
let busy = false;

// Show what a request would make, or nothing. The latest one counts.
export function ask(request) {
  wanted = request;
  if (!request) {
    find("preview").hidden = true;
    shown = "";
  }
  clearTimeout(timer);
  if (request && !busy) timer = setTimeout(run, WAIT_MS);
}

const isShown = () => !wanted || JSON.stringify(wanted) === shown;

async function run() {
  if (busy || isShown()) return;
  busy = true;
  const request = wanted;
  find("preview").setAttribute("aria-busy", "true");
  try {
    const parts = await drawn(request);
    // Words change their language with the next picture only.
    if (wanted && parts) show(request, parts);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // What is wrong is said when the file is asked for.
    if (request === wanted) find("preview").hidden = true;
  } finally {
    shown = JSON.stringify(request);
    busy = false;
    find("preview").setAttribute("aria-busy", "false");
    if (!isShown()) run();
  }
}

async function drawn(request) {
  for await (const news of work(api.render({ ...request, preview: true }))) {
    if (news.state !== "done") continue;
    const { url } = news.result;
    if (kindOf(request.format) !== "text") {
      const picture = make("img", { src: url, alt: t("preview_alt") });
      await picture.decode();
      return picture;
    }
    const lines = (await api.text(url)).trimEnd().split("\n");
    const text = lines.slice(0, MOST_LINES).map((line) => line.slice(0, 400));
    return make("pre", { text: [...text, ...(lines.length > MOST_LINES ? ["…"] : [])].join("\n"), tabindex: "0" });
  }
  return null;
}

let kind = "";

function show({ format }, content) {
  kind = kindOf(format);
  find("preview").hidden = false;
  find("preview-room").replaceChildren(content);
  find("preview-words").textContent = t(`preview_${kind}`);
}

onLanguage(() => {
  if (kind) find("preview-words").textContent = t(`preview_${kind}`);
});
