/**
 * Context of every drawing function: canvas, colours, visible time window, and counts of drawn items.
 */
import type { Scale, TimeFormat } from "./scale.ts";
import { sans, type Theme } from "./theme.ts";

/** Width of the column for lane names, to the left of the lanes. */
export const gutter = 84;
/** Height of the time axis above the lanes. */
export const axisHeight = 24;

export interface Drawn {
  marks: number;
  legs: number;
  brokenLegs: number;
  bars: number;
  faults: number;
  labels: number;
  violations: number;
  highlighted: number;
  /** Whether the window has too many entries to draw separately; they are then drawn as heights. */
  dense: boolean;
}

export interface View {
  /** Position at the left edge of the lanes. */
  readonly left: number;
  readonly perPx: number;
}

export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  readonly scale: Scale;
  readonly view: View;
  readonly timeFormat: TimeFormat;
  readonly playheadNanos: number;
  readonly drawn: Drawn;
}

export function nothingDrawn(): Drawn {
  return { marks: 0, legs: 0, brokenLegs: 0, bars: 0, faults: 0, labels: 0, violations: 0, highlighted: 0, dense: false };
}

export function xOf({ view }: Pick<Brush, "view">, position: number): number {
  return gutter + (position - view.left) / view.perPx;
}

export function xAt(brush: Pick<Brush, "view" | "scale">, nanos: number): number {
  return xOf(brush, brush.scale.positionOf(nanos));
}

export function windowOf({ view, width }: Pick<Brush, "view" | "width">, marginPx: number): { readonly from: number; readonly to: number } {
  return { from: view.left - marginPx * view.perPx, to: view.left + (width - gutter + marginPx) * view.perPx };
}

export function text(
  context: CanvasRenderingContext2D,
  words: string,
  at: {
    readonly x: number;
    readonly y: number;
    readonly colour: string;
    readonly size?: number;
    readonly weight?: number;
    readonly family?: string;
  },
): void {
  context.font = `${at.weight ?? 400} ${at.size ?? 11}px ${at.family ?? sans}`;
  context.fillStyle = at.colour;
  context.fillText(words, at.x, at.y);
}

/** Fills a rectangle with diagonal lines. Marks places that are down, paused or cut, without relying on colour. */
export function hatch(
  context: CanvasRenderingContext2D,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  colour: string,
  gapPx: number,
): void {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.beginPath();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  // The lines are anchored to the canvas, so that they do not move when the box is panned.
  for (let x = Math.floor((box.x - box.height) / gapPx) * gapPx; x < box.x + box.width; x += gapPx) {
    context.moveTo(x, box.y + box.height);
    context.lineTo(x + box.height, box.y);
  }
  context.stroke();
  context.restore();
}
