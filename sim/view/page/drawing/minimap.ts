/**
 * The whole run in a strip: activity over time, failures, and the position of the window. The picture is made once for each scale and
 * filter.
 */
import type { Scene } from "./scene.ts";
import type { Scale } from "./scale.ts";
import type { Theme } from "./theme.ts";

export interface MinimapInput {
  readonly scenes: readonly Scene[];
  readonly found: readonly Uint8Array[];
  readonly scale: Scale;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  readonly firstDifference: number | undefined;
}

export function drawMinimap(context: CanvasRenderingContext2D, input: MinimapInput): void {
  const { scenes, scale, theme, width, height } = input;
  context.clearRect(0, 0, width, height);
  context.fillStyle = theme.raised;
  context.fillRect(0, 0, width, height);
  const toX = width / (scale.to - scale.from);
  const share = height / scenes.length;
  scenes.forEach((scene, number) => {
    const base = (number + 1) * share;
    const columns = Math.max(1, Math.ceil(width / 2));
    const all = new Uint32Array(columns + 1);
    const bad = new Uint32Array(columns + 1);
    const found = new Uint32Array(columns + 1);
    const matches = input.found[number];
    for (let index = 0; index < scene.at.length; index++) {
      if (scene.mask[index] === 1) {
        const column = Math.floor((((scene.at[index] ?? 0) - scale.from) * toX) / 2);
        all[column] = (all[column] ?? 0) + 1;
        bad[column] = (bad[column] ?? 0) + (scene.run.trouble[index] ?? 0);
        found[column] = (found[column] ?? 0) + (matches?.[index] ?? 0);
      }
    }
    const most = all.reduce((a, b) => Math.max(a, b), 1);
    const faulty = new Uint8Array(columns + 1);
    for (const span of scene.run.faults) {
      const from = Math.floor(((scale.positionOf(span.from) - scale.from) * toX) / 2);
      faulty.fill(1, from, Math.floor(((scale.positionOf(span.to) - scale.from) * toX) / 2) + 1);
    }
    context.fillStyle = theme.fault;
    for (let column = 0; column <= columns; column++) {
      if (faulty[column] === 1) {
        context.globalAlpha = 0.13;
        context.fillRect(column * 2, base - share, 2, share);
        context.globalAlpha = 0.8;
        context.fillRect(column * 2, base - share, 2, 2);
      }
    }
    context.globalAlpha = 1;
    for (let column = 0; column <= columns; column++) {
      const heightOf = (count: number): number =>
        count === 0 ? 0 : Math.max(1.5, ((share - 8) * Math.log2(1 + count)) / Math.log2(1 + most));
      const tall = heightOf(all[column] ?? 0);
      if (tall > 0) {
        context.fillStyle = theme.faint;
        context.fillRect(column * 2, base - 2 - tall, 1.6, tall);
        const wrong = heightOf(bad[column] ?? 0);
        context.fillStyle = theme.trouble;
        context.fillRect(column * 2, base - 2 - wrong, 1.6, wrong);
      }
      if ((found[column] ?? 0) > 0) {
        context.fillStyle = theme.match;
        context.fillRect(column * 2 - 0.5, base - share + 1, 2.6, 4);
      }
    }
    for (const violation of scene.run.violations) {
      const x = (scale.positionOf(violation.at) - scale.from) * toX;
      context.fillStyle = theme.violation;
      context.fillRect(x - 1.5, base - share, 3, share);
      context.beginPath();
      context.moveTo(x - 6, base - share);
      context.lineTo(x + 6, base - share);
      context.lineTo(x, base - share + 8);
      context.fill();
    }
  });
  if (input.firstDifference !== undefined) {
    context.fillStyle = theme.onlyA;
    context.fillRect((scale.positionOf(input.firstDifference) - scale.from) * toX - 1, 0, 2, height);
  }
}

export interface MinimapWindow {
  readonly from: number;
  readonly to: number;
  readonly playhead: number;
}

/** Draws the window and the playhead over the picture. */
export function drawMinimapWindow(
  context: CanvasRenderingContext2D,
  { from, to, playhead }: MinimapWindow,
  size: { readonly width: number; readonly height: number; readonly theme: Theme },
): void {
  const { width, height, theme } = size;
  const left = Math.max(0, from);
  const right = Math.min(width, Math.max(to, left + 3));
  context.globalAlpha = 0.5;
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, left, height);
  context.fillRect(right, 0, width - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, 0.75, Math.max(1.5, right - left - 1.5), height - 1.5);
  context.fillStyle = theme.ink;
  context.fillRect(Math.round(playhead), 0, 1, height);
}
