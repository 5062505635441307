// Other views of the same positions: the list, and thumbnails to find the reader's own
// position. All small boards are canvases.

const sprite = new Image();
sprite.src = /^url\(["']?(.*?)["']?\)$/.exec(
  getComputedStyle(board.querySelector(".tile")).backgroundImage,
)[1];
const spriteReady = sprite.decode();
spriteReady.catch(() => {});

const look = {
  rows: data.rows, cols: data.cols, wide: data.tile_width, high: data.tile_height, gap: data.gap, floor: data.background,
};

// Draw position `at` about `side` px wide (the longer side).
function drawPosition(canvas, at, side) {
  const [wide, high, gutter] = [data.tile_width, data.tile_height, data.gutter];
  drawBoard(canvas, look, places[at], side, (pencil, tile, box) => {
    const [left, top] = [col(tile) * (wide + 2 * gutter) + gutter, row(tile) * (high + 2 * gutter) + gutter];
    drawTile(pencil, sprite, [left, top, wide, high], box, turns[at][tile]);
  });
}

// The list of moves.

const list = find("list");
const listButtons = line.moves.map((_, index) => {
  const run = data.slide_of && data.slide_of[index] !== data.slide_of[index - 1];
  const stage = stageOf(index);
  const heads = [
    run && fill(words.slide, { number: data.slide_of[index], count: data.slides }),
    stage?.first === index && stage.heading,
  ];
  list.append(...heads.filter(Boolean).map((text) => make("li", { class: "run", text })));
  const onclick = () => go(index, { slide: false });
  const button = make("button", { type: "button", onclick }, make("span", { text: index + 1 }), make("span"));
  list.append(make("li", {}, button));
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
  cells.append(...held.map((possible, cell) => {
    const name = fill(words.cell, { row: row(cell) + 1, column: data.column_names[col(cell)] });
    const input = make("input", { type: "radio", name: "blank", value: cell, disabled: !possible, "aria-label": name });
    return make("label", {}, input, make("span"));
  }));
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
    const onclick = () => {
      finder.close();
      go(at, { slide: false });
    };
    const name = make("span", { text: at < last ? at + 1 : words.solved });
    const thumb = make(
      "button",
      { type: "button", class: "thumb", "data-at": at, "aria-label": stepName(at), onclick },
      make("canvas"),
      name,
    );
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
