// Has the engine begun when the button is pressed, and takes the pictures of the tab. What
// is known of a game is kept in its tab (overlay.js); nothing is kept here.

const GRACE_MS = 520; // browsers take two pictures a second, and refuse more

let takenAt = 0;
let opening = null;

// Chrome's background may have no workers: there the engine has a document that nobody
// sees. In other browsers this is the background, and host.js runs beside it.
async function host() {
  if (!chrome.offscreen) return;
  const [there] = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (there) return;
  const justification = "Reads pictures of the game and looks for its solution in a worker.";
  opening ??= chrome.offscreen.createDocument({ url: "host.html", reasons: ["WORKERS"], justification }).finally(() => (opening = null));
  await opening;
}

async function pressed(tab) {
  await host();
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["overlay.js"] });
}

// Until a picture may be taken: whoever asks hides what it draws only then.
async function turn() {
  const wait = takenAt + GRACE_MS - Date.now();
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  return true;
}

async function picture(tab) {
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
  if (front?.id !== id) throw Object.assign(new Error(), { kind: "TabHidden" });
}

const ASKS = { host, turn, picture };

// Chrome's document has neither button nor tabs.
if (chrome.action) {
  chrome.action.onClicked.addListener(pressed);
  // Answers are { answer } or { error }.
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    const ask = ASKS[message.ask];
    // Only our own script in a tab asks; pages cannot send messages here.
    if (!ask || !sender.tab || sender.id !== chrome.runtime.id) return false;
    ask(sender.tab).then(
      (answer) => reply({ answer }),
      (error) => reply({ error: error.message, kind: error.kind ?? "" }),
    );
    return true;
  });
}
