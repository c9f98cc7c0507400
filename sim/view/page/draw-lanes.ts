/** What lies under the messages: lanes and their lives, faults as bands, states as bars. */
import { type Brush, gutter, hatch, text, windowOf, xAt } from "./brush.ts";
import type { FaultSpan } from "./model.ts";
import type { Lane, Scene } from "./scene.ts";
import { stateColour } from "./theme.ts";

export function drawLanes(brush: Brush, scene: Scene): void {
  const { context, theme, width } = brush;
  scene.lanes.forEach((lane, index) => {
    if (index % 2 === 1) {
      context.fillStyle = theme.stripe;
      context.fillRect(gutter, lane.top, width - gutter, lane.height);
    }
  });
  for (const { span } of scene.faultRows) {
    drawFaultBand(brush, scene, span);
  }
  drawLives(brush, scene);
  drawFaultBars(brush, scene);
}

/** The box of a span of time in a lane, clipped to the window; undefined when none of it shows. */
function boxOf(
  brush: Brush,
  lane: Pick<Lane, "top" | "height">,
  span: { readonly from: number; readonly to: number },
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | undefined {
  const from = Math.max(gutter, xAt(brush, span.from));
  const to = Math.min(brush.width, Math.max(xAt(brush, span.to), from + 1));
  return to <= gutter || from >= brush.width ? undefined : { x: from, y: lane.top, width: to - from, height: lane.height };
}

function drawFaultBand(brush: Brush, scene: Scene, span: FaultSpan): void {
  const { context, theme } = brush;
  const lanes = span.places.flatMap((place) => scene.laneOf[place] ?? []);
  const isCut = /partition|cut|clog|isolat/.test(span.kind);
  for (const lane of lanes) {
    const box = boxOf(brush, lane, span);
    if (box === undefined) {
      continue;
    }
    brush.drawn.faults++;
    context.globalAlpha = 0.1;
    context.fillStyle = theme.fault;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    if (/pause|frozen|freeze|stall/.test(span.kind)) {
      context.globalAlpha = 0.45;
      hatch(context, box, theme.fault, 7);
      context.globalAlpha = 1;
    } else if (isCut) {
      drawWall(brush, box);
    } else if (span.kind.includes("link")) {
      context.globalAlpha = 0.6;
      context.fillStyle = theme.fault;
      context.fillRect(box.x, lane.spine - 3, box.width, 1);
      context.fillRect(box.x, lane.spine + 3, box.width, 1);
      context.globalAlpha = 1;
    }
  }
}

/** Cut off: walls above and below the lane. */
function drawWall(brush: Brush, box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }): void {
  const { context, theme } = brush;
  for (const y of [box.y, box.y + box.height - 5]) {
    context.fillStyle = theme.paper;
    context.fillRect(box.x, y, box.width, 5);
    hatch(context, { ...box, y, height: 5 }, theme.fault, 5);
  }
  context.fillStyle = theme.fault;
  context.fillRect(box.x, box.y + 5, box.width, 1);
  context.fillRect(box.x, box.y + box.height - 6, box.width, 1);
}

function drawLives(brush: Brush, scene: Scene): void {
  const { context, theme } = brush;
  const lived = new Set(scene.run.lives.map(({ place }) => place));
  for (const lane of scene.lanes) {
    if (lane.role === "world") {
      continue;
    }
    // Users live as long as the run; a node that is down is a dashed line.
    context.strokeStyle = lived.has(lane.place) ? theme.faint : theme.line;
    context.lineWidth = 1;
    context.setLineDash(lived.has(lane.place) ? [2, 4] : []);
    context.beginPath();
    context.moveTo(gutter, lane.spine + 0.5);
    context.lineTo(brush.width, lane.spine + 0.5);
    context.stroke();
    context.setLineDash([]);
  }
  for (const life of scene.run.lives) {
    const lane = scene.laneOf[life.place];
    const box = lane && boxOf(brush, { top: lane.spine - 1, height: 3 }, life);
    if (box !== undefined) {
      context.fillStyle = theme.paper;
      context.fillRect(box.x, box.y, box.width, 3);
      context.fillStyle = theme.faint;
      context.fillRect(box.x, box.y + 1, box.width, 1);
    }
  }
  drawGaps(brush, scene);
}

/** Between one life and the next: crossed out, so that a crash is seen from afar. */
function drawGaps(brush: Brush, scene: Scene): void {
  const { context, theme } = brush;
  for (const lane of scene.lanes) {
    const lives = scene.run.lives.filter(({ place }) => place === lane.place);
    lives.forEach((life, index) => {
      if (life.ending === "end") {
        return;
      }
      const box = boxOf(brush, lane, { from: life.to, to: lives[index + 1]?.from ?? scene.run.toNanos });
      if (box !== undefined) {
        context.globalAlpha = 0.55;
        context.fillStyle = theme.raised;
        context.fillRect(box.x, box.y, box.width, box.height);
        context.globalAlpha = 1;
        hatch(context, box, theme.line, 5);
        if (box.width > 44) {
          const words = life.ending === "crash" ? "down" : "stopped";
          text(context, words, { x: box.x + 6, y: lane.spine - 5, colour: theme.muted, size: 10.5, weight: 600 });
        }
      }
    });
  }
}

function drawFaultBars(brush: Brush, scene: Scene): void {
  const { context, theme } = brush;
  const lane = scene.lanes.find(({ role }) => role === "world");
  if (lane === undefined) {
    return;
  }
  for (const { span, row } of scene.faultRows) {
    const box = boxOf(brush, { top: lane.barsTop + row * lane.barHeight, height: lane.barHeight - 2 }, span);
    if (box === undefined) {
      continue;
    }
    context.globalAlpha = 0.22;
    context.fillStyle = theme.fault;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.fillStyle = theme.fault;
    context.fillRect(box.x, box.y, 2, box.height);
    if (box.width > 30) {
      context.save();
      context.beginPath();
      context.rect(box.x, box.y, box.width, box.height);
      context.clip();
      text(context, faultName(span), { x: box.x + 6, y: box.y + 10, colour: theme.ink, size: 10.5 });
      context.restore();
    }
  }
}

/** Without its times, which the band itself tells. */
export function faultName(span: FaultSpan): string {
  return span.text.replace(/ [\d.]+s\.\.[\d.]+s/, "");
}

const endingGlyph: Readonly<Record<string, "bad" | "stop">> = { FAILED: "bad", ABORTED: "stop", CANCELED: "stop" };

export function drawBars(brush: Brush, scene: Scene): void {
  const { context, theme, drawn } = brush;
  const { from, to } = windowOf(brush, 4);
  const seen = new Map<number, number>();
  const fromNanos = brush.scale.nanosAt(from);
  const toNanos = brush.scale.nanosAt(to);
  for (const bar of scene.run.bars) {
    const lane = scene.laneOf[bar.place];
    if (lane === undefined || bar.to < fromNanos || bar.from > toNanos) {
      continue;
    }
    const y = lane.barsTop + bar.row * lane.barHeight;
    const thickness = Math.max(1, lane.barHeight - 2);
    const x0 = Math.max(gutter, xAt(brush, bar.from));
    const x1 = Math.min(brush.width, xAt(brush, bar.to));
    if (x1 - x0 < 1) {
      const key = lane.place * 64 + bar.row;
      if (seen.get(key) === Math.floor(x0)) {
        continue;
      }
      seen.set(key, Math.floor(x0));
    }
    drawn.bars++;
    bar.segments.forEach((segment, index) => {
      const begin = Math.max(gutter, xAt(brush, segment.from));
      const end = Math.min(brush.width, xAt(brush, bar.segments[index + 1]?.from ?? bar.to));
      if (end > begin) {
        context.fillStyle = stateColour(theme, segment.state);
        context.fillRect(begin, y, end - begin, thickness);
      }
    });
    if (x1 - x0 < 1) {
      context.fillStyle = stateColour(theme, "RUNNING");
      context.fillRect(x0, y, 1, thickness);
    }
    const ending = endingGlyph[bar.ending];
    if (ending !== undefined && x1 > gutter) {
      context.fillStyle = ending === "bad" ? theme.trouble : theme.muted;
      context.fillRect(x1 - 1, y - 1, 3, thickness + 2);
    }
  }
}
