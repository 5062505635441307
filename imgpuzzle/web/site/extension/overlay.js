// In the game's tab: looks at it after every click, key and change, and draws the next
// move over it. It never clicks, and what it draws lets every click through.

(() => {
  if (globalThis.imgpuzzleOverlay) {
    globalThis.imgpuzzleOverlay.stop();
    return;
  }

  const SETTLE_MS = 220; // until a click has moved its tile
  const AGAIN_MS = 400; // until a tile on its way is looked at again
  const MOST_AGAIN = 8;
  const MOST_QUICK = 3; // looks in a row that showed nothing new, after which it is looked seldom
  const MOST_UNSURE = 2; // looks in a row, after which one is taken without what is drawn
  const IDLE_MS = 4000; // pages that change all the time, or hide the board, are looked at so often
  const AWAKE_MS = 20_000; // browsers wait for half a minute
  const SECONDS = { small: 15, large: 5 }; // for a way, up to 16 cells and beyond
  const AHEAD = 2;
  const t = chrome.i18n.getMessage;
  const SVG = "http://www.w3.org/2000/svg";

  let puzzle = null;
  let way = null; // as host.js tells it: the positions, and the move from each
  let at = 0;
  let labels = [];
  let region = null;
  let numbers = false;
  let again = 0;
  let same = 0; // looks in a row that showed nothing new
  let unsure = 0; // looks in a row that showed no position
  let marks = []; // what is drawn over the game, as rectangles in px of its picture
  let clock = 0;
  let dueAt = Infinity;
  let busy = false;
  let stopped = false;
  let goal = null; // the solved picture, where the player gave it

  // What is drawn lies in a tree of its own, out of reach of the page's styles.
  const host = document.createElement("div");
  host.style.cssText = "all:initial;position:fixed;inset:0;z-index:2147483647;pointer-events:none";
  const root = host.attachShadow({ mode: "closed" });
  root.innerHTML = `<style>
    :host > svg { position: absolute; inset: 0; width: 100%; height: 100%; }
    .panel { position: absolute; right: 12px; bottom: 12px; max-width: 320px; display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center;
      padding: 10px 14px; border-radius: 12px; background: #16181d; color: #fff; font: 15px/1.35 system-ui, sans-serif; pointer-events: auto; box-shadow: 0 4px 20px rgb(0 0 0 / 0.4); }
    p { margin: 0; flex: 1 1 100%; }
    button { min-height: 36px; padding: 2px 12px; border: 1px solid #fff8; border-radius: 8px; background: none; color: inherit; font: inherit; cursor: pointer; }
    .kinds { display: flex; flex-wrap: wrap; gap: 6px; }
    .kinds svg { width: 58px; display: block; }
    .kinds button:has(svg) { padding: 4px; }
    button:focus-visible { outline: 3px solid #ffb000; }
    [hidden] { display: none; }
  </style><svg aria-hidden="true"></svg><div class="panel"><p role="status"></p><div class="kinds" hidden></div></div>`;
  const svg = root.querySelector("svg");
  const kinds = root.querySelector(".kinds");
  const panel = root.querySelector(".panel");
  const words = root.querySelector("p");
  const button = (name, action) => {
    const made = document.createElement("button");
    made.textContent = t(name);
    made.addEventListener("click", action);
    panel.append(made);
    return made;
  };
  const use = button("use", () => {
    use.hidden = true;
    say("thinking");
    find();
  });
  const toggle = button("numbers", () => {
    numbers = !numbers;
    toggle.textContent = t(numbers ? "next_move" : "numbers");
    draw();
  });
  // How tiles lie turned is not seen while the game is followed: where they may, the player
  // says that a move is made.
  const isTurned = () => puzzle?.turned;
  const onward = button("onward", () => {
    at += 1;
    tell();
  });
  const retry = button("retry", begin);
  const given = button("picture", () => chosen.click());
  button("stop", stop);
  const chosen = document.createElement("input");
  Object.assign(chosen, { type: "file", accept: "image/*", hidden: true });
  chosen.addEventListener("change", async () => {
    const [file] = chosen.files;
    chosen.value = "";
    if (!file) return;
    goal = await dataOf(file);
    if (!busy) await begin();
  });
  panel.append(chosen);
  // Help that is offered where the reading is in doubt, or failed.
  const offer = (is) => (retry.hidden = given.hidden = !is);
  use.hidden = toggle.hidden = onward.hidden = true;
  offer(false);

  const say = (name, ...values) => (words.textContent = t(name, values.map(String)) || name);

  // The background, which takes pictures of the tab and has the engine begun.
  async function background(ask) {
    const said = await chrome.runtime.sendMessage({ ask });
    if (said?.error !== undefined) throw Object.assign(new Error(said.error), { kind: said.kind });
    return said?.answer;
  }

  // The engine (host.js), by a line of its own: where that ends, it has ended.
  let line = null;
  let count = 0;
  const waiting = new Map(); // number of a question: what to do with its answer

  async function engine(ask, given = {}) {
    await background("host");
    line ??= connected();
    const id = (count += 1);
    return new Promise((done, give_up) => {
      waiting.set(id, { done, give_up });
      line.postMessage({ ...given, ask, id });
    });
  }

  function connected() {
    const made = chrome.runtime.connect();
    made.onMessage.addListener(({ id, error, kind, answer }) => {
      const { done, give_up } = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) done(answer);
      else give_up(Object.assign(new Error(error), { kind }));
    });
    made.onDisconnect.addListener(() => {
      line = null;
      for (const { give_up } of waiting.values()) give_up(Object.assign(new Error(), { kind: "engine" }));
      waiting.clear();
    });
    return made;
  }

  // Some browsers end a background that nobody asks, and the engine with it.
  const awake = setInterval(() => background("host").catch(stop), AWAKE_MS);

  const dataOf = (file) => new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });

  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

  // A picture of the tab without what is drawn over it. That is out of sight as short as
  // can be, and its buttons take clicks meanwhile.
  async function picture() {
    await background("turn");
    host.style.opacity = "0";
    try {
      await frames();
      return await background("picture");
    } finally {
      host.style.opacity = "1";
    }
  }

  // Once the player is back, if they are in another tab.
  async function pictureOnceSeen() {
    for (;;) {
      try {
        return await picture();
      } catch (error) {
        if (error.kind !== "TabHidden" || stopped) throw error;
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
  }

  // What is drawn stays while the game is followed: the engine is told where, and knows
  // what was there before. It is hidden where that has not helped, and for the panel where
  // that lies over the board.
  async function frame() {
    await background("turn");
    if (unsure >= MOST_UNSURE || panelHides()) return { picture: await picture(), marks: [] };
    const before = marks;
    return { picture: await background("picture"), marks: before === marks ? marks : [...before, ...marks] };
  }

  function panelHides() {
    if (!region) return true; // wherever the board is
    const box = panel.getBoundingClientRect();
    const ratio = puzzle.width / innerWidth;
    const [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom].map((one) => one * ratio);
    return left < region.left + region.width && right > region.left && top < region.top + region.height && bottom > region.top;
  }

  async function begin() {
    clearTimeout(clock);
    dueAt = Infinity;
    way = puzzle = region = null;
    labels = [];
    use.hidden = toggle.hidden = onward.hidden = kinds.hidden = true;
    offer(false);
    draw();
    say("starting");
    busy = true;
    try {
      await engine("ready");
      say("reading");
      puzzle = await engine("read", { picture: await pictureOnceSeen(), reference: goal, language: t("@@ui_locale").slice(0, 2) });
    } catch (error) {
      puzzle = null;
      fail(error);
      return;
    } finally {
      busy = false;
    }
    if (stopped) return;
    ({ region } = puzzle.reading);
    labels = puzzle.start.flat();
    if (puzzle.choices.length) {
      ask();
      return;
    }
    if (!puzzle.solvable || !puzzle.certain) {
      // Shown with the numbers as they were read, for the player to judge.
      numbers = true;
      draw();
      words.textContent = puzzle.solvable ? `${puzzle.doubt} ${t("doubtful")}` : t("unsolvable");
      use.hidden = !puzzle.solvable;
      offer(true);
      return;
    }
    say("thinking");
    await find();
  }

  // What the player has to say, with the numbers as they were read: how tiles move where no
  // cell is empty, or which goal the game has.
  function ask() {
    kinds.replaceChildren(...puzzle.choices.map(({ drawing, text, change }) => {
      const made = document.createElement("button");
      if (drawing) made.append(document.importNode(new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement, true));
      made.title = text;
      if (!drawing) made.textContent = text;
      made.addEventListener("click", () => choose(change));
      return made;
    }));
    numbers = true;
    kinds.hidden = false;
    offer(true);
    draw();
    words.textContent = [puzzle.doubt, t(puzzle.puzzles.length ? "which" : "which_goal")].filter(Boolean).join(" ");
  }

  async function choose(change) {
    try {
      puzzle = await engine("change", { puzzle: puzzle.id, change });
    } catch (error) {
      fail(error);
      return;
    }
    if (!puzzle.solvable) {
      words.textContent = puzzle.reason;
      return;
    }
    kinds.hidden = true;
    say("thinking");
    await find();
  }

  function fail(error) {
    const none = error.kind === "BoardNotFoundError" || error.kind === "GridAmbiguousError";
    const ended = error.kind === "engine" || error.kind === "NotFoundError";
    words.textContent = none ? t("no_board") : ended ? t("ended") : error.message;
    offer(true);
    draw();
  }

  // The way from the tiles as they lie now.
  async function find() {
    numbers = false;
    offer(false);
    toggle.hidden = false;
    toggle.textContent = t("numbers");
    const size = labels.length;
    const cols = puzzle.start[0].length;
    const board = Array.from({ length: size / cols }, (_, row) => labels.slice(row * cols, (row + 1) * cols));
    try {
      const found = await engine("solve", { puzzle: puzzle.id, board, seconds: size <= 16 ? SECONDS.small : SECONDS.large });
      if (stopped) return;
      // The player may have gone on meanwhile.
      const now = found.keys.indexOf(labels.join(" "));
      if (now < 0) {
        await detour();
        return;
      }
      way = found;
      at = now;
      tell();
    } catch (error) {
      fail(error);
    }
    schedule(0);
  }

  const timesOf = ({ look }) => Number(look?.times.slice(1) || 1);

  function tell() {
    const left = way.moves.slice(at).reduce((sum, move) => sum + timesOf(move), 0);
    if (!left) say("solved");
    else say(way.proven ? "left_proven" : "left", left);
    offer(false);
    onward.hidden = !(isTurned() && left);
    retry.hidden = !isTurned();
    draw();
  }

  async function detour() {
    way = null;
    draw();
    say("detour");
    await find();
  }

  // Looking again.

  function schedule(milliseconds) {
    const due = performance.now() + milliseconds;
    if (stopped || due >= dueAt) return;
    clearTimeout(clock);
    dueAt = due;
    clock = setTimeout(look, milliseconds);
  }

  async function look() {
    dueAt = Infinity;
    if (stopped || !puzzle) return;
    if (busy || document.hidden) {
      schedule(AGAIN_MS);
      return;
    }
    busy = true;
    try {
      const seen = await engine("look", { puzzle: puzzle.id, version: puzzle.version, ...(await frame()) });
      if (!stopped) await take(seen);
    } catch (error) {
      if (error.kind === "TabHidden") schedule(AGAIN_MS);
      else fail(error);
    } finally {
      busy = false;
    }
  }

  async function take(seen) {
    if (isTurned()) {
      region = seen.region ?? region;
      draw();
      return;
    }
    region = seen.region;
    if (seen.board) {
      again = unsure = 0;
      const key = seen.board.flat().join(" ");
      same = key === labels.join(" ") ? same + 1 : 0;
      labels = seen.board.flat();
      // What a game draws late, on a canvas for one, no change of the page tells.
      if (same && same <= MOST_AGAIN) schedule(same > MOST_QUICK ? IDLE_MS : AGAIN_MS);
      if (!way) {
        // Not known yet, or the player is asked about the numbers: they go with the tiles.
        draw();
        return;
      }
      const now = way.keys.indexOf(key);
      if (now < 0) {
        // Not waited for: the game is looked at meanwhile.
        detour();
        return;
      }
      at = now;
      tell();
      return;
    }
    if (seen.kind === "changed") {
      say("changed");
      offer(true);
      draw();
      schedule(IDLE_MS);
      return;
    }
    unsure += 1;
    // A tile that slides is at its place by the next look: nothing is said of the first.
    if (way && unsure > 1) say(seen.kind === "moving" ? "moving" : "hidden");
    // What lies over a board for long may go without a change of the page.
    again += 1;
    schedule(again <= MOST_AGAIN ? AGAIN_MS : IDLE_MS);
  }

  const soon = (event) => {
    if (event.target === host) return;
    same = 0;
    schedule(SETTLE_MS);
  };
  const EVENTS = ["pointerup", "keyup", "scroll", "resize"];
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target !== host)) schedule(same > MOST_QUICK ? IDLE_MS : SETTLE_MS);
  });

  // Drawing.

  let hides = () => {};

  function draw() {
    svg.replaceChildren();
    marks = [];
    if (!region || !puzzle) return;
    const ratio = puzzle.width / innerWidth;
    const [rows, cols] = puzzle.reading.grid;
    // The gap is that between the tiles' pictures, in their own px.
    const share = (gap, tile, count) => gap / (count * (tile + gap) - gap);
    const [gapX, gapY] = [
      region.width * share(puzzle.gap, puzzle.tile_width, cols),
      region.height * share(puzzle.gap, puzzle.tile_height, rows),
    ];
    const [stepX, stepY] = [(region.width + gapX) / cols, (region.height + gapY) / rows];
    const box = (cell) => {
      const [row, col] = [Math.floor(cell / cols), cell % cols];
      return [region.left + col * stepX, region.top + row * stepY, stepX - gapX, stepY - gapY].map((one) => one / ratio);
    };
    // A little more than it covers: its edges are soft.
    hides = (x, y, width, height) => marks.push([(x - 1) * ratio, (y - 1) * ratio, (width + 2) * ratio, (height + 2) * ratio].map(Math.round));
    if (numbers) {
      labels.forEach((label, cell) => label && number(box(cell), label));
      return;
    }
    if (!way || at >= way.moves.length) return;
    const { cell, look, motions } = way.moves[at];
    if (look) {
      for (const [from] of motions) outline(box(from), 1);
      const [x, y, width, height] = box(cell);
      const side = Math.min(width, height);
      const place = `translate(${x + (width - side) / 2} ${y + (height - side) / 2}) scale(${side / 100})`;
      mark({ d: look.path, transform: `${place} rotate(${look.turn} 50 50)`, "stroke-width": 8 });
      if (look.times) number(box(cell), look.times);
      return;
    }
    for (let later = Math.min(AHEAD, way.moves.length - at - 1); later > 0; later -= 1) {
      outline(box(way.moves[at + later].cell), 0.5 / later);
    }
    outline(box(cell), 1);
    arrow(box(cell), box(motions[0][1]));
  }

  function add(tag, attributes, text = "") {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    svg.append(made);
    return made;
  }

  // A filled shape, which hides stripes of what lies below.
  function mark(attributes) {
    const made = add("path", { fill: "#ffb000", stroke: "#101014", "stroke-linejoin": "round", "paint-order": "stroke", ...attributes });
    const back = made.getScreenCTM().inverse();
    const { left, top, right, bottom } = made.getBoundingClientRect();
    const step = Math.max(4, (bottom - top) / 24, (right - left) / 60);
    for (let y = top; y < bottom; y += step) {
      let from = null;
      for (let x = left; x < right + step; x += step) {
        const isIn = x < right && made.isPointInFill(new DOMPoint(x + step / 2, y + step / 2).matrixTransform(back));
        if (isIn) from ??= x;
        else if (from !== null) {
          hides(from - step / 2, y - step / 2, x - from + step, 2 * step);
          from = null;
        }
      }
    }
  }

  function outline([x, y, width, height], opacity) {
    const line = Math.max(3, Math.min(width, height) * 0.05);
    const thick = 2 * line;
    for (const far of [0, height - thick]) hides(x, y + far, width, thick);
    for (const far of [0, width - thick]) hides(x + far, y, thick, height);
    for (const [stroke, part] of [["#101014", 2], ["#fff", 1.4], ["#ffb000", 0.7]]) {
      add("rect", {
        x: x + line, y: y + line, width: width - 2 * line, height: height - 2 * line,
        fill: "none", stroke, "stroke-width": line * part, opacity,
      });
    }
  }

  function arrow([x0, y0, w0, h0], [x1, y1, w1, h1]) {
    const [ax, ay, bx, by] = [x0 + w0 / 2, y0 + h0 / 2, x1 + w1 / 2, y1 + h1 / 2];
    const length = Math.hypot(bx - ax, by - ay);
    const turn = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
    mark({
      d: "M0-.09H.34V-.22L.62 0L.34.22V.09H0Z",
      transform: `translate(${ax + 0.2 * (bx - ax)} ${ay + 0.2 * (by - ay)}) rotate(${turn}) scale(${length})`, "stroke-width": 0.06,
    });
  }

  // On a small plate in the corner: the tile itself is to be seen.
  function number([x, y, width, height], label) {
    const size = Math.max(13, Math.min(width, height) * 0.27);
    const plate = [x + 2, y + 2, size * (0.5 + 0.62 * String(label).length), size * 1.15];
    hides(...plate);
    add("rect", { x: plate[0], y: plate[1], width: plate[2], height: plate[3], rx: size * 0.2, fill: "#101014" });
    add("text", {
      x: plate[0] + plate[2] / 2, y: plate[1] + plate[3] / 2, "font-size": size, "font-family": "system-ui, sans-serif", "font-weight": 700,
      "text-anchor": "middle", "dominant-baseline": "central", fill: "#fff",
    }, label);
  }

  function stop() {
    stopped = true;
    clearTimeout(clock);
    clearInterval(awake);
    line?.disconnect();
    observer.disconnect();
    for (const name of EVENTS) removeEventListener(name, soon, true);
    host.remove();
    delete globalThis.imgpuzzleOverlay;
  }

  globalThis.imgpuzzleOverlay = { stop };
  document.documentElement.append(host);
  for (const name of EVENTS) addEventListener(name, soon, { capture: true, passive: true });
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  begin();
})();
