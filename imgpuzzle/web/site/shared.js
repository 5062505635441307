// A picture that another app of the phone has shared with this one.

import { emit } from "./events.js";

async function take() {
  history.replaceState(history.state, "", "./");
  const cache = await caches.open("imgpuzzle-shared");
  const found = await cache.match("picture");
  await cache.delete("picture");
  if (!found) return;
  const blob = await found.blob();
  emit("given", [new File([blob], "shared", { type: blob.type })]);
}

// By then the page is there.
if (location.search === "?shared") addEventListener("load", take);
