/**
 * Draws entries on their lanes: as small marks if there is space, otherwise as heights that show their number.
 */
import { type Brush, gutter, text, windowOf, xOf } from "./brush.ts";
import { categories } from "../model/model.ts";
import { entriesWithin, type Scene } from "./scene.ts";
import { categoryColour, statusColour, type Theme } from "./theme.ts";

type Glyph = "dot" | "tick" | "square" | "triangle" | "begin" | "end" | "start" | "cross" | "stop" | "diamond" | "glass" | "none";

/** Maximum entries in the window that are drawn as separate marks. */
const marksApartMax = 4000;
const labelsMax = 1500;

function glyphOf(kind: string): Glyph {
  switch (kind) {
    case "timer":
      return "tick";
    case "log-info":
      return "square";
    case "log-warn":
    case "log-error":
      return "triangle";
    case "submit":
      return "begin";
    case "end":
      return "end";
    case "start":
      return "start";
    case "stopped":
      return "stop";
    case "timed-out":
      return "glass";
    case "crash":
    case "network-error":
    case "refused":
    case "cut":
    case "aborted":
    case "handler-failed":
      return "cross";
    case "query":
    case "stage":
    case "task":
    case "fault":
    case "heal":
    case "healed":
    case "violation":
      return "none";
    case "request":
    case "serve":
    case "respond":
    case "answer":
    case "lost":
    case "reset":
    case "answer-lost":
    case "answer-reset":
    case "duplicated":
    case "never-answered":
    case "turned-away":
    case "overtaken":
    case "truncated":
      return "dot";
    default:
      return "diamond";
  }
}

function colourOf(theme: Theme, scene: Scene, index: number, kind: string): string {
  const status = scene.side?.status[index];
  if (status !== undefined) {
    return statusColour(theme, status, scene.isSecond);
  }
  if (kind === "log-warn") {
    return theme.warn;
  }
  if (scene.run.trouble[index] === 1 && kind !== "duplicated") {
    return theme.trouble;
  }
  if (kind === "start" || kind === "healed") {
    return theme.good;
  }
  const { messages, columns } = scene.run;
  if ((messages.ofEntry[index] ?? -1) >= 0) {
    return categoryColour(theme, categories[messages.category[columns.head[index] ?? 0] ?? 4] ?? "other");
  }
  return kind === "submit" || kind === "end" ? theme.statement : theme.muted;
}

export function drawMarks(brush: Brush, scene: Scene, query: number): void {
  const { begin, end } = entriesWithin(scene, windowOf(brush, 6));
  let shown = 0;
  for (let index = begin; index < end; index++) {
    shown += scene.mask[index] ?? 0;
  }
  if (shown > marksApartMax) {
    brush.drawn.dense = true;
    drawHeights(brush, scene, { begin, end });
    return;
  }
  const { context, theme, drawn } = brush;
  const { columns } = scene.run;
  const glyphs = columns.kinds.map(glyphOf);
  const batches = new Map<string, { readonly glyph: Glyph; readonly colour: string; readonly alpha: number; readonly points: number[] }>();
  for (let index = begin; index < end; index++) {
    const lane = scene.laneOf[columns.place[index] ?? 0];
    const kindNumber = columns.kind[index] ?? 0;
    const glyph = columns.kinds[kindNumber] === "crash" && scene.run.trouble[index] === 0 ? "none" : (glyphs[kindNumber] ?? "dot");
    if (scene.mask[index] !== 1 || lane === undefined) {
      continue;
    }
    drawn.marks++;
    if (glyph === "none") {
      continue;
    }
    const colour = colourOf(theme, scene, index, columns.kinds[kindNumber] ?? "");
    const alpha = query !== -1 && scene.run.query[index] !== query ? 0.25 : 1;
    const key = `${glyph} ${colour} ${alpha}`;
    let batch = batches.get(key);
    if (batch === undefined) {
      batch = { glyph, colour, alpha, points: [] };
      batches.set(key, batch);
    }
    batch.points.push(xOf(brush, scene.at[index] ?? 0), lane.spine);
  }
  const size = shown > 1500 ? 0.75 : 1;
  for (const { glyph, colour, alpha, points } of batches.values()) {
    context.globalAlpha = alpha;
    stamp(context, glyph, colour, points, size, theme.paper);
  }
  context.globalAlpha = 1;
  if (shown <= labelsMax) {
    drawLabels(brush, scene, { begin, end });
  }
}

function stamp(
  context: CanvasRenderingContext2D,
  glyph: Glyph,
  colour: string,
  points: readonly number[],
  size: number,
  paper: string,
): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = glyph === "cross" ? 2 : 1.25;
  context.beginPath();
  const isFilled = trace(context, glyph, points, size);
  if (isFilled === "ring") {
    context.fillStyle = paper;
    context.fill();
    context.stroke();
  } else if (isFilled === "filled") {
    context.fill();
  } else {
    context.stroke();
  }
}

/** Adds the outlines of all points to the path. */
function trace(context: CanvasRenderingContext2D, glyph: Glyph, points: readonly number[], size: number): "filled" | "ring" | "lines" {
  const each = (draw: (x: number, y: number) => void): void => {
    for (let slot = 0; slot < points.length; slot += 2) {
      draw(points[slot] ?? 0, (points[slot + 1] ?? 0) + 0.5);
    }
  };
  const polygon = (corners: readonly (readonly [number, number])[]): void =>
    each((x, y) => {
      corners.forEach(([dx, dy], corner) =>
        corner === 0 ? context.moveTo(x + dx * size, y + dy * size) : context.lineTo(x + dx * size, y + dy * size),
      );
      context.closePath();
    });
  switch (glyph) {
    case "dot":
      each((x, y) => {
        context.moveTo(x + 2.2 * size, y);
        context.arc(x, y, 2.2 * size, 0, 7);
      });
      return "filled";
    case "tick":
      each((x, y) => {
        context.moveTo(x, y + 1);
        context.lineTo(x, y + 6);
      });
      return "lines";
    case "square":
      polygon([
        [-2.5, -2.5],
        [2.5, -2.5],
        [2.5, 2.5],
        [-2.5, 2.5],
      ]);
      return "ring";
    case "triangle":
      polygon([
        [0, -5.5],
        [5, 3.5],
        [-5, 3.5],
      ]);
      return "filled";
    case "begin":
      polygon([
        [-2, -5],
        [6, 0],
        [-2, 5],
      ]);
      return "filled";
    case "end":
      polygon([
        [-4, -4],
        [4, -4],
        [4, 4],
        [-4, 4],
      ]);
      return "filled";
    case "start":
      polygon([
        [0, -6],
        [4.5, 2],
        [-4.5, 2],
      ]);
      return "filled";
    case "stop":
      polygon([
        [-4, -4],
        [4, -4],
        [4, 4],
        [-4, 4],
      ]);
      return "ring";
    case "diamond":
      polygon([
        [0, -4.5],
        [4.5, 0],
        [0, 4.5],
        [-4.5, 0],
      ]);
      return "ring";
    case "glass":
      polygon([
        [-4, -5],
        [4, -5],
        [-4, 5],
        [4, 5],
      ]);
      return "filled";
    case "cross":
      each((x, y) => {
        context.moveTo(x - 4 * size, y - 4 * size);
        context.lineTo(x + 4 * size, y + 4 * size);
        context.moveTo(x - 4 * size, y + 4 * size);
        context.lineTo(x + 4 * size, y - 4 * size);
      });
      return "lines";
    case "none":
      return "lines";
  }
}

/** A one-word description of a mark. */
function shortName(scene: Scene, index: number): string {
  const { columns, messages } = scene.run;
  const kind = columns.kinds[columns.kind[index] ?? 0] ?? "";
  if ((messages.ofEntry[index] ?? -1) >= 0) {
    const label = messages.labels[columns.head[index] ?? 0] ?? "";
    return kind === "request" || kind === "serve" ? label : kind === "respond" || kind === "answer" ? "" : `${label} ${kind}`;
  }
  const words = columns.texts[columns.text[index] ?? 0] ?? "";
  switch (kind) {
    case "timer":
      return words;
    case "submit":
      return words.length > 48 ? `${words.slice(0, 46)}…` : words;
    case "end":
      return words.length > 40 ? `${words.slice(0, 38)}…` : words;
    case "log-info":
    case "log-warn":
    case "log-error":
      return words.split(" ", 1)[0] ?? "";
    case "query":
    case "stage":
    case "task":
      return "";
    case "point":
      return words;
    case "crash":
      return scene.run.trouble[index] === 0 ? "" : kind;
    default:
      return kind;
  }
}

/** From right to left, so that the space for each label is known. */
function drawLabels(brush: Brush, scene: Scene, { begin, end }: { readonly begin: number; readonly end: number }): void {
  const { context, theme, width, drawn } = brush;
  const { columns } = scene.run;
  const next = new Map<number, number>();
  for (let index = end - 1; index >= begin; index--) {
    const lane = scene.laneOf[columns.place[index] ?? 0];
    if (scene.mask[index] !== 1 || lane === undefined || lane.role === "world") {
      continue;
    }
    const x = xOf(brush, scene.at[index] ?? 0);
    const words = shortName(scene, index);
    if (words === "") {
      continue;
    }
    const room = (next.get(lane.place) ?? width) - x;
    if (room > words.length * 5.7 + 10 && x >= gutter && lane.height > 24) {
      text(context, words, { x: x + 4, y: lane.spine - 6, colour: theme.muted, size: 10.5 });
      drawn.labels++;
    }
    next.set(lane.place, x);
  }
}

/** Number of entries for every two pixels of each lane, with failures on top. */
function drawHeights(brush: Brush, scene: Scene, { begin, end }: { readonly begin: number; readonly end: number }): void {
  const { context, theme, width, drawn } = brush;
  const { columns, trouble } = scene.run;
  const step = 2;
  const slots = Math.ceil((width - gutter) / step) + 2;
  const all = new Uint32Array(slots * columns.places.length);
  const bad = new Uint32Array(slots * columns.places.length);
  const perSlot = brush.view.perPx * step;
  for (let index = begin; index < end; index++) {
    if (scene.mask[index] !== 1) {
      continue;
    }
    const slot = Math.floor(((scene.at[index] ?? 0) - brush.view.left) / perSlot);
    if (slot < 0 || slot >= slots) {
      continue;
    }
    const cell = (columns.place[index] ?? 0) * slots + slot;
    all[cell] = (all[cell] ?? 0) + 1;
    bad[cell] = (bad[cell] ?? 0) + (scene.side === undefined ? (trouble[index] ?? 0) : scene.side.status[index] === 0 ? 0 : 1);
  }
  for (const lane of scene.lanes) {
    const most = Math.min(11, lane.height / 3);
    for (const [counts, colour] of [
      [all, theme.membership],
      [bad, scene.side === undefined ? theme.trouble : statusColour(theme, 1, scene.isSecond)],
    ] as const) {
      context.fillStyle = colour;
      for (let slot = 0; slot < slots; slot++) {
        const count = counts[lane.place * slots + slot] ?? 0;
        if (count > 0) {
          // Aligned to whole pixels, which are several times cheaper to fill.
          const height = Math.round(Math.min(most, 1.5 + 1.7 * Math.log2(1 + count)));
          context.fillRect(gutter + slot * step, lane.spine - height, step, 2 * height);
          drawn.marks++;
        }
      }
    }
  }
}
