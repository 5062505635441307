// Where the cells of a board lie in a screenshot. Points are [x, y] in its px.

// The map from the unit square to four corners (P. Heckbert, 1989), as a function.
export function fromUnitSquare([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const scale = dx1 * dy2 - dx2 * dy1;
  const g = scale ? (dx3 * dy2 - dx2 * dy3) / scale : 0;
  const h = scale ? (dx1 * dy3 - dx3 * dy1) / scale : 0;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return [(a * u + b * v + x0) / depth, (d * u + e * v + y0) / depth];
  };
}

// The corners of every cell, row by row; `gapX` and `gapY` are shares of the board.
export function cellCorners(corners, rows, cols, gapX = 0, gapY = 0) {
  const place = fromUnitSquare(corners);
  const [stepX, stepY] = [(1 + gapX) / cols, (1 + gapY) / rows];
  const cells = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const [left, top] = [col * stepX, row * stepY];
      const [right, bottom] = [left + stepX - gapX, top + stepY - gapY];
      cells.push([place(left, top), place(right, top), place(right, bottom), place(left, bottom)]);
    }
  }
  return cells;
}

export function ofRegion({ left, top, width, height }) {
  const [right, bottom] = [left + width, top + height];
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

export function boundsOf(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

// Corner `index` moved to a point: alone, or so that the board stays upright.
export function withCorner(corners, index, [x, y], free) {
  const moved = corners.map((point) => [...point]);
  moved[index] = [x, y];
  if (free) return moved;
  moved[(index + (index % 2 ? 3 : 1)) % 4][1] = y; // the one beside it
  moved[(index + (index % 2 ? 1 : 3)) % 4][0] = x; // the one above or below
  return moved;
}

// Whether the four corners go around once, clockwise, without a dent.
export function isConvex(corners) {
  return corners.every(([x, y], index) => {
    const [nx, ny] = corners[(index + 1) % 4];
    const [ax, ay] = corners[(index + 2) % 4];
    return (nx - x) * (ay - ny) - (ny - y) * (ax - nx) > 0;
  });
}

// What to show of a picture: all of it, or the board with some air around.
export function viewOf(corners, width, height, whole) {
  if (whole) return { left: 0, top: 0, width, height };
  const box = boundsOf(corners);
  const air = 0.13 * Math.max(box.width, box.height) + 8;
  const left = Math.max(0, Math.floor(box.left - air));
  const top = Math.max(0, Math.floor(box.top - air));
  const right = Math.min(width, Math.ceil(box.left + box.width + air));
  const bottom = Math.min(height, Math.ceil(box.top + box.height + air));
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
