"use strict";
{
  const list = document.getElementById("rows");
  const rows = [...list.rows].map((row, place) => ({
    row,
    place,
    name: row.querySelector(".name").textContent,
    // Hidden details are searched as well: the numbers of a board, a whole message.
    text: row.textContent.toLowerCase(),
  }));
  const search = document.getElementById("search");
  const sort = document.getElementById("sort");
  const chips = [...document.querySelectorAll(".chip")];
  const heads = [...document.querySelectorAll("th button")];
  const names = new Intl.Collator(document.documentElement.lang, { numeric: true });
  let by = "first";
  let down = false;
  let shown = "";

  function compare(one, other) {
    if (by === "name") return names.compare(one.name, other.name);
    const left = one.row.dataset[by];
    const right = other.row.dataset[by];
    // What is not known comes last, whichever way it goes.
    if (left === "" || right === "") {
      return ((left === "") - (right === "")) * (down ? -1 : 1);
    }
    return left - right;
  }

  function order() {
    rows.sort((one, other) => {
      const found = compare(one, other) * (down ? -1 : 1);
      return found || one.place - other.place;
    });
    list.append(...rows.map((one) => one.row));
    sort.value = by;
    for (const head of heads) {
      const way = down ? "descending" : "ascending";
      head.parentElement.ariaSort = head.dataset.by === by ? way : "none";
    }
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const { row, text } of rows) {
      const fits = !shown || row.dataset.state === shown;
      row.hidden = !fits || !words.every((word) => text.includes(word));
      left += !row.hidden;
    }
    document.getElementById("empty").hidden = left > 0;
  }

  for (const head of heads) {
    head.addEventListener("click", () => {
      down = by === head.dataset.by && !down;
      by = head.dataset.by;
      order();
    });
  }
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      shown = chip.dataset.show;
      for (const one of chips) one.ariaPressed = String(one === chip);
      filter();
    });
  }
  sort.addEventListener("change", () => {
    by = sort.value;
    down = false;
    order();
  });
  search.addEventListener("input", filter);
}
