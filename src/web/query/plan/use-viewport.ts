/**
 * Moves a drawing by wheel, drag, pinch and keys. Each move changes one attribute of one element and renders nothing, so that plans of
 * hundreds of nodes follow the pointer.
 */
import { useEffect, useMemo } from "preact/hooks";
import { fit, keepInSight, reveal, type Size, type View, zoomAt } from "./viewport.ts";

const dragThresholdPx = 4;
/** Below this scale only titles are drawn. */
const farScale = 0.45;
/** Below this scale no text could be read. */
const fartherScale = 0.16;

export class Viewport {
  #view: View = { x: 0, y: 0, scale: 1 };
  #svg: SVGSVGElement | undefined;
  #drawing: Size = { width: 1, height: 1 };
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #travelPx = 0;
  #isMoved = false;

  get view(): View {
    return this.#view;
  }

  /** True if the last press was a drag, whose click means nothing. */
  get wasDragged(): boolean {
    return this.#travelPx > dragThresholdPx;
  }

  attach(svg: SVGSVGElement): () => void {
    this.#svg = svg;
    const listeners: readonly (readonly [string, (event: never) => void])[] = [
      ["wheel", (event: WheelEvent) => this.#wheel(event)],
      ["pointerdown", (event: PointerEvent) => this.#down(event)],
      ["pointermove", (event: PointerEvent) => this.#move(event)],
      ["pointerup", (event: PointerEvent) => this.#up(event)],
      ["pointercancel", (event: PointerEvent) => this.#up(event)],
    ];
    for (const [name, listener] of listeners) {
      svg.addEventListener(name, listener as EventListener, { passive: false });
    }
    const observer = new ResizeObserver(() => this.#isMoved || this.fit());
    observer.observe(svg);
    return () => {
      observer.disconnect();
      for (const [name, listener] of listeners) {
        svg.removeEventListener(name, listener as EventListener);
      }
    };
  }

  /** A drawing of another size. It is fitted unless the user has moved it. */
  setDrawing(drawing: Size): void {
    this.#drawing = drawing;
    if (this.#isMoved) {
      this.#show(this.#view);
    } else {
      this.fit();
    }
  }

  fit(): void {
    this.#isMoved = false;
    const screen = this.#screen();
    this.#show(fit(this.#drawing, screen, screen.width < 600 ? 0.7 : 0.8), false);
  }

  /** Shows all, however small. */
  fitAll(): void {
    this.#isMoved = true;
    this.#show(fit(this.#drawing, this.#screen(), 0), false);
  }

  zoom(factor: number): void {
    const { width, height } = this.#screen();
    this.#isMoved = true;
    this.#show(zoomAt(this.#view, factor, { x: width / 2, y: height / 2 }));
  }

  pan(dx: number, dy: number): void {
    this.#isMoved = true;
    this.#show({ ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy });
  }

  reveal(box: Size & { readonly x: number; readonly y: number }): void {
    this.#isMoved = true;
    this.#show(reveal(this.#view, box, this.#screen()));
  }

  #screen(): Size {
    return { width: this.#svg?.clientWidth ?? 1, height: this.#svg?.clientHeight ?? 1 };
  }

  #show(view: View, isKept = true): void {
    this.#view = isKept ? keepInSight(view, this.#drawing, this.#screen()) : view;
    const svg = this.#svg;
    if (svg !== undefined) {
      const { x, y, scale } = this.#view;
      svg.querySelector("g.drawing")?.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
      svg.classList.toggle("far", scale < farScale);
      svg.classList.toggle("farther", scale < fartherScale);
    }
  }

  #place({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const box = this.#svg?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#isMoved = true;
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey || (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.ctrlKey)) {
      this.pan(-(event.deltaX || event.deltaY) * lines, 0);
      return;
    }
    // A pinch on a touchpad arrives as a wheel with Ctrl and small steps.
    const strength = event.ctrlKey ? 0.01 : 0.0015;
    this.#show(zoomAt(this.#view, Math.exp(-event.deltaY * lines * strength), this.#place(event)));
  }

  #down(event: PointerEvent): void {
    if (event.button === 0) {
      if (this.#pointers.size === 0) {
        this.#travelPx = 0;
      }
      this.#pointers.set(event.pointerId, this.#place(event));
    }
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      return;
    }
    const now = this.#place(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.#travelPx += Math.hypot(dx, dy);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (!this.wasDragged) {
      return;
    }
    // Captured late, so that a click still reaches its element.
    this.#svg?.setPointerCapture(event.pointerId);
    if (other === undefined) {
      this.pan(dx, dy);
    } else {
      const apart = Math.hypot(before.x - other.x, before.y - other.y);
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, apart);
      this.#isMoved = true;
      const moved = { ...this.#view, x: this.#view.x + dx / 2, y: this.#view.y + dy / 2 };
      this.#show(zoomAt(moved, factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }));
    }
  }

  #up(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
  }
}

export function useViewport(svg: { readonly current: SVGSVGElement | null }): Viewport {
  const viewport = useMemo(() => new Viewport(), []);
  useEffect(() => (svg.current === null ? undefined : viewport.attach(svg.current)), [viewport]);
  return viewport;
}
