// Between the game's tab and the program on this computer: takes the pictures of the tab,
// and asks the program. What is known of a game is kept in its tab (overlay.js); nothing
// is kept here but the address and the token of the pairing.

const GRACE_MS = 520; // browsers take two pictures a second, and refuse more

let takenAt = 0;

// Scripts in pages, ours too, have no use for the token: it stays with the extension's own
// pages and this worker.
const kept = chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

chrome.action.onClicked.addListener(async (tab) => {
  await kept;
  const { token } = await chrome.storage.local.get("token");
  if (!token) {
    await chrome.runtime.openOptionsPage();
    return;
  }
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["overlay.js"] });
});

const ASKS = { turn, picture, look, read, solve, board };

// Answers are { answer } or { error }, a text for the player.
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  const ask = ASKS[message.ask];
  // Only our own script in a tab asks; pages cannot send messages here.
  if (!ask || !sender.tab || sender.id !== chrome.runtime.id) return false;
  ask(message, sender.tab).then(
    (answer) => reply({ answer }),
    (error) => reply({ error: error.message, kind: error.kind ?? "" }),
  );
  return true;
});

// Until a picture may be taken: whoever asks hides what it draws only then.
async function turn() {
  const wait = takenAt + GRACE_MS - Date.now();
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  return true;
}

async function picture(_, tab) {
  await turn();
  await isSeen(tab);
  takenAt = Date.now();
  const taken = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
  await isSeen(tab); // the player may have gone to another tab meanwhile
  return taken;
}

// What is captured is the tab in front: it has to be the one that asked.
async function isSeen({ id, windowId }) {
  const [front] = await chrome.tabs.query({ active: true, windowId });
  if (front?.id !== id) throw Object.assign(new Error(chrome.i18n.getMessage("hidden")), { kind: "TabHidden" });
}

function read({ picture: screenshot, reference }) {
  return call("read", reference ? { screenshot, reference } : { screenshot });
}

// `marks` are the places, in px, at which the picture shows what was drawn over the game.
function look({ puzzle, version, picture: frame, marks }) {
  return call(`read/${encodeURIComponent(puzzle)}/${Number(version)}/look`, { frame }, null, { marks: JSON.stringify(marks) });
}

// A position beside the known way, to be solved for itself.
function board({ board: rows, goal }) {
  return call("board", null, { board: rows, goal });
}

// The best way that is known after a few seconds, or the shortest one if it comes sooner.
async function solve({ puzzle, seconds }) {
  const { job } = await call("solve", null, { reading: puzzle, time_limit: seconds });
  let after = -1;
  for (;;) {
    const now = await call(`jobs/${encodeURIComponent(job)}?after=${after}`);
    after = now.version;
    if (now.state === "failed") throw Object.assign(new Error(now.error.message), { kind: now.error.kind });
    if (now.state === "done" || now.state === "cancelled") return now.result ?? now.best;
  }
}

async function call(path, form = null, json = null, texts = {}) {
  const { address, token } = await chrome.storage.local.get(["address", "token"]);
  const options = { headers: { authorization: `Bearer ${token}` } };
  if (form) {
    options.method = "POST";
    options.body = new FormData();
    for (const [name, data] of Object.entries(form)) {
      options.body.append(name, await (await fetch(data)).blob(), `${name}.png`);
    }
    for (const [name, text] of Object.entries(texts)) options.body.append(name, text);
  } else if (json) {
    options.method = "POST";
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(json);
  }
  let answer;
  try {
    answer = await fetch(`${address}/api/${path}`, options);
  } catch {
    throw Object.assign(new Error(chrome.i18n.getMessage("offline")), { kind: "offline" });
  }
  const said = await answer.json().catch(() => null);
  if (answer.ok && said) return said;
  if (answer.status === 403) {
    // The server was started anew: it knows nobody any more.
    await chrome.storage.local.remove("token");
    throw Object.assign(new Error(chrome.i18n.getMessage("unpaired")), { kind: "ForbiddenError" });
  }
  const { message = "", kind = "" } = said?.error ?? {};
  throw Object.assign(new Error(message), { kind });
}
