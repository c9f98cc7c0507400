/**
 * Draws everything below the messages: lanes with their incarnations, faults as bands, states as bars.
 */
import { type Brush, gutter, hatch, text, windowOf, xAt, xOf } from "./brush.ts";
import type { Bar } from "./bars.ts";
import type { FaultSpan } from "../model/model.ts";
import type { FaultRow, Lane, Scene } from "./scene.ts";
import { stateColour } from "./theme.ts";

export function drawLanes(brush: Brush, scene: Scene): void {
  const { context, theme, width } = brush;
  scene.lanes.forEach((lane, index) => {
    if (index % 2 === 1) {
      context.fillStyle = theme.stripe;
      context.fillRect(gutter, lane.top, width - gutter, lane.height);
    }
  });
  for (const fault of scene.faultRows) {
    drawFaultBand(brush, scene, fault);
  }
  drawLives(brush, scene);
  drawFaultBars(brush, scene);
}

/** The rectangle of a span of positions in a lane, clipped to the window; undefined if it is outside. */
function boxOf(
  brush: Brush,
  lane: Pick<Lane, "top" | "height">,
  span: { readonly from: number; readonly to: number },
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | undefined {
  const begin = xOf(brush, span.from);
  const end = Math.max(xOf(brush, span.to), begin + 1);
  if (end <= gutter || begin >= brush.width) {
    return undefined;
  }
  const from = Math.max(gutter, begin);
  return { x: from, y: lane.top, width: Math.min(brush.width, end) - from, height: lane.height };
}

function drawFaultBand(brush: Brush, scene: Scene, fault: FaultRow): void {
  const { context, theme } = brush;
  const { span } = fault;
  const lanes = span.places.flatMap((place) => scene.laneOf[place] ?? []);
  const isCut = /partition|cut|clog|isolat/.test(span.kind);
  for (const lane of lanes) {
    const box = boxOf(brush, lane, fault);
    if (box === undefined) {
      continue;
    }
    brush.drawn.faults++;
    if (/clock|disk|read|memory|crowd|upgrade/.test(span.kind)) {
      // The fault is not observable from outside, so only a thin line marks it.
      context.globalAlpha = 0.5;
      context.fillStyle = theme.fault;
      context.fillRect(box.x, box.y + 1, box.width, 2);
      context.globalAlpha = 1;
      continue;
    }
    context.globalAlpha = span.kind.includes("slow-node") ? 0.14 : 0.06;
    context.fillStyle = theme.fault;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    if (box.width < 6) {
      continue;
    }
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

/** Draws walls above and below a lane that is cut off. */
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
  const lived = new Set(scene.lives.map(({ life }) => life.place));
  for (const lane of scene.lanes) {
    if (lane.role === "world") {
      continue;
    }
    // Users exist during the whole run; a node that is down is a dashed line.
    context.strokeStyle = lived.has(lane.place) ? theme.faint : theme.line;
    context.lineWidth = 1;
    context.setLineDash(lived.has(lane.place) ? [2, 4] : []);
    context.beginPath();
    context.moveTo(gutter, lane.spine + 0.5);
    context.lineTo(brush.width, lane.spine + 0.5);
    context.stroke();
    context.setLineDash([]);
  }
  for (const span of scene.lives) {
    const lane = scene.laneOf[span.life.place];
    const box = lane && boxOf(brush, { top: lane.spine - 1, height: 3 }, span);
    if (box !== undefined) {
      context.fillStyle = theme.paper;
      context.fillRect(box.x, box.y, box.width, 3);
      context.fillStyle = theme.faint;
      context.fillRect(box.x, box.y + 1, box.width, 1);
    }
  }
  drawGaps(brush, scene);
}

/** Crosses out the time between two incarnations, so that a crash is visible at low zoom. */
function drawGaps(brush: Brush, scene: Scene): void {
  const { context, theme } = brush;
  for (const { life, to, next } of scene.lives) {
    const lane = scene.laneOf[life.place];
    const box = lane && life.ending !== "end" ? boxOf(brush, lane, { from: to, to: next }) : undefined;
    if (lane === undefined || box === undefined) {
      continue;
    }
    context.globalAlpha = 0.55;
    context.fillStyle = theme.raised;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    if (box.width > 5) {
      hatch(context, box, theme.line, 5);
    }
    if (box.width > 44) {
      const words = life.ending === "crash" ? "down" : "stopped";
      text(context, words, { x: box.x + 6, y: lane.top + lane.height - 6, colour: theme.muted, size: 10.5, weight: 600 });
    }
  }
}

function drawFaultBars(brush: Brush, scene: Scene): void {
  const { context, theme } = brush;
  const lane = scene.lanes.find(({ role }) => role === "world");
  if (lane === undefined) {
    return;
  }
  for (const fault of scene.faultRows) {
    const { span } = fault;
    const place = lane.rows[fault.row];
    const box = place && boxOf(brush, { top: place.top, height: place.height - 2 }, fault);
    if (box === undefined) {
      continue;
    }
    context.globalAlpha = 0.22;
    context.fillStyle = theme.fault;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.fillStyle = theme.fault;
    context.fillRect(box.x, box.y, 2, box.height);
    if (box.width > 30 && box.height >= 8) {
      context.save();
      context.beginPath();
      context.rect(box.x, box.y, box.width, box.height);
      context.clip();
      text(context, faultName(span), { x: box.x + 6, y: box.y + box.height - 2, colour: theme.ink, size: Math.min(10.5, box.height) });
      context.restore();
    }
  }
}

/** Name of a fault without its times, which the band shows. */
export function faultName(span: FaultSpan): string {
  return span.text.replace(/ [\d.]+s\.\.[\d.]+s/, "");
}

const endingGlyph: Readonly<Record<string, "bad" | "stop">> = { FAILED: "bad", ABORTED: "stop", CANCELED: "stop" };

export function drawBars(brush: Brush, scene: Scene): void {
  const { context, theme, drawn } = brush;
  const { from, to } = windowOf(brush, 4);
  const seen = new Map<number, number>();
  for (let index = 0; index < scene.run.bars.length; index++) {
    const begin = scene.barFrom[index] ?? 0;
    const end = scene.barTo[index] ?? 0;
    if (begin > to || end < from) {
      continue;
    }
    const bar = scene.run.bars[index];
    const lane = bar && scene.laneOf[bar.place];
    if (bar === undefined || lane === undefined) {
      continue;
    }
    const row = lane.rows[bar.row];
    if (row === undefined) {
      continue;
    }
    const y = row.top;
    const thickness = Math.max(1, row.height - 2);
    const x0 = Math.max(gutter, xOf(brush, begin));
    const x1 = Math.min(brush.width, xOf(brush, end));
    // Bars on the same pixels are drawn once.
    if (x1 - x0 < 2) {
      const key = lane.place * 64 + bar.row;
      const pixel = Math.floor(x0 / 2);
      if (seen.get(key) === pixel) {
        continue;
      }
      seen.set(key, pixel);
    }
    drawn.bars++;
    if (x1 - x0 < 2) {
      context.fillStyle = theme.running;
      context.fillRect(Math.floor(x0), y, Math.ceil(Math.max(1, x1 - x0)), thickness);
    } else {
      bar.segments.forEach((segment, number) => {
        const left = Math.max(gutter, xAt(brush, segment.from));
        const right = Math.min(brush.width, xAt(brush, bar.segments[number + 1]?.from ?? bar.to));
        if (right > left) {
          context.fillStyle = stateColour(theme, segment.state);
          context.fillRect(left, y, right - left, thickness);
        }
      });
    }
    if (thickness >= 11) {
      drawQueryName(brush, bar, { x: x0, y, width: x1 - x0 });
    }
    const ending = endingGlyph[bar.ending];
    if (ending !== undefined && x1 > gutter) {
      context.fillStyle = ending === "bad" ? theme.trouble : theme.muted;
      context.fillRect(x1 - 1, y - 1, 3, thickness + 2);
    }
  }
}

/** Labels the running part of a query's bar where it fits: `00000_f8wng`, and the outcome if it is an error. */
function drawQueryName(brush: Brush, bar: Bar, box: { readonly x: number; readonly y: number; readonly width: number }): void {
  const running = bar.segments.find(({ state }) => state === "RUNNING");
  const left = Math.max(box.x, running === undefined ? box.x : xAt(brush, running.from));
  const room = box.x + box.width - left;
  const name = bar.id.replace(/^\d{8}_\d{6}_/, "");
  const words = bar.ending === "" || bar.ending === "FINISHED" ? name : `${name} ${bar.ending}`;
  if (running !== undefined && room > words.length * 6 + 8) {
    text(brush.context, words, { x: left + 5, y: box.y + 9.5, colour: brush.theme.paper, size: 10, weight: 600 });
  }
}
