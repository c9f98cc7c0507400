/**
 * Finds the item under the pointer: an entry, a message in flight, a state, a fault, or a lane. Uses the same layout as drawing.
 */
import { type Brush, gutter, xOf } from "./brush.ts";
import { segmentOf } from "./legs.ts";
import { entriesWithin, isLegShown, legsWithin, type Scene } from "./scene.ts";

export type Hit =
  | { readonly kind: "entry"; readonly scene: number; readonly entry: number }
  | { readonly kind: "leg"; readonly scene: number; readonly leg: number; readonly entry: number }
  | { readonly kind: "bar"; readonly scene: number; readonly bar: number; readonly entry: number }
  | { readonly kind: "fault"; readonly scene: number; readonly fault: number; readonly entry: number }
  | { readonly kind: "lane"; readonly scene: number; readonly place: number }
  | { readonly kind: "none" };

const reachPx = 7;

export function hitTest(brush: Pick<Brush, "view" | "scale" | "width">, scenes: readonly Scene[], x: number, y: number): Hit {
  const number = scenes.findIndex((scene) => y >= scene.top && y < scene.top + scene.height);
  const scene = scenes[number];
  if (scene === undefined) {
    return { kind: "none" };
  }
  const lane = scene.lanes.find(({ top, height }) => y >= top && y < top + height);
  if (x < gutter) {
    return lane === undefined ? { kind: "none" } : { kind: "lane", scene: number, place: lane.place };
  }
  const entry = nearestEntry(brush, scene, x, y);
  if (entry !== undefined) {
    return { kind: "entry", scene: number, entry };
  }
  const leg = nearestLeg(brush, scene, x, y);
  if (leg !== undefined) {
    return { kind: "leg", scene: number, leg, entry: scene.run.messages.legs.first[leg] ?? 0 };
  }
  if (lane === undefined) {
    return { kind: "none" };
  }
  const row = lane.rows.findIndex(({ top, height }) => y >= top && y < top + height);
  if (row >= 0 && lane.role === "world") {
    const fault = scene.faultRows.findIndex((one) => one.row === row && xOf(brush, one.from) <= x && xOf(brush, one.to) >= x);
    const span = scene.faultRows[fault]?.span;
    return span === undefined ? { kind: "none" } : { kind: "fault", scene: number, fault, entry: span.entry };
  }
  const bar = scene.run.bars.findIndex(
    (one, index) =>
      one.place === lane.place &&
      one.row === row &&
      xOf(brush, scene.barFrom[index] ?? 0) - 1 <= x &&
      xOf(brush, scene.barTo[index] ?? 0) + 1 >= x,
  );
  return bar === -1 ? { kind: "none" } : { kind: "bar", scene: number, bar, entry: scene.run.bars[bar]?.entry ?? 0 };
}

function nearestEntry(brush: Pick<Brush, "view">, scene: Scene, x: number, y: number): number | undefined {
  const { view } = brush;
  const at = view.left + (x - gutter) * view.perPx;
  const { begin, end } = entriesWithin(scene, { from: at - reachPx * view.perPx, to: at + reachPx * view.perPx });
  let best: number | undefined;
  let bestDistance = reachPx + 0.5;
  // Searches backwards, because the last of several entries at one time is drawn on top.
  for (let index = end - 1; index >= begin && index > end - 20_000; index--) {
    const lane = scene.laneOf[scene.run.columns.place[index] ?? 0];
    if (scene.mask[index] === 1 && lane !== undefined && Math.abs(y - lane.spine) <= reachPx) {
      const distance = Math.hypot(xOf(brush, scene.at[index] ?? 0) - x, (y - lane.spine) / 2);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = index;
      }
    }
  }
  return best;
}

function nearestLeg(brush: Pick<Brush, "view">, scene: Scene, x: number, y: number): number | undefined {
  const { view } = brush;
  const at = view.left + (x - gutter) * view.perPx;
  const { begin, end } = legsWithin(scene, { from: at - 5 * view.perPx, to: at + 5 * view.perPx });
  let best: number | undefined;
  let bestDistance = 5;
  for (let leg = begin; leg < end; leg++) {
    if (!isLegShown(scene, leg)) {
      continue;
    }
    const { x0, y0, x1, y1 } = segmentOf(brush, scene, leg);
    if (y < Math.min(y0, y1) - 5 || y > Math.max(y0, y1) + 5) {
      continue;
    }
    const dx = x1 - x0;
    const dy = y1 - y0;
    const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
    const distance = Math.hypot(x - x0 - along * dx, y - y0 - along * dy);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = leg;
    }
  }
  return best;
}
