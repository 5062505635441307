// The board and the ways to step, as the page of the server and the HTML guide share them.

import { find } from "./elements.js";

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

const TURNS = { right: "0deg", down: "90deg", left: "180deg", up: "270deg" };

// The same tile once more; what is drawn on a canvas is no part of what is cloned.
function twinOf(element) {
  const twin = element.cloneNode(true);
  twin.querySelector("canvas")?.getContext("2d").drawImage(element.querySelector("canvas"), 0, 0);
  return twin;
}

// The large board: tiles that slide, the mark on the one to move, and those after it. Who
// makes its elements sets `cols`, `tiles` (by the cell where each starts, without the empty
// one), `hollows` (two: a tile that slides uncovers the cell it leaves before it covers the
// next), `marks`, `arrow`, the distance of cells in percent of a tile, `stepX` and `stepY`,
// and `slideMs`.
export class BoardView {
  constructor(root) {
    this.root = root;
    this.tiles = [];
    this.sliding = null;
    this.slideMs = 240;
  }

  put(element, cell) {
    element.style.setProperty("--r", Math.floor(cell / this.cols));
    element.style.setProperty("--c", cell % this.cols);
  }

  // Show position `at` of a line; when it is one move from `before`, that is seen.
  show(line, at, before = at, how = {}) {
    const { motions, holes } = line.step(at, before);
    this.move(line.places[at], motions, holes, { ...how, turns: line.turns?.[at] });
  }

  // Put every tile in its place; `motions`, from one cell to another, straight or by the
  // rows and columns of their tracks, or turning by some quarters, are seen, and what lies
  // below the tiles is in the cells `holes`. `turns` has the quarters by which each tile
  // has been turned.
  move(places, motions, holes, { speed = 1, turns = [], then = () => {} } = {}) {
    this.finish();
    this.unmark();
    places.forEach((tile, cell) => {
      if (this.tiles[tile]) this.put(this.tiles[tile], cell);
      if (turns[tile] !== undefined) this.tiles[tile]?.style.setProperty("--turned", turns[tile]);
    });
    this.hollows.forEach((hollow, index) => this.put(hollow, holes[index] ?? 0));
    if (motions.length && !calm.matches) this.slide(places, motions, speed, then);
    else then();
  }

  // Each tile is where it belongs already, and comes from where it was.
  slide(places, motions, speed, then) {
    this.root.dataset.sliding = "yes";
    const place = (cell) => [Math.floor(cell / this.cols), cell % this.cols];
    const slides = motions.flatMap(([there, here, tracks, turn = 0]) => {
      const [row, col] = place(here);
      const element = this.tiles[places[here]];
      // What goes over the rim is seen twice: as it leaves, and as it comes in.
      return (tracks ?? [[place(there), place(here)]]).map((track, index) => {
        const shown = index ? twinOf(element) : element;
        if (index) this.root.append(shown);
        shown.classList.add("moving", ...(index ? ["twin"] : []));
        const frames = track.map(
          ([down, along]) => `${(along - col) * this.stepX}% ${(down - row) * this.stepY}%`,
        );
        const now = Number(element.style.getPropertyValue("--turned"));
        // Tiles that lie turned go along the page, not along their own sides.
        const ways = { translate: frames, ...(turn && { rotate: [`${90 * (now - turn)}deg`, `${90 * now}deg`] }) };
        return shown.animate(
          ways,
          { duration: this.slideMs * Math.min(1, speed), easing: "cubic-bezier(0.4, 0, 0.2, 1)" },
        );
      });
    });
    this.root.classList.toggle("rolling", slides.length > motions.length);
    this.sliding = { slides, then };
    slides[0].onfinish = () => this.finish();
  }

  finish() {
    if (!this.sliding) return;
    const { slides, then } = this.sliding;
    this.sliding = null;
    slides[0].onfinish = null;
    for (const slide of slides) slide.cancel();
    for (const twin of this.root.querySelectorAll(".twin")) twin.remove();
    for (const element of this.root.querySelectorAll(".moving")) element.classList.remove("moving");
    this.root.classList.remove("rolling");
    delete this.root.dataset.sliding;
    then();
  }

  unmark() {
    for (const tile of this.root.querySelectorAll(".next, .with")) tile.classList.remove("next", "with");
    for (const mark of this.marks ?? []) mark.hidden = true;
    this.arrow?.classList.add("gone");
  }

  // Point out the tile that moves next, those that move with it, and the cells of those
  // after it.
  mark(tile, blank, way, after = [], others = []) {
    this.point([tile], { cell: blank, turn: TURNS[way] }, after);
    for (const other of others) this.tiles[other].classList.add("with");
  }

  // Point out tiles with an arrow at a cell, which is turned, and the cells of those after.
  point(tiles, { cell, turn, path = "", times = "" }, after) {
    this.unmark();
    for (const tile of tiles) this.tiles[tile].classList.add("next");
    this.put(this.arrow, cell);
    this.arrow.style.setProperty("--turn", turn);
    if (path) this.arrow.querySelector("path").setAttribute("d", path);
    const text = this.arrow.querySelector("text");
    if (text) text.textContent = times;
    this.arrow.classList.remove("gone");
    after.slice(0, this.marks.length).forEach((cell, index) => {
      this.marks[index].hidden = false;
      this.put(this.marks[index], cell);
    });
  }

  // Point out the next move of a tour, and the cells of so many after it.
  markShown(line, at, ahead) {
    const shown = Math.max(0, Math.min(ahead, line.last - at - 1));
    const after = Array.from({ length: shown }, (_, index) => line.pushed(at + 1 + index)[0]);
    const { cell, look } = line.moves[at];
    this.point(line.pushed(at).map((one) => line.places[at][one]), { cell, ...look, turn: `${look.turn}deg` }, after);
  }

  shake(tile) {
    if (calm.matches || this.sliding) return;
    this.tiles[tile]?.animate([{ scale: 1 }, { scale: 0.94 }, { scale: 1 }], { duration: 220 });
  }
}

// Ways to step: buttons, slider, keys, a swipe, and the clock that plays by itself. `host`
// has what differs: `at`, `last` and `isOn` (whether it is stepped now), `show(at, options)`,
// `drawPlaying(playing)`, and perhaps `takes(event)` for keys that mean something else.
export class Steps {
  constructor(host, { slideMs = 240, frameMs = 700 } = {}) {
    Object.assign(this, { host, slideMs, frameMs, playing: 0, swiped: -Infinity });
    const actions = {
      next: () => this.go(host.at + 1),
      back: () => this.go(host.at - 1),
      first: () => this.go(0),
      last: () => this.go(host.last),
      play: () => this.toggle(),
    };
    for (const [name, action] of Object.entries(actions)) {
      find(name).addEventListener("click", () => {
        if (host.isOn && find(name).getAttribute("aria-disabled") !== "true") action();
      });
    }
    find("progress").addEventListener("input", (event) => this.go(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this.hear(event, actions));
    this.followSwipes(find("stage"));
  }

  get speed() {
    return Number(find("speed").value);
  }

  go(at, options) {
    this.pause();
    this.host.show(at, options);
  }

  // Playing by itself.

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.host.last) return;
    if (this.host.at === this.host.last) this.host.show(0, { slide: false });
    this.setPlaying(setTimeout(() => this.tick(), this.frameMs * this.speed));
  }

  tick() {
    this.host.show(this.host.at + 1);
    const ms = this.slideMs * Math.min(1, this.speed) + this.frameMs * this.speed;
    if (this.host.at === this.host.last) this.pause();
    else this.setPlaying(setTimeout(() => this.tick(), ms));
  }

  pause() {
    clearTimeout(this.playing);
    this.setPlaying(0);
  }

  setPlaying(timer) {
    this.playing = timer;
    this.host.drawPlaying(Boolean(timer));
    // Reading every step aloud would lag behind the pictures.
    find("now").setAttribute("aria-live", timer ? "off" : "polite");
  }

  // Slider and buttons for the position that is shown; `name` is what it is called.
  draw(name) {
    const { at, last } = this.host;
    const progress = find("progress");
    progress.value = at;
    progress.style.setProperty("--done", `${last ? (100 * at) / last : 0}%`);
    progress.setAttribute("aria-valuetext", name);
    const ends = { back: at === 0, first: at === 0, next: at === last, last: at === last, play: !last };
    for (const [button, ended] of Object.entries(ends)) find(button).setAttribute("aria-disabled", String(ended));
  }

  hear(event, actions) {
    const { host } = this;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (host.takes?.(event)) {
      event.preventDefault();
      return;
    }
    if (!host.isOn || !host.last || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const control = event.target.closest("input, select, textarea");
    if (control && control.type !== "checkbox") return; // they have keys of their own
    const keys = { ArrowRight: actions.next, ArrowLeft: actions.back, Home: actions.first, End: actions.last };
    if (!event.target.closest("button, input, summary, a")) keys[" "] = () => event.repeat || this.toggle();
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  followSwipes(stage) {
    const swipe = { id: null, x: 0, y: 0, time: 0 };
    stage.addEventListener("pointerdown", (event) => {
      // A second finger means that the reader is zooming.
      swipe.id = event.pointerType === "mouse" || !event.isPrimary ? null : event.pointerId;
      [swipe.x, swipe.y, swipe.time] = [event.clientX, event.clientY, event.timeStamp];
    });
    stage.addEventListener("pointercancel", () => (swipe.id = null));
    stage.addEventListener("pointerup", (event) => {
      if (event.pointerId !== swipe.id || !this.host.isOn) return;
      swipe.id = null;
      const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
      if (Math.abs(x) < 36 || Math.abs(x) < 1.5 * Math.abs(y)) return;
      if (event.timeStamp - swipe.time > 1000) return;
      this.swiped = event.timeStamp;
      this.go(this.host.at + (x < 0 ? 1 : -1));
    });
  }

  // Whether a click only ends a swipe.
  isSwipe(event) {
    return event.timeStamp - this.swiped < 400;
  }
}

// Draw a tile of a sheet into a box, turned clockwise by so many quarters.
export function drawTile(pencil, sheet, [x, y, wide, high], [left, top, width, height], turn = 0) {
  const [across, down] = turn % 2 ? [height, width] : [width, height];
  pencil.save();
  pencil.translate(left + width / 2, top + height / 2);
  pencil.rotate((turn * Math.PI) / 2);
  pencil.drawImage(sheet, x, y, wide, high, -across / 2, -down / 2, across, down);
  pencil.restore();
}

// Draw a whole board about `side` px wide (its longer side): of each cell `draw` is told the
// tile that lies there, and the box.
export function drawBoard(canvas, { rows, cols, wide, high, gap, floor }, tiles, side, draw) {
  const scale = side / Math.max(cols * (wide + gap) - gap, rows * (high + gap) - gap);
  const [width, height] = [wide, high].map((px) => Math.max(1, Math.round(px * scale)));
  const between = Math.round(gap * scale);
  canvas.width = cols * (width + between) - between;
  canvas.height = rows * (height + between) - between;
  const pencil = canvas.getContext("2d");
  pencil.imageSmoothingQuality = "high";
  pencil.fillStyle = floor;
  pencil.fillRect(0, 0, canvas.width, canvas.height);
  tiles.forEach((tile, cell) => {
    draw(pencil, tile, [(cell % cols) * (width + between), Math.floor(cell / cols) * (height + between), width, height]);
  });
}

// Mark the button of the step that is shown, and bring it into sight. Within the list only:
// the page must not move below the reader's finger.
export function markInList(list, before, button) {
  before?.removeAttribute("aria-current");
  if (!button) return;
  button.setAttribute("aria-current", "step");
  const [top, high] = [button.parentElement.offsetTop, button.offsetHeight];
  if (top < list.scrollTop + 8) list.scrollTop = top - 8;
  else if (top + high > list.scrollTop + list.clientHeight - 8) list.scrollTop = top + high - list.clientHeight + 8;
}
