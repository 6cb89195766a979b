// Places of cards: pixels, millimetres, and snapping to the neighbours.

/** The corners (clockwise from the face's own top left) of a card at (x, y), turned clockwise by degrees. */
export function cornersOf(x, y, turn, [width, height]) {
  const angle = (turn * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [
    [-width / 2, -height / 2],
    [width / 2, -height / 2],
    [width / 2, height / 2],
    [-width / 2, height / 2],
  ].map(([dx, dy]) => [x + cos * dx - sin * dy, y + sin * dx + cos * dy]);
}

export function middle(corners) {
  return [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
}

export function distance([ax, ay], [bx, by]) {
  return Math.hypot(ax - bx, ay - by);
}

/** Mean length of the shorter pair of sides. */
export function sideOf(corners) {
  const lengths = corners.map((corner, i) => distance(corner, corners[(i + 1) % 4]));
  return Math.min((lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2);
}

/** A point through a homography (3 x 3). */
export function through(matrix, [x, y]) {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2]);
  return [a / c, b / c];
}

export function inverse(m) {
  const [[a, b, c], [d, e, f], [g, h, i]] = m;
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ].map((row) => row.map((value) => value / det));
}

/** Four points in the order in which they go round clockwise (y points down), from the upper left. */
export function clockwise(points) {
  const [cx, cy] = middle(points);
  const round = [...points].sort((p, q) => Math.atan2(p[1] - cy, p[0] - cx) - Math.atan2(q[1] - cy, q[0] - cx));
  const first = round.reduce((best, point, i) => (point[0] + point[1] < round[best][0] + round[best][1] ? i : best), 0);
  return [...round.slice(first), ...round.slice(0, first)];
}

const SNAP = 0.7; // card sides from which a card jumps to its neighbour

export function normal(turn) {
  return ((((turn + 180) % 360) + 360) % 360) - 180;
}

/** Whether a face lies across two boxes rather than beside them. */
export function liesAcross(face) {
  return face?.group === "awake" || face?.group === "princess";
}

/**
 * Where a card of `face` laid near (x, y) comes to lie: beside a neighbour, side to side; a cat across a joined side;
 * else where it was dropped. `cards` have x, y, turn and face; `faces` looks up a face by its id.
 */
export function snapped(x, y, turn, face, cards, faces, [width, height]) {
  const across = liesAcross(face);
  const slots = [];
  for (const card of cards) {
    if (across && liesAcross(faces.get(card.face))) continue;
    if (!across && liesAcross(faces.get(card.face))) continue;
    const angle = (card.turn * Math.PI) / 180;
    const steps = across
      ? [[width / 2, 0], [-width / 2, 0]]
      : [[width, 0], [-width, 0], [0, height], [0, -height]];
    for (const [dx, dy] of steps) {
      const place = [card.x + Math.cos(angle) * dx - Math.sin(angle) * dy, card.y + Math.sin(angle) * dx + Math.cos(angle) * dy];
      const own = across ? nearestTurn(turn, [card.turn + 90, card.turn - 90]) : alongside(turn, card.turn, width, height);
      slots.push({ x: place[0], y: place[1], turn: own, away: distance([x, y], place) });
    }
  }
  if (across) {
    // Between two boxes is where a cat can lie: such places go before others.
    const boxes = cards.filter((card) => !liesAcross(faces.get(card.face)));
    const joined = slots.filter((slot) => boxes.filter((card) => Math.abs(distance([card.x, card.y], [slot.x, slot.y]) - width / 2) < 0.15 * width).length > 1);
    const open = joined.filter((slot) => cards.every((card) => !liesAcross(faces.get(card.face)) || distance([card.x, card.y], [slot.x, slot.y]) > 0.4 * width));
    open.sort((a, b) => a.away - b.away);
    if (open.length && open[0].away < 0.9 * width) return { x: open[0].x, y: open[0].y, turn: normal(open[0].turn) };
  }
  const others = across ? [] : cards.filter((card) => !liesAcross(faces.get(card.face)));
  const free = slots.filter((slot) => others.every((card) => distance([card.x, card.y], [slot.x, slot.y]) > 0.4 * width));
  free.sort((a, b) => a.away - b.away);
  if (free.length && free[0].away < SNAP * width) return { x: free[0].x, y: free[0].y, turn: normal(free[0].turn) };
  return { x, y, turn };
}

function nearestTurn(turn, choices) {
  return choices.reduce((best, other) => (Math.abs(normal(other - turn)) < Math.abs(normal(best - turn)) ? other : best));
}

/** The turn nearest to `turn` that goes with a neighbour: quarters for square cards, half turns for oblong ones. */
function alongside(turn, neighbour, width, height) {
  const quarter = width === height ? 90 : 180;
  return neighbour + quarter * Math.round(normal(turn - neighbour) / quarter);
}
