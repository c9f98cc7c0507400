/**
 * Draws messages in flight: from the sender's lane at the time of sending to the receiver's at the time of arrival. A message that never
 * arrives ends in a cross halfway.
 */
import { type Brush, gutter, windowOf, xOf } from "./brush.ts";
import { fates } from "../model/messages.ts";
import { categories } from "../model/model.ts";
import { isLegShown, legsWithin, type Scene } from "./scene.ts";
import { categoryColour, statusColour, type Theme } from "./theme.ts";

export interface Emphasis {
  /** Query whose messages are highlighted; -1 for none. */
  readonly query: number;
  /** Selected message; -1 for none. */
  readonly message: number;
}

/** Drawn fraction of a leg that never arrives. */
const brokenReach = 0.55;
/** With more legs than this in the window, legs on the same pixels are drawn once. */
const legsApartMax = 1500;
/** With more legs than this, each column of pixels shows only between which lanes there were messages. */
const legsAloneMax = 5000;
/** With fewer legs than this, they have arrowheads. */
const headsMax = 900;

interface Style {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly alpha: number;
  readonly width: number;
  readonly lines: number[];
}

export interface Segment {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly isBroken: boolean;
}

/** The line of a leg on the screen. */
export function segmentOf(brush: Pick<Brush, "view">, scene: Scene, leg: number): Segment {
  const { legs } = scene.run.messages;
  const fate = fates[legs.fate[leg] ?? 0];
  const isBroken = legs.last[leg] === -1;
  const reach = isBroken ? brokenReach : fate === "cut" ? 0.9 : fate === "truncated" ? 0.8 : 1;
  const x0 = xOf(brush, scene.legFrom[leg] ?? 0);
  const y0 = scene.laneOf[legs.fromPlace[leg] ?? 0]?.spine ?? 0;
  const x1 = xOf(brush, scene.legTo[leg] ?? 0);
  const y1 = scene.laneOf[legs.toPlace[leg] ?? 0]?.spine ?? 0;
  return { x0, y0, x1: x0 + (x1 - x0) * reach, y1: y0 + (y1 - y0) * reach, isBroken: isBroken || fate === "cut" };
}

export function drawLegs(brush: Brush, scene: Scene, emphasis: Emphasis): void {
  const { theme, drawn } = brush;
  const { messages, query } = scene.run;
  const { legs } = messages;
  const window = windowOf(brush, 0);
  const { begin, end } = legsWithin(scene, window);
  const many = end - begin > legsApartMax;
  const taken = many ? new Set<number>() : undefined;
  const faded = emphasis.query !== -1 || emphasis.message !== -1;
  const styles = new Map<string, Style>();
  const broken: Segment[] = [];
  const lanes = scene.lanes.length;
  const shown: number[] = [];
  for (let leg = begin; leg < end; leg++) {
    if ((scene.legTo[leg] ?? 0) < window.from && (scene.legFrom[leg] ?? 0) < window.from) {
      continue;
    }
    if (isLegShown(scene, leg)) {
      shown.push(leg);
    }
  }
  // The more legs, the paler the lines; heights below them show the amount.
  const alpha = shown.length > 6000 ? 0.16 : shown.length > legsApartMax ? 0.3 : shown.length > 400 ? 0.6 : 0.85;
  if (shown.length > legsAloneMax && !faded) {
    drawColumns(brush, scene, shown);
    return;
  }
  for (const leg of shown) {
    const message = legs.message[leg] ?? 0;
    const fate = fates[legs.fate[leg] ?? 0] ?? "arrived";
    const isEmphasised =
      faded && (message === emphasis.message || (emphasis.query !== -1 && query[legs.first[leg] ?? 0] === emphasis.query));
    if (taken !== undefined && fate === "arrived" && !isEmphasised) {
      const column = Math.round(xOf(brush, scene.legFrom[leg] ?? 0) / 1.5);
      const last = Math.round(xOf(brush, scene.legTo[leg] ?? 0) / 1.5);
      const key = ((column * 4096 + (last - column)) * lanes + (legs.fromPlace[leg] ?? 0)) * lanes + (legs.toPlace[leg] ?? 0);
      if (taken.has(key)) {
        continue;
      }
      taken.add(key);
    }
    const segment = segmentOf(brush, scene, leg);
    drawn.legs++;
    const style = styleOf(styles, theme, {
      category: messages.category[messages.head[message] ?? 0] ?? 0,
      fate,
      status: scene.side?.status[legs.first[leg] ?? 0],
      isSecond: scene.isSecond,
      isEmphasised,
      isFaded: faded && !isEmphasised,
      alpha,
    });
    style.lines.push(segment.x0, segment.y0, segment.x1, segment.y1);
    if (segment.isBroken || fate === "truncated") {
      broken.push(segment);
    }
  }
  drawn.brokenLegs += broken.length;
  const heads = shown.length <= headsMax;
  for (const style of styles.values()) {
    stroke(brush, style, heads);
  }
  crosses(brush, broken);
}

/** For every two pixels: the lanes between which legs began, by category, with crosses where some did not arrive. */
function drawColumns(brush: Brush, scene: Scene, shown: readonly number[]): void {
  const { context, theme, width, drawn } = brush;
  const { messages, trouble } = scene.run;
  const { legs } = messages;
  const step = 2;
  const slots = Math.ceil((width - gutter) / step) + 1;
  const kinds = categories.length + 1;
  const tops = new Float32Array(slots * kinds).fill(Number.POSITIVE_INFINITY);
  const bottoms = new Float32Array(slots * kinds).fill(Number.NEGATIVE_INFINITY);
  const counts = new Uint32Array(slots * kinds);
  for (const leg of shown) {
    const slot = Math.floor((xOf(brush, scene.legFrom[leg] ?? 0) - gutter) / step);
    if (slot < 0 || slot >= slots) {
      continue;
    }
    drawn.legs++;
    const isBroken = legs.last[leg] === -1 || trouble[legs.last[leg] ?? 0] === 1;
    drawn.brokenLegs += isBroken ? 1 : 0;
    const kind = isBroken ? categories.length : (messages.category[messages.head[legs.message[leg] ?? 0] ?? 0] ?? 0);
    const from = scene.laneOf[legs.fromPlace[leg] ?? 0]?.spine ?? 0;
    const to = scene.laneOf[legs.toPlace[leg] ?? 0]?.spine ?? 0;
    const cell = slot * kinds + kind;
    tops[cell] = Math.min(tops[cell] ?? 0, from, to);
    bottoms[cell] = Math.max(bottoms[cell] ?? 0, from, to);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  for (let kind = 0; kind < kinds; kind++) {
    const category = categories[kind];
    context.fillStyle = category === undefined ? theme.trouble : categoryColour(theme, category);
    for (let slot = 0; slot < slots; slot++) {
      const cell = slot * kinds + kind;
      const count = counts[cell] ?? 0;
      if (count > 0) {
        const top = tops[cell] ?? 0;
        context.globalAlpha = category === undefined ? 0.4 : Math.min(0.3, 0.08 + 0.04 * Math.log2(1 + count));
        context.fillRect(gutter + slot * step, top, category === undefined ? 1 : step, (bottoms[cell] ?? 0) - top);
      }
    }
  }
  context.globalAlpha = 1;
}

function styleOf(
  styles: Map<string, Style>,
  theme: Theme,
  leg: {
    readonly category: number;
    readonly fate: (typeof fates)[number];
    readonly status: number | undefined;
    readonly isSecond: boolean;
    readonly isEmphasised: boolean;
    readonly isFaded: boolean;
    readonly alpha: number;
  },
): Style {
  const isBad = leg.fate !== "arrived" && leg.fate !== "duplicated";
  const key = `${leg.category} ${leg.fate} ${leg.status} ${leg.isEmphasised} ${leg.isFaded}`;
  const known = styles.get(key);
  if (known !== undefined) {
    return known;
  }
  const colour =
    leg.status !== undefined
      ? statusColour(theme, leg.status, leg.isSecond)
      : isBad
        ? theme.trouble
        : categoryColour(theme, categories[leg.category] ?? "other");
  const style: Style = {
    colour,
    dash: leg.fate === "duplicated" ? [6, 3] : isBad ? [3, 3] : [],
    alpha: leg.isFaded ? Math.min(leg.alpha, 0.14) : leg.isEmphasised || isBad ? 1 : leg.alpha * (leg.category === 3 ? 0.6 : 1),
    width: leg.isEmphasised ? 2 : isBad ? 1.5 : 1.1,
    lines: [],
  };
  styles.set(key, style);
  return style;
}

function stroke({ context, width }: Brush, { lines, ...style }: Style, heads: boolean): void {
  context.strokeStyle = style.colour;
  context.fillStyle = style.colour;
  context.globalAlpha = style.alpha;
  context.lineWidth = style.width;
  context.setLineDash([...style.dash]);
  context.beginPath();
  for (let slot = 0; slot < lines.length; slot += 4) {
    context.moveTo(lines[slot] ?? 0, lines[slot + 1] ?? 0);
    context.lineTo(lines[slot + 2] ?? 0, lines[slot + 3] ?? 0);
  }
  context.stroke();
  context.setLineDash([]);
  if (heads) {
    context.beginPath();
    for (let slot = 0; slot < lines.length; slot += 4) {
      const x1 = lines[slot + 2] ?? 0;
      if (x1 > gutter && x1 < width) {
        head(context, lines[slot] ?? 0, lines[slot + 1] ?? 0, x1, lines[slot + 3] ?? 0);
      }
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

function head(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 10) {
    return;
  }
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const tipX = x1 - ux * 2.5;
  const tipY = y1 - uy * 2.5;
  context.moveTo(tipX, tipY);
  context.lineTo(tipX - ux * 7 - uy * 2.8, tipY - uy * 7 + ux * 2.8);
  context.lineTo(tipX - ux * 7 + uy * 2.8, tipY - uy * 7 - ux * 2.8);
  context.closePath();
}

function crosses({ context, theme }: Brush, broken: readonly Segment[]): void {
  for (const [colour, width] of [
    [theme.paper, 5],
    [theme.trouble, 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineCap = "round";
    context.beginPath();
    for (const { x1, y1 } of broken) {
      context.moveTo(x1 - 4, y1 - 4);
      context.lineTo(x1 + 4, y1 + 4);
      context.moveTo(x1 - 4, y1 + 4);
      context.lineTo(x1 + 4, y1 - 4);
    }
    context.stroke();
  }
  context.lineCap = "butt";
}
