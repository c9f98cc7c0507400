/**
 * Draws everything above the messages: the selection with its causes, search results, violations, the playhead, the time axis and the lane
 * names.
 */
import { axisHeight, type Brush, gutter, text, windowOf, xAt, xOf } from "./brush.ts";
import type { Cone } from "../model/causes.ts";
import { formatTime, roundest, roundStep } from "./scale.ts";
import { entriesWithin, flagsHeight, type Scene } from "./scene.ts";
import { mono, sans } from "./theme.ts";

export interface Selection {
  readonly entry: number;
  /** Indexes from the entry back to the start of its causal chain. */
  readonly chain: readonly number[];
  readonly effects: readonly number[];
  /** Replaces the chain: everything that happened before and after the entry. */
  readonly cone: Cone | undefined;
}

export function drawCone(brush: Brush, scene: Scene, { cone }: Selection): void {
  const { context, theme, width } = brush;
  if (cone === undefined) {
    return;
  }
  for (const lane of scene.lanes) {
    const past = cone.past[lane.place] ?? -1;
    const future = cone.future[lane.place] ?? scene.at.length;
    if (past >= 0) {
      const x = Math.min(width, xOf(brush, scene.at[past] ?? 0));
      context.fillStyle = theme.accentSoft;
      context.fillRect(gutter, lane.top, Math.max(0, x - gutter), lane.height);
    }
    if (future < scene.at.length) {
      const x = Math.max(gutter, xOf(brush, scene.at[future] ?? 0));
      context.fillStyle = theme.future;
      context.fillRect(x, lane.top, Math.max(0, width - x), lane.height);
    }
  }
}

export function drawSelection(brush: Brush, scene: Scene, { entry, chain, effects, cone }: Selection): void {
  const { context, theme, drawn } = brush;
  const { columns, cause } = scene.run;
  const point = (index: number): readonly [number, number] | undefined => {
    const lane = scene.laneOf[columns.place[index] ?? 0];
    return lane && [xOf(brush, scene.at[index] ?? 0), lane.spine + 0.5];
  };
  if (cone === undefined) {
    context.strokeStyle = theme.accent;
    context.globalAlpha = 0.55;
    context.lineWidth = 1.25;
    context.setLineDash([2, 3]);
    context.beginPath();
    for (const index of effects) {
      const to = point(index);
      const from = point(cause[index] ?? -1);
      if (to !== undefined && from !== undefined) {
        context.moveTo(...from);
        context.lineTo(...to);
        drawn.highlighted++;
      }
    }
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    context.beginPath();
    chain.forEach((index, step) => {
      const at = point(index);
      if (at !== undefined) {
        drawn.highlighted++;
        if (step === 0) {
          context.moveTo(...at);
        } else {
          context.lineTo(...at);
        }
      }
    });
    context.stroke();
    context.fillStyle = theme.accent;
    context.beginPath();
    for (const index of chain) {
      const at = point(index);
      if (at !== undefined) {
        context.moveTo(at[0] + 3.5, at[1]);
        context.arc(at[0], at[1], 3.5, 0, 7);
      }
    }
    context.fill();
  }
  const at = point(entry);
  if (at !== undefined) {
    for (const [colour, thickness] of [
      [theme.paper, 5],
      [theme.accent, 2.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = thickness;
      context.beginPath();
      context.arc(at[0], at[1], 8, 0, 7);
      context.stroke();
    }
  }
}

/** Draws rings around search results; if there are too many, only the minimap shows them. */
export function drawFound(brush: Brush, scene: Scene, found: Uint8Array): void {
  const { context, theme } = brush;
  const { begin, end } = entriesWithin(scene, windowOf(brush, 6));
  context.strokeStyle = theme.match;
  context.lineWidth = 2;
  context.beginPath();
  let rings = 0;
  for (let index = begin; index < end && rings < 1500; index++) {
    const lane = scene.laneOf[scene.run.columns.place[index] ?? 0];
    if (found[index] === 1 && scene.mask[index] === 1 && lane !== undefined) {
      const x = xOf(brush, scene.at[index] ?? 0);
      context.moveTo(x + 6, lane.spine + 0.5);
      context.arc(x, lane.spine + 0.5, 6, 0, 7);
      rings++;
    }
  }
  context.stroke();
}

/** Draws a line through all lanes and a flag with the sentence, truncated at the next flag. */
export function drawViolations(brush: Brush, scene: Scene): void {
  const { context, theme, width, drawn } = brush;
  if (scene.run.violations.length === 0) {
    return;
  }
  context.fillStyle = theme.paper;
  context.fillRect(gutter, scene.top, width - gutter, flagsHeight);
  const flags = scene.run.violations
    .map((violation) => ({ violation, x: xAt(brush, violation.at) }))
    .filter(({ x }) => x >= gutter && x <= width);
  context.font = `600 12px ${sans}`;
  let until = gutter;
  flags.forEach(({ violation, x }, index) => {
    drawn.violations++;
    context.fillStyle = theme.violation;
    context.fillRect(x - 1, scene.top, 2, scene.height);
    const next = flags[index + 1]?.x ?? width;
    const full = `VIOLATION ${violation.kind} [${violation.oracle}] ${violation.sentence}`;
    const sign = 22;
    // The text is on the right, up to the next flag. That of the last flag may be on the left, if there is more space.
    const isLeft = index === flags.length - 1 && x - until > width - x && width - x < 260;
    const room = Math.min(560, isLeft ? x - until - 4 : next - x - 3);
    const words = room > 70 ? clip(context, full, room - 18) : "!";
    const wide = room > 70 ? context.measureText(words).width + 18 : Math.min(sign, Math.max(10, room));
    const left = isLeft ? x - wide : x;
    context.fillRect(left, scene.top + 2, wide, 20);
    context.fillStyle = theme.onViolation;
    context.fillText(words, left + (room > 70 ? 9 : wide / 2 - 2), scene.top + 16.5);
    until = Math.max(until, left + wide);
  });
}

function clip(context: CanvasRenderingContext2D, words: string, width: number): string {
  if (context.measureText(words).width <= width) {
    return words;
  }
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${words.slice(0, middle)}…`).width <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return `${words.slice(0, low)}…`;
}

/** Marks the point where two runs diverge. */
export function drawFirstDifference(brush: Brush, atNanos: number, words: string): void {
  const { context, theme, height, width } = brush;
  const x = xAt(brush, atNanos);
  if (x < gutter || x > width) {
    return;
  }
  context.strokeStyle = theme.onlyA;
  context.lineWidth = 2;
  context.setLineDash([7, 4]);
  context.beginPath();
  context.moveTo(x, axisHeight);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([]);
  context.font = `600 11px ${sans}`;
  const flag = context.measureText(words).width + 14;
  const left = x + flag > width ? x - flag : x;
  context.fillStyle = theme.onlyA;
  context.fillRect(left, height - 18, flag, 18);
  text(context, words, { x: left + 7, y: height - 5, colour: theme.paper, size: 11, weight: 600 });
}

export function drawPlayhead(brush: Brush): void {
  const { context, theme, height, width } = brush;
  const x = Math.round(xAt(brush, brush.playheadNanos));
  if (x < gutter || x > width) {
    return;
  }
  context.fillStyle = theme.ink;
  context.fillRect(x, axisHeight - 4, 1, height);
  context.beginPath();
  context.moveTo(x - 5.5, axisHeight - 10);
  context.lineTo(x + 6.5, axisHeight - 10);
  context.lineTo(x + 6.5, axisHeight - 4);
  context.lineTo(x + 0.5, axisHeight + 2);
  context.lineTo(x - 5.5, axisHeight - 4);
  context.closePath();
  context.fill();
}

interface Tick {
  readonly x: number;
  readonly label: string;
}

/** Times that get a grid line. */
function ticksOf(brush: Brush): readonly Tick[] {
  return brush.scale.isEven ? evenTicks(brush) : roundTicks(brush);
}

const tickPx = 128;

function evenTicks(brush: Brush): readonly Tick[] {
  const { width } = brush;
  const step = roundStep(tickPx * brush.view.perPx);
  const ticks: Tick[] = [];
  const first = Math.max(0, Math.ceil(brush.view.left / step) * step);
  for (let nanos = first; xAt(brush, nanos) <= width; nanos += step) {
    const label = trimmed(formatTime(nanos, { format: brush.timeFormat, originNanos: brush.playheadNanos, spanNanos: Math.max(10, step) }));
    ticks.push({ x: xAt(brush, nanos), label });
  }
  return ticks;
}

/** On the activity scale the distances differ, so each time is as round as its place allows. */
function roundTicks(brush: Brush): readonly Tick[] {
  const { width } = brush;
  const nanosAtX = (x: number): number => brush.scale.nanosAt(brush.view.left + (x - gutter) * brush.view.perPx);
  const ticks: Tick[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let words = "";
  for (let x = gutter + 40; x < width - 20; x += tickPx) {
    const nanos = roundest(nanosAtX(x - 40), nanosAtX(x + 40));
    const tick = xAt(brush, nanos);
    if (nanos < 0 || tick < last + 80 || tick < gutter || tick > width) {
      continue;
    }
    // Enough digits to distinguish the time from its neighbours.
    const spanNanos = Math.max(10, nanosAtX(x + 40) - nanosAtX(x - 40)) * 4;
    const label = trimmed(formatTime(nanos, { format: brush.timeFormat, originNanos: brush.playheadNanos, spanNanos }));
    if (label !== words) {
      words = label;
      last = tick;
      ticks.push({ x: tick, label });
    }
  }
  return ticks;
}

export function drawGrid(brush: Brush): void {
  brush.context.globalAlpha = 0.7;
  brush.context.fillStyle = brush.theme.line;
  for (const { x } of ticksOf(brush)) {
    brush.context.fillRect(Math.round(x), axisHeight, 1, brush.height - axisHeight);
  }
  brush.context.globalAlpha = 1;
}

export function drawAxis(brush: Brush): void {
  const { context, theme, width } = brush;
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, width, axisHeight);
  context.fillStyle = theme.line;
  context.fillRect(0, axisHeight - 1, width, 1);
  for (const { x, label } of ticksOf(brush)) {
    text(context, label, { x: x + 4, y: 15, colour: theme.muted, size: 11, family: mono });
    context.fillRect(Math.round(x), axisHeight - 7, 1, 7);
  }
}

/** Removes trailing zeros. */
function trimmed(label: string): string {
  return label.includes(".") ? label.replace(/\.?0+( |$)/, "$1") : label;
}

export function drawNames(brush: Brush, scene: Scene): void {
  const { context, theme } = brush;
  context.fillStyle = theme.paper;
  context.fillRect(0, scene.top, gutter, scene.height);
  let below = Number.NEGATIVE_INFINITY;
  for (const lane of scene.lanes) {
    context.fillStyle = theme.line;
    context.fillRect(0, lane.top, brush.width, lane.role === "coordinator" || lane.role === "world" ? 1 : 0.5);
    if (lane.spine - below < 11) {
      continue;
    }
    below = lane.spine;
    const name = lane.role === "world" ? "faults" : lane.name;
    const line = lane.role === "world" ? lane.top + 11 : lane.spine;
    text(context, name, { x: 12, y: line + 4, colour: theme.ink, size: lane.height > 20 ? 12.5 : 10, weight: 600 });
    if (lane.role !== "world" && lane.spine + 21 <= lane.top + lane.height) {
      const role = lane.role === "worker" ? (scene.run.facts.nodeWord ?? lane.role) : lane.role;
      text(context, role, { x: 12, y: lane.spine + 18, colour: theme.muted, size: 10 });
    }
  }
  context.fillStyle = theme.line;
  context.fillRect(gutter - 1, scene.top, 1, scene.height);
}
