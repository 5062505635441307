// Other views of the same positions: the list, and thumbnails to find the reader's own
// position. All small boards are canvases.

const sprite = new Image();
sprite.src = /^url\(["']?(.*?)["']?\)$/.exec(
  getComputedStyle(board.querySelector(".tile")).backgroundImage,
)[1];
const spriteReady = sprite.decode();
spriteReady.catch(() => {});

// Tiles scaled once to the size in which they are drawn many times.
const atlases = new Map();
function atlas(width, height) {
  const key = `${width}x${height}`;
  if (atlases.has(key)) return atlases.get(key);
  const canvas = document.createElement("canvas");
  canvas.width = width * data.cols;
  canvas.height = height * data.rows;
  const pencil = canvas.getContext("2d");
  pencil.imageSmoothingQuality = "high";
  const [wide, high, gutter] = [data.tile_width, data.tile_height, data.gutter];
  for (let cell = 0; cell < data.rows * data.cols; cell += 1) {
    pencil.drawImage(
      sprite,
      col(cell) * (wide + 2 * gutter) + gutter,
      row(cell) * (high + 2 * gutter) + gutter,
      wide,
      high,
      col(cell) * width,
      row(cell) * height,
      width,
      height,
    );
  }
  if (atlases.size > 4) atlases.clear();
  atlases.set(key, canvas);
  return canvas;
}

const look = {
  rows: data.rows, cols: data.cols, wide: data.tile_width, high: data.tile_height, gap: data.gap, floor: data.background,
};

// Draw position `at` about `side` px wide (the longer side).
function drawPosition(canvas, at, side) {
  drawBoard(canvas, look, places[at], side, (pencil, tile, [left, top, width, height]) => {
    const cut = [col(tile) * width, row(tile) * height, width, height];
    drawTile(pencil, atlas(width, height), cut, [left, top, width, height], turns[at][tile]);
  });
}

// The list of moves.

const list = find("list");
const listButtons = line.moves.map((_, index) => {
  if (data.slide_of && data.slide_of[index] !== data.slide_of[index - 1]) {
    const run = document.createElement("li");
    run.className = "run";
    run.textContent = fill(words.slide, { number: data.slide_of[index], count: data.slides });
    list.append(run);
  }
  const stage = stageOf(index);
  if (stage?.first === index) {
    const chapter = document.createElement("li");
    chapter.className = "run";
    chapter.textContent = stage.heading;
    list.append(chapter);
  }
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.append(document.createElement("span"), document.createElement("span"));
  button.firstChild.textContent = index + 1;
  button.addEventListener("click", () => go(index, { slide: false }));
  item.append(button);
  list.append(item);
  return button;
});

function writeList() {
  listButtons.forEach((button, index) => {
    button.lastChild.textContent = moveWords(index);
  });
}

let marked = null;
listeners.push((at) => {
  markInList(list, marked, listButtons[at]);
  marked = listButtons[at] ?? null;
});

// "Which board do you have?"

const finder = find("finder");
const thumbs = [];

function buildFinder() {
  finder.querySelector(".where").hidden = data.blank < 0;
  const held = Array.from({ length: data.rows * data.cols }, () => false);
  for (const cell of blanks) if (cell >= 0) held[cell] = true;
  const cells = find("cells");
  cells.style.gridTemplateColumns = `repeat(${data.cols}, 44px)`;
  held.forEach((possible, cell) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "blank";
    input.value = cell;
    input.disabled = !possible;
    input.setAttribute(
      "aria-label",
      fill(words.cell, { row: row(cell) + 1, column: columnName(cell) }),
    );
    label.append(input, document.createElement("span"));
    cells.append(label);
  });
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const canvas = target.firstChild;
        if (isIntersecting) {
          const side = canvas.clientWidth * Math.max(1, data.height / data.width);
          drawPosition(canvas, Number(target.dataset.at), side * Math.min(2, devicePixelRatio || 1));
        } else {
          canvas.width = 0; // hundreds of pictures out of sight need no memory
        }
      }
    },
    { root: finder.querySelector(".finder-body"), rootMargin: "200px" },
  );
  for (let at = 0; at <= last; at += 1) {
    const thumb = document.createElement("button");
    thumb.type = "button";
    thumb.className = "thumb";
    thumb.dataset.at = at;
    const name = document.createElement("span");
    name.textContent = at < last ? at + 1 : words.solved;
    thumb.setAttribute("aria-label", stepName(at));
    thumb.append(document.createElement("canvas"), name);
    thumb.addEventListener("click", () => {
      finder.close();
      go(at, { slide: false });
    });
    thumbs.push(thumb);
    spriteReady.then(() => seen.observe(thumb));
  }
  find("thumbs").append(...thumbs);
}

function narrow() {
  const chosen = finder.querySelector("input[name=blank]:checked").value;
  let shown = 0;
  thumbs.forEach((thumb, at) => {
    thumb.hidden = chosen !== "all" && blanks[at] !== Number(chosen);
    shown += thumb.hidden ? 0 : 1;
  });
  find("shown").textContent = fill(words.shown, { shown, total: last + 1 });
}

find("jump").addEventListener("click", () => {
  steps.pause();
  if (!thumbs.length) buildFinder();
  narrow();
  thumbs.forEach((thumb, at) => {
    if (at === state.at) thumb.setAttribute("aria-current", "step");
    else thumb.removeAttribute("aria-current");
  });
  finder.showModal();
  // On a phone the question stands above the pictures, and is read first.
  if (matchMedia("(min-width: 44rem)").matches) {
    thumbs[state.at].scrollIntoView({ block: "nearest" });
  } else finder.querySelector(".finder-body").scrollTop = 0;
});
finder.addEventListener("change", narrow);
find("finder-close").addEventListener("click", () => finder.close());
finder.addEventListener("click", (event) => {
  if (event.target === finder) finder.close(); // the backdrop
});

// Begin.

showOptions();
writeList();
show(fromHash() ?? 0, { slide: false });
