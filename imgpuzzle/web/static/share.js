// "Share the game": the browser shows this page a window, a tab or the screen, and the
// page says the next move after every move that is made there.

import { leap, setActive, walk } from "./along.js";
import { ApiError, api } from "./api.js";
import { find, toast } from "./dom.js";
import { on } from "./events.js";
import { Tour, pathTo } from "./line.js";
import { closeMini, drawMini } from "./mini.js";
import { onLanguage, t } from "./i18n.js";
import { player } from "./player.js";
import { continueWith, openRead, session } from "./session.js";
import { solving } from "./solving.js";
import { errorNodes } from "./words.js";

const TICK_MS = 120; // between two looks at the shared picture
const AGAIN_MS = 350; // until what did not change is asked about once more
const SLOW_MS = 1500; // the same, when the first answers did not help
const MOST_AGAIN = 4; // for a tile on its way, two frames are enough
const READ_MS = 2500; // between two readings while no puzzle is found
const THUMB_PX = 128; // the side of the picture in which changes are looked for
const CHANGE_LEVELS = 5; // shared pictures are not compressed: at rest nothing changes
const QUALITY = 0.92;

const ticker = new Worker(new URL("ticker.js", import.meta.url));
const video = document.createElement("video");
video.muted = true;
const frame = document.createElement("canvas");
const thumb = document.createElement("canvas");

let stream = null;
let state = "";
let busy = false;
let last = null; // the pixels of the thumb that was looked at
let region = null; // of the board in the frame
let settled = false; // the last answer said all there was to see
let again = 0; // times that an unchanged picture was asked about
let askedAt = 0;

function say(name) {
  if (state === name) return;
  state = name;
  draw();
}

function draw() {
  find("sharing").hidden = !stream;
  for (const id of ["share", "share-now"]) find(id).hidden = !canShare || Boolean(stream);
  document.body.classList.toggle("shared", Boolean(stream));
  if (!stream) return;
  find("sharing-words").textContent = t(`sharing_${state}`);
  find("sharing").dataset.state = state;
  drawMini(t(`sharing_${state}`), state === "watching" || state === "turning");
}

// Begin and end.

const canShare = Boolean(navigator.mediaDevices?.getDisplayMedia);

async function begin() {
  if (stream) return;
  let given;
  try {
    given = await navigator.mediaDevices.getDisplayMedia({
      // The pointer would lie on the tile that was clicked last.
      video: { cursor: "never", frameRate: { max: 15 } },
      audio: false,
      selfBrowserSurface: "exclude",
      surfaceSwitching: "include",
    });
  } catch (error) {
    // Who closes the browser's question has thought better of it.
    if (error.name !== "NotAllowedError") toast(t("share_failed"), { kind: "bad" });
    return;
  }
  stream = given;
  stream.getVideoTracks()[0].addEventListener("ended", end);
  video.srcObject = stream;
  // Not waited for: it is done when the first frame comes, which may have to be asked for.
  video.play().catch(() => {});
  forgetFrame();
  watched();
  state = "";
  say("looking");
  ticker.postMessage(TICK_MS);
}

function end() {
  if (!stream) return;
  ticker.postMessage(0);
  for (const track of stream.getTracks()) track.stop();
  stream = null;
  video.srcObject = null;
  closeMini();
  watched();
  draw();
}

function forgetFrame() {
  last = null;
  settled = false;
  again = 0;
  region = null;
}

// How tiles lie turned is not seen while the game is followed: where they may, the visitor
// says that a move is made.
const isTurned = () => session.puzzle?.turned;

// The solution follows the game instead of clicks.
function watched() {
  const watches = stream !== null && !isTurned();
  if (player.line) setActive(watches, { watched: watches });
}

find("share").addEventListener("click", begin);
find("share-now").addEventListener("click", begin);
find("sharing-stop").addEventListener("click", end);

// Looking.

ticker.onmessage = async () => {
  if (busy || !stream) return;
  busy = true;
  try {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await refresh();
    else await look();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.kind === "offline" ? "offline" : "looking");
    settled = false;
    askedAt = performance.now();
  } finally {
    busy = false;
  }
};

async function look() {
  const now = pixels();
  const changed = !last || differs(now, last);
  if (changed) again = 0;
  const { puzzle } = session;
  if (session.busy) return;
  if (!puzzle?.screenshot) {
    if (!isAfter(READ_MS)) return;
    if (changed) await read(now);
    else await refresh();
    return;
  }
  if (!(puzzle.solvable && session.trusted)) {
    say("check");
    return;
  }
  if (!player.line) {
    say(solving.state === "failed" || solving.state === "cancelled" ? "stopped" : "solving");
    return;
  }
  if (isTurned()) {
    say(player.at === player.line.last ? "solved" : "turning");
    return;
  }
  // The last of a slide may be too little a change to be noticed.
  const pause = again < MOST_AGAIN ? AGAIN_MS : SLOW_MS;
  if (!changed && (settled || !isAfter(pause))) return;
  if (!changed) again += 1;
  if (!changed || !last) await refresh();
  last = now;
  askedAt = performance.now();
  const sent = await picture("image/jpeg");
  if (session.puzzle !== puzzle || !stream) return;
  const seen = await api.look(puzzle.id, puzzle.version, sent);
  if (session.puzzle !== puzzle || !stream) return;
  await take(seen, sent);
}

const isAfter = (milliseconds) => performance.now() - askedAt >= milliseconds;

async function take(seen, sent) {
  settled = seen.kind === "position" || seen.kind === "moved_to" || seen.kind === "gone";
  region = seen.region;
  if (seen.kind === "moved_to") last = null; // it is looked at in another place now
  if (seen.board) {
    await arrive(seen.board.flat(), sent);
    return;
  }
  say(seen.kind);
  if (seen.kind === "changed") await readAnew(sent);
}

// The tiles lie so now: go there, one move after the other if there are few.
async function arrive(labels, sent) {
  const { line, at } = player;
  if (!line) {
    settled = false;
    return;
  }
  const path = pathTo(line, at, labels, player.slides);
  if (path) {
    if (path.length) walk(path);
    say(player.at === player.line.last ? "solved" : "watching");
    return;
  }
  if (line instanceof Tour) {
    await leap(labels);
    say("watching");
    return;
  }
  say("looking");
  await readAnew(sent);
}

// Another position than a few moves lead to, or another puzzle.
async function readAnew(sent) {
  try {
    await continueWith(sent);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await open(sent);
  }
  forgetFrame();
}

// Wait for a screen on which there is a puzzle.
async function read(now) {
  last = now;
  askedAt = performance.now();
  await open(await picture("image/png"));
}

async function open(file) {
  try {
    const reference = session.puzzle ? undefined : (session.reference ?? undefined);
    const answer = await api.read({ screenshot: file, reference });
    if (!stream) return;
    openRead(file, answer);
    forgetFrame();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say("looking");
    if (!error.isNoBoard) toast(errorNodes(error), { kind: "bad" });
  }
}

// Pictures.

// The place of the board, or all, small: enough to see that something has changed.
function pixels() {
  const { left, top, width, height } = region ?? { left: 0, top: 0, width: video.videoWidth, height: video.videoHeight };
  thumb.width = thumb.height = THUMB_PX;
  const pencil = thumb.getContext("2d", { willReadFrequently: true });
  pencil.drawImage(video, left, top, width, height, 0, 0, THUMB_PX, THUMB_PX);
  return pencil.getImageData(0, 0, THUMB_PX, THUMB_PX).data;
}

function differs(one, other) {
  for (let at = 0; at < one.length; at += 1) {
    if (Math.abs(one[at] - other[at]) > CHANGE_LEVELS) return true;
  }
  return false;
}

// Browsers may keep the last frame of a change back, or even the first one of all, until
// one is asked for.
async function refresh() {
  if (!("ImageCapture" in window)) return;
  const [track] = stream.getVideoTracks();
  const grabbed = new ImageCapture(track).grabFrame().then((bitmap) => bitmap.close(), () => {});
  await Promise.race([grabbed, new Promise((done) => setTimeout(done, AGAIN_MS))]);
}

function picture(type) {
  frame.width = video.videoWidth;
  frame.height = video.videoHeight;
  frame.getContext("2d").drawImage(video, 0, 0);
  return new Promise((done) => {
    frame.toBlob((blob) => done(new File([blob], "shared", { type })), type, QUALITY);
  });
}

on("way", () => stream && watched());
on("puzzle", () => stream && forgetFrame());
on("forget", () => stream && (forgetFrame(), say("looking")));
for (const event of ["position", "said"]) on(event, draw);
onLanguage(draw);
draw();
