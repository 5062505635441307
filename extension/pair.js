// The page that pairs the extension with the program: its address, and the code it shows.

const t = chrome.i18n.getMessage;
const find = (id) => document.getElementById(id);
const OWN = /^http:\/\/(127\.0\.0\.1|localhost)(:\d{1,5})?\/?$/;

document.documentElement.lang = chrome.i18n.getUILanguage();
for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);

// Where the program's page is open, which shows the code; else where it was before.
const { address } = await chrome.storage.local.get("address");
const open = (await chrome.tabs.query({ url: ["http://127.0.0.1/*", "http://localhost/*"] }))
  .filter(({ title }) => title?.startsWith("imgpuzzle"))
  .sort((one, other) => (other.lastAccessed ?? 0) - (one.lastAccessed ?? 0));
const known = open.length ? new URL(open[0].url).origin : address;
if (known) find("address").value = known;

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = find("address").value.trim();
  if (!OWN.test(given)) {
    find("said").textContent = t("own_address");
    return;
  }
  const origin = new URL(given).origin;
  find("said").textContent = "";
  try {
    const answer = await fetch(`${origin}/api/pair`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: find("code").value.replace(/\s/g, "") }),
    });
    const said = await answer.json();
    if (!answer.ok) {
      find("said").textContent = answer.status === 403 ? t("wrong_code") : said.error.message;
      return;
    }
    await chrome.storage.local.set({ address: origin, token: said.token });
    find("code").value = "";
    find("said").textContent = t("paired");
  } catch {
    find("said").textContent = t("offline");
  }
});
