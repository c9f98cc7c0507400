/** What every drawing function is given: the canvas, the colours, the window on time, and the counts of what was drawn. */
import type { Scale, TimeFormat } from "./scale.ts";
import { sans, type Theme } from "./theme.ts";

/** Left of the lanes stand their names. */
export const gutter = 84;
/** Above them the times. */
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
  /** Entries in the window are too many to stand apart: they are drawn as heights. */
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

/** Diagonal lines within a rectangle: for what is down, paused or cut, legible without colour. */
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
  // Anchored to the canvas and not to the box, so that it does not swim when the box is panned out of the window.
  for (let x = Math.floor((box.x - box.height) / gapPx) * gapPx; x < box.x + box.width; x += gapPx) {
    context.moveTo(x, box.y + box.height);
    context.lineTo(x + box.height, box.y);
  }
  context.stroke();
  context.restore();
}
