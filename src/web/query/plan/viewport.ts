/** Pan and zoom of a drawing as arithmetic. `x` and `y` move the drawing in pixels of the screen; `scale` enlarges it. Pure. */

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const scaleMin = 0.04;
export const scaleMax = 3;

function clampScale(scale: number): number {
  return Math.min(scaleMax, Math.max(scaleMin, scale));
}

/** Zooms by `factor`; the point of the drawing under `at` stays there. */
export function zoomAt(view: View, factor: number, at: { readonly x: number; readonly y: number }): View {
  const scale = clampScale(view.scale * factor);
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** Shows the whole drawing, not enlarged; if that would be unreadable, the middle of its top at `readable`. */
export function fit(drawing: Size, screen: Size, readable: number): View {
  const whole = Math.min(1, screen.width / Math.max(1, drawing.width), screen.height / Math.max(1, drawing.height));
  const scale = clampScale(Math.max(whole, readable));
  const height = drawing.height * scale;
  return { scale, x: (screen.width - drawing.width * scale) / 2, y: height < screen.height ? (screen.height - height) / 2 : 8 };
}

/** Moves as little as needed to have the box in view, with a margin. */
export function reveal(view: View, box: Size & { readonly x: number; readonly y: number }, screen: Size): View {
  const margin = 24;
  const shift = (start: number, length: number, room: number): number => {
    if (start < margin) {
      return margin - start;
    }
    return start + length > room - margin ? Math.max(margin - start, room - margin - start - length) : 0;
  };
  const dx = shift(box.x * view.scale + view.x, box.width * view.scale, screen.width);
  const dy = shift(box.y * view.scale + view.y, box.height * view.scale, screen.height);
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Keeps some of the drawing on the screen. */
export function keepInSight(view: View, drawing: Size, screen: Size): View {
  const room = 60;
  const within = (offset: number, length: number, space: number): number =>
    Math.min(space - room, Math.max(room - length * view.scale, offset));
  return { ...view, x: within(view.x, drawing.width, screen.width), y: within(view.y, drawing.height, screen.height) };
}
