/**
 * When stages, tasks and drivers ran. Only the rows in view are in the document, so that thousands of drivers cost what a screen costs.
 * Drag or arrow keys move along the time axis, + and −, Ctrl and the wheel zoom, 0 shows all.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Empty } from "../../components/empty.tsx";
import { stateText, toneOf } from "../../components/state-badge.tsx";
import { rowWindow } from "../../components/table-keys.ts";
import { type QueryDetail, stagesOf, stageNumber } from "../model/documents.ts";
import { moveInto, type Span, tickText, ticksOf, type TimelineRow, timelineOf, zoomSpan } from "./timeline.ts";

const rowHeight = 26;
/** Room of a label on the axis. */
const tickPx = 130;
const zoomStep = 1.5;
const wheelStrength = 0.003;
/** Stages of queries with at most this many tasks are open from the start. */
const openTasksMax = 60;

function initiallyOpen(query: QueryDetail): ReadonlySet<string> {
  const stages = stagesOf(query);
  const tasks = stages.reduce((sum, stage) => sum + stage.tasks.length, 0);
  return tasks > openTasksMax ? new Set() : new Set(stages.map(({ stageId }) => `stage ${stageNumber(stageId)}`));
}

export function TimelineView({ query }: { readonly query: QueryDetail }): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => initiallyOpen(query));
  const [zoom, setZoom] = useState<Span>();
  const { rows, lengthMs } = useMemo(() => timelineOf(query, open), [query, open]);
  const span = zoom === undefined ? { from: 0, to: lengthMs } : moveInto(zoom, lengthMs);
  const toggle = (key: string): void => {
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(key)) {
        next.add(key);
      }
      return next;
    });
  };
  return (
    <div class="timeline">
      <div class="query-section">
        <p class="muted">
          Click a stage or a task to see what is in it. Pale: waits to start; hatched: share of time that its drivers waited.
        </p>
        <div class="timeline-buttons" role="toolbar" aria-label="View of the timeline">
          <button type="button" aria-label="Zoom in" onClick={() => setZoom(zoomSpan(span, zoomStep, (span.from + span.to) / 2, lengthMs))}>
            +
          </button>
          <button
            type="button"
            aria-label="Zoom out"
            onClick={() => setZoom(zoomSpan(span, 1 / zoomStep, (span.from + span.to) / 2, lengthMs))}
          >
            −
          </button>
          <button type="button" onClick={() => setZoom(undefined)}>
            Fit
          </button>
        </div>
      </div>
      <Rows rows={rows} span={span} lengthMs={lengthMs} toggle={toggle} setZoom={setZoom} />
      {stagesOf(query).length === 0 && (
        <Empty title="The query has no tasks">{query.state === "FAILED" && <p>It failed before it was planned.</p>}</Empty>
      )}
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly TimelineRow[];
  readonly span: Span;
  readonly lengthMs: number;
  readonly toggle: (key: string) => void;
  readonly setZoom: (span: Span | undefined) => void;
}

function Rows({ rows, span, lengthMs, toggle, setZoom }: RowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, width: 900 });
  useGestures(box, { span, lengthMs, setZoom });
  const onScroll = (): void => {
    const { scrollTop = 0, clientHeight: height = 0, clientWidth: width = 0 } = box.current ?? {};
    const top = Math.floor(scrollTop / (4 * rowHeight)) * 4 * rowHeight;
    setView((old) => (old.top === top && old.height === height && old.width === width ? old : { top, height, width }));
  };
  useEffect(() => {
    onScroll();
    const observer = new ResizeObserver(onScroll);
    observer.observe(box.current ?? document.body);
    return () => observer.disconnect();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = keyed(event, span, lengthMs);
    if (next !== undefined) {
      event.preventDefault();
      setZoom(next === "all" ? undefined : next);
    }
  };
  const { first, end } = rowWindow({ ...view, rowHeight, rows: rows.length });
  return (
    <div
      class="timeline-box"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Timeline. Left and right move, plus and minus zoom, 0 shows all."
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <Axis span={span} count={Math.max(2, Math.floor(view.width / tickPx))} />
      <div class="timeline-rows" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, end).map((row, index) => (
          <Row key={row.key} row={row} top={(first + index) * rowHeight} span={span} toggle={toggle} />
        ))}
      </div>
    </div>
  );
}

function keyed({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, span: Span, lengthMs: number): Span | "all" | undefined {
  if (altKey || ctrlKey || metaKey) {
    return undefined;
  }
  const middle = (span.from + span.to) / 2;
  const step = (span.to - span.from) / 8;
  switch (key) {
    case "+":
    case "=":
      return zoomSpan(span, zoomStep, middle, lengthMs);
    case "-":
      return zoomSpan(span, 1 / zoomStep, middle, lengthMs);
    case "ArrowLeft":
      return moveInto({ from: span.from - step, to: span.to - step }, lengthMs);
    case "ArrowRight":
      return moveInto({ from: span.from + step, to: span.to + step }, lengthMs);
    case "0":
      return "all";
    default:
      return undefined;
  }
}

interface Gestures {
  readonly span: Span;
  readonly lengthMs: number;
  readonly setZoom: (span: Span) => void;
}

/** Ctrl and wheel, or a pinch on a touchpad, zooms; a drag moves. The wheel alone scrolls the rows. */
function useGestures(box: { readonly current: HTMLDivElement | null }, gestures: Gestures): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent): void => {
      const axis = element?.querySelector(".timeline-axis .track")?.getBoundingClientRect();
      if (axis !== undefined && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        const { span, lengthMs, setZoom } = latest.current;
        const at = span.from + ((event.clientX - axis.left) / Math.max(1, axis.width)) * (span.to - span.from);
        setZoom(zoomSpan(span, Math.exp(-event.deltaY * wheelStrength), at, lengthMs));
      }
    };
    let drag: { readonly x: number; readonly span: Span; readonly width: number } | undefined;
    const onDown = (event: PointerEvent): void => {
      const track = event.target instanceof Element ? event.target.closest(".track") : null;
      if (event.button === 0 && track !== null && event.pointerType === "mouse") {
        drag = { x: event.clientX, span: latest.current.span, width: track.clientWidth };
      }
    };
    const onMove = (event: PointerEvent): void => {
      if (drag !== undefined) {
        const shift = ((drag.x - event.clientX) / Math.max(1, drag.width)) * (drag.span.to - drag.span.from);
        latest.current.setZoom(moveInto({ from: drag.span.from + shift, to: drag.span.to + shift }, latest.current.lengthMs));
      }
    };
    const onUp = (): void => {
      drag = undefined;
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    element?.addEventListener("pointerdown", onDown);
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    return () => {
      element?.removeEventListener("wheel", onWheel);
      element?.removeEventListener("pointerdown", onDown);
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
    };
  }, []);
}

function percent(ms: number, { from, to }: Span): number {
  return ((ms - from) / Math.max(1e-9, to - from)) * 100;
}

function Axis({ span, count }: { readonly span: Span; readonly count: number }): JSX.Element {
  return (
    <div class="timeline-axis" aria-hidden="true">
      <span class="label" />
      <span class="track">
        {ticksOf(span, count).map((tick) => (
          <span key={tick} class="tick" style={{ left: `${percent(tick, span)}%` }}>
            {tickText(tick)}
          </span>
        ))}
      </span>
    </div>
  );
}

interface RowProps {
  readonly row: TimelineRow;
  readonly top: number;
  readonly span: Span;
  readonly toggle: (key: string) => void;
}

function Row({ row, top, span, toggle }: RowProps): JSX.Element {
  const { key, label, depth, state, start, end, isOpen, canOpen, note } = row;
  const said = `${stateText(state)}${start === undefined || end === undefined ? "" : `, from ${tickText(start)} to ${tickText(end)}`}. ${note}`;
  return (
    <div class="timeline-row" style={{ top: `${top}px` }} title={`${label}: ${said}`}>
      <span class="label" style={{ paddingLeft: `${8 + depth * 14}px` }}>
        {canOpen ? (
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => toggle(key)}>
            <span aria-hidden="true">{isOpen ? "▾ " : "▸ "}</span>
            {label}
          </button>
        ) : (
          label
        )}
        <span class="visually-hidden">{`. ${said}`}</span>
      </span>
      <span class="track" aria-hidden="true">
        <Bar row={row} span={span} />
      </span>
    </div>
  );
}

function Bar({ row: { state, start, run, end, blockedRatio, depth, note }, span }: Pick<RowProps, "row" | "span">): JSX.Element | null {
  if (start === undefined || end === undefined || end < span.from || start > span.to) {
    return null;
  }
  const place = (from: number, to: number): { left: string; width: string } => {
    const [left, right] = [Math.max(-1, percent(from, span)), Math.min(101, percent(to, span))];
    return { left: `${left}%`, width: `max(2px, ${Math.max(0, right - left)}%)` };
  };
  const running = Math.max(start, run ?? start);
  const right = percent(end, span);
  return (
    <>
      {running > start && <span class="bar queued" style={place(start, running)} />}
      <span class="bar" data-tone={toneOf(state)} data-depth={depth} style={place(running, end)}>
        {blockedRatio !== undefined && <span class="blocked" style={{ width: `${blockedRatio * 100}%` }} />}
      </span>
      {depth === 0 && right < 70 && (
        <span class="bar-note" style={{ left: `calc(${right}% + 6px)` }}>
          {note}
        </span>
      )}
    </>
  );
}
