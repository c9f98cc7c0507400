/**
 * The canvas: paints after changes, and converts pointer, wheel and pinch events to navigation.
 */
import type { App } from "../app.ts";
import { axisHeight, type Brush, type Drawn, gutter, nothingDrawn, text } from "./brush.ts";
import { byId, h } from "../dom.ts";
import { drawBars, drawLanes } from "./lanes.ts";
import { drawLegs } from "./legs.ts";
import { drawMarks } from "./marks.ts";
import {
  drawAxis,
  drawCone,
  drawFirstDifference,
  drawFound,
  drawGrid,
  drawNames,
  drawPlayhead,
  drawSelection,
  drawViolations,
} from "./overlay.ts";
import { type Hit, hitTest } from "./hit.ts";
import { drawMinimap, drawMinimapWindow } from "./minimap.ts";
import type { Theme } from "./theme.ts";
import { describeHit } from "../model/words.ts";

const minimapHeight = 44;
const playPxPerSecond = 90;

export class Stage {
  readonly #app: App;
  readonly #canvas = byId("lanes", HTMLCanvasElement);
  readonly #minimap = byId("minimap", HTMLCanvasElement);
  readonly #tip = byId("tip", HTMLDivElement);
  readonly #picture = document.createElement("canvas");
  #theme: Theme;
  #isPictureOld = true;
  /** The painted lanes, messages and marks, and the state that they show. They are kept while only the playhead moves. */
  readonly #base = byId("base", HTMLCanvasElement);
  #baseOf: readonly unknown[] = [];
  #baseDrawn: Drawn = nothingDrawn();
  #isScheduled = false;
  #lastPlayed = 0;
  drawn: Drawn = nothingDrawn();
  frames = 0;
  /** Duration of the last frames, in milliseconds. */
  readonly frameTimes: number[] = [];

  constructor(app: App, theme: Theme) {
    this.#app = app;
    this.#theme = theme;
    new ResizeObserver(() => this.#resize()).observe(byId("stage", HTMLDivElement));
    this.#listen();
    app.listen((change) => {
      this.#isPictureOld ||= change === "data";
      this.schedule();
    });
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#isPictureOld = true;
    this.schedule();
  }

  schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      requestAnimationFrame((now) => {
        this.#isScheduled = false;
        this.#play(now);
        this.paint();
      });
    }
  }

  #play(now: number): void {
    const app = this.#app;
    if (!app.isPlaying || app.live !== undefined) {
      this.#lastPlayed = 0;
      return;
    }
    if (this.#lastPlayed !== 0) {
      const px = ((now - this.#lastPlayed) / 1000) * playPxPerSecond;
      const before = app.playheadNanos;
      app.setPlayhead(app.scale.nanosAt(app.scale.positionOf(before) + px * app.view.perPx), { follow: true });
      if (app.playheadNanos <= before) {
        app.setPlaying(false);
      }
    }
    this.#lastPlayed = now;
    this.schedule();
  }

  #resize(): void {
    const box = byId("stage", HTMLDivElement).getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(200, Math.floor(box.width));
    const height = Math.max(120, Math.floor(box.height - minimapHeight));
    for (const [canvas, tall] of [
      [this.#canvas, height],
      [this.#minimap, minimapHeight],
      [this.#picture, minimapHeight],
      [this.#base, height],
    ] as const) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(tall * ratio);
      canvas.style.setProperty("width", `${width}px`);
      canvas.style.setProperty("height", `${tall}px`);
    }
    this.#isPictureOld = true;
    this.#baseOf = [];
    this.#app.resize(width, height);
    this.paint();
  }

  brush(context: CanvasRenderingContext2D): Brush {
    const { width, height, scale, view, timeFormat, playheadNanos } = this.#app;
    return { context, theme: this.#theme, width, height, scale, view, timeFormat, playheadNanos, drawn: nothingDrawn() };
  }

  paint(): void {
    const started = performance.now();
    const app = this.#app;
    const context = contextOf(this.#canvas);
    const brush = this.brush(context);
    const { theme, width, height } = brush;
    this.#paintBase();
    context.clearRect(0, 0, width, height);
    Object.assign(brush.drawn, this.#baseDrawn);
    drawAxis(brush);
    context.save();
    context.beginPath();
    context.rect(0, axisHeight, width, height - axisHeight);
    context.clip();
    app.scenes.forEach((scene, number) => {
      const selection = app.selected?.scene === number ? app.selection : undefined;
      const found = app.found[number];
      if (found !== undefined && app.findText !== "") {
        drawFound(brush, scene, found);
      }
      if (selection !== undefined) {
        drawSelection(brush, scene, selection);
      }
      drawViolations(brush, scene);
      drawNames(brush, scene);
      if (app.scenes.length > 1) {
        context.fillStyle = theme.raised;
        context.fillRect(0, scene.top - 21, width, 20);
        const words = `${number === 0 ? "A" : "B"}  ${scene.run.facts.name}`;
        text(context, words, { x: 12, y: scene.top - 7, colour: number === 0 ? theme.onlyA : theme.onlyB, size: 12, weight: 700 });
      }
    });
    context.restore();
    if (app.difference?.atNanos !== undefined) {
      drawFirstDifference(brush, app.difference.atNanos, "first difference");
    }
    drawPlayhead(brush);
    this.#paintMinimap();
    this.drawn = brush.drawn;
    this.frames++;
    this.frameTimes.push(performance.now() - started);
    if (this.frameTimes.length > 600) {
      this.frameTimes.shift();
    }
  }

  #paintBase(): void {
    const app = this.#app;
    const of = [app.scenes, app.view, app.scale, this.#theme, app.emphasised, app.selection];
    if (of.every((part, index) => part === this.#baseOf[index])) {
      return;
    }
    this.#baseOf = of;
    const context = contextOf(this.#base);
    const brush = this.brush(context);
    context.fillStyle = brush.theme.paper;
    context.fillRect(0, 0, brush.width, brush.height);
    drawGrid(brush);
    app.scenes.forEach((scene, number) => {
      const query = app.emphasised === "" ? -1 : scene.run.queries.indexOf(app.emphasised);
      const selection = app.selected?.scene === number ? app.selection : undefined;
      const message = selection === undefined ? -1 : (scene.run.messages.ofEntry[selection.entry] ?? -1);
      drawLanes(brush, scene);
      if (selection !== undefined) {
        drawCone(brush, scene, selection);
      }
      drawBars(brush, scene);
      drawLegs(brush, scene, { query, message: query === -1 ? message : -1 });
      drawMarks(brush, scene, query);
    });
    this.#baseDrawn = brush.drawn;
  }

  #paintMinimap(): void {
    const app = this.#app;
    const size = { width: app.width, height: minimapHeight, theme: this.#theme };
    if (this.#isPictureOld) {
      this.#isPictureOld = false;
      drawMinimap(contextOf(this.#picture), {
        ...size,
        scenes: app.scenes,
        found: app.found,
        scale: app.scale,
        firstDifference: app.difference?.atNanos,
      });
    }
    const context = contextOf(this.#minimap);
    context.drawImage(this.#picture, 0, 0, app.width, minimapHeight);
    const toX = app.width / (app.scale.to - app.scale.from);
    const from = (app.view.left - app.scale.from) * toX;
    drawMinimapWindow(
      context,
      {
        from,
        to: from + app.lanesWidth * app.view.perPx * toX,
        playhead: (app.scale.positionOf(app.playheadNanos) - app.scale.from) * toX,
      },
      size,
    );
  }

  hit(x: number, y: number): Hit {
    return hitTest(this.#app, this.#app.scenes, x, y);
  }

  #listen(): void {
    this.#canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#canvas.addEventListener("pointerdown", (event) => this.#press(event));
    this.#canvas.addEventListener("pointermove", (event) => this.#hover(event));
    this.#canvas.addEventListener("pointerleave", () => this.#tip.setAttribute("hidden", ""));
    this.#canvas.addEventListener("dblclick", (event) => this.#app.zoomBy(0.4, event.offsetX));
    this.#minimap.addEventListener("pointerdown", (event) => this.#pressMinimap(event));
    this.#minimap.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (
      event.ctrlKey ||
      event.metaKey ||
      (!event.shiftKey && this.#app.scrollMax === 0 && Math.abs(event.deltaY) > Math.abs(event.deltaX))
    ) {
      this.#app.zoomBy(Math.exp(event.deltaY * unit * 0.0022), event.offsetX);
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.#app.panBy((event.deltaX || event.deltaY) * unit);
    } else {
      this.#app.scrollBy(event.deltaY * unit);
    }
  }

  #press(event: PointerEvent): void {
    const app = this.#app;
    const isScrub = event.offsetY < axisHeight && event.offsetX >= gutter;
    const start = { x: event.clientX, y: event.clientY };
    let last = start;
    let moved = false;
    const scrub = (at: PointerEvent): void => {
      app.setPlayhead(
        app.scale.nanosAt(app.view.left + (at.clientX - this.#canvas.getBoundingClientRect().left - gutter) * app.view.perPx),
      );
    };
    if (isScrub) {
      scrub(event);
    }
    drag(this.#canvas, event, {
      move: (at) => {
        moved ||= Math.hypot(at.clientX - start.x, at.clientY - start.y) > 4;
        if (isScrub) {
          scrub(at);
        } else if (moved) {
          app.panBy(last.x - at.clientX);
          app.scrollBy(last.y - at.clientY);
        }
        last = { x: at.clientX, y: at.clientY };
      },
      up: (at) => {
        if (!moved && !isScrub) {
          this.#click(at);
        }
      },
    });
  }

  #click(event: PointerEvent): void {
    const app = this.#app;
    const hit = this.hit(event.offsetX, event.offsetY);
    switch (hit.kind) {
      case "entry":
      case "leg":
      case "bar":
      case "fault":
        app.select({ scene: hit.scene, entry: hit.entry });
        return;
      case "lane":
      case "none":
        if (event.offsetX >= gutter) {
          app.select(undefined);
          app.setPlayhead(app.scale.nanosAt(app.view.left + (event.offsetX - gutter) * app.view.perPx));
        }
    }
  }

  #hover(event: PointerEvent): void {
    const hit = event.buttons === 0 && event.offsetY >= axisHeight ? this.hit(event.offsetX, event.offsetY) : { kind: "none" as const };
    const lines = describeHit(this.#app, hit);
    this.#canvas.style.setProperty("cursor", event.offsetY < axisHeight ? "ew-resize" : lines.length > 0 ? "pointer" : "default");
    if (lines.length === 0) {
      this.#tip.setAttribute("hidden", "");
      return;
    }
    this.#tip.replaceChildren(...lines.map((line, index) => h("div", { class: index === 0 ? "tip-title" : "tip-line" }, line)));
    this.#tip.removeAttribute("hidden");
    const { width, height } = this.#tip.getBoundingClientRect();
    const x = event.clientX + 14 + width > window.innerWidth ? event.clientX - width - 10 : event.clientX + 14;
    const y = event.clientY + 16 + height > window.innerHeight ? event.clientY - height - 10 : event.clientY + 16;
    this.#tip.style.setProperty("transform", `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`);
  }

  /** Drags the window. A press outside the window first moves it to the pointer; an edge of it zooms. */
  #pressMinimap(event: PointerEvent): void {
    const app = this.#app;
    const perPx = (app.scale.to - app.scale.from) / app.width;
    const box = this.#minimap.getBoundingClientRect();
    const at = (pointer: PointerEvent): number => app.scale.from + (pointer.clientX - box.left) * perPx;
    const span = app.lanesWidth * app.view.perPx;
    const edge = 5 * perPx;
    const leftEdge = Math.abs(at(event) - app.view.left) < edge;
    const rightEdge = Math.abs(at(event) - app.view.left - span) < edge;
    if (leftEdge || rightEdge) {
      const fixed = leftEdge ? app.view.left + span : app.view.left;
      drag(this.#minimap, event, {
        move: (pointer) => {
          const from = Math.min(fixed, at(pointer));
          const to = Math.max(fixed, at(pointer));
          app.zoomTo(app.scale.nanosAt(from + (to - from) / 12), app.scale.nanosAt(to - (to - from) / 12));
        },
        up: () => undefined,
      });
      return;
    }
    const isInside = at(event) > app.view.left && at(event) < app.view.left + span;
    const grip = isInside ? at(event) - app.view.left : span / 2;
    app.panTo(at(event) - grip);
    drag(this.#minimap, event, { move: (pointer) => app.panTo(at(pointer) - grip), up: () => undefined });
  }
}

function drag(
  element: HTMLElement,
  event: PointerEvent,
  on: { readonly move: (event: PointerEvent) => void; readonly up: (event: PointerEvent) => void },
): void {
  element.setPointerCapture(event.pointerId);
  const up = (last: PointerEvent): void => {
    element.removeEventListener("pointermove", on.move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", up);
    if (last.type === "pointerup") {
      on.up(last);
    }
  };
  element.addEventListener("pointermove", on.move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("this browser draws no canvas");
  }
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
