/**
 * Lines over the last ten minutes, drawn by uPlot. The legend shows the latest values, or those under the pointer; all charts of a page
 * share the pointer's time. Colors are tokens of the theme.
 */
import { signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { isDark } from "../app/theme.ts";

export interface ChartSeries {
  readonly label: string;
  /** Token of the theme: `--chart-1`. */
  readonly color: string;
  readonly values: () => readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly times: () => readonly number[];
  /** Reads the signal that changes with the data. */
  readonly revision: () => number;
  /** Most seconds from the left to the right edge. */
  readonly seconds: number;
  readonly format: (value: number | undefined) => string;
  /** Behind the title, for example the capacity. */
  readonly note?: string;
  /** Least top of the scale. */
  readonly topMin: number;
  /** Marks of the scale at powers of two instead of powers of ten. */
  readonly isBytes?: boolean;
}

const binarySteps: readonly number[] = Array.from({ length: 51 }, (_, power) => 2 ** power);
const decimalSteps: readonly number[] = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/** The time under the pointer; undefined if it is not over a chart. */
const pointedAt = signal<number | undefined>(undefined);
const syncKey = "orrery";
/** The scale of a chart that has just begun. */
const secondsMin = 120;

export function TimeChart(props: ChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => {
      chart.current?.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, []);
  useSignalEffect(() => {
    // Reads the theme, so that another theme draws another chart.
    void isDark.value;
    chart.current?.destroy();
    chart.current = box.current === null ? undefined : createChart(box.current, props);
  });
  useSignalEffect(() => {
    props.revision();
    if (chart.current !== undefined) {
      draw(chart.current, props);
    }
  });
  return (
    <figure class="chart card">
      <figcaption>
        <h2>
          {props.title}
          {props.note !== undefined && <span class="note"> {props.note}</span>}
        </h2>
        <Legend {...props} />
      </figcaption>
      <div class="plot" ref={box} role="img" aria-label={describe(props)} />
    </figure>
  );
}

function Legend({ series, times, format, revision }: ChartProps): JSX.Element {
  revision();
  const at = pointedAt.value;
  const index = at === undefined ? -1 : times().findLastIndex((time) => time <= at);
  return (
    <ul class="legend">
      {series.map(({ label, color, values }) => (
        <li key={label}>
          <i style={{ background: `var(${color})` }} aria-hidden="true" />
          {label} <b class="number">{format(values().at(index) ?? undefined)}</b>
        </li>
      ))}
    </ul>
  );
}

/** The chart in a sentence. It changes with each sample, but is read only when a screen reader comes to it. */
function describe({ title, series, format, revision, seconds }: ChartProps): string {
  revision();
  const parts = series.map(({ label, values }) => {
    const known = values().filter((value) => value !== null);
    if (known.length === 0) {
      return `${label} not known`;
    }
    const [low, high] = known.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
    return `${label} now ${format(known.at(-1))}, lowest ${format(low)}, highest ${format(high)}`;
  });
  return `${title} over the last ${seconds / 60} minutes. ${parts.join("; ")}.`;
}

function draw(chart: uPlot, { series, times, seconds }: ChartProps): void {
  const at = times();
  const end = at.at(-1) ?? Date.now() / 1000;
  chart.batch(() => {
    chart.setData([[...at], ...series.map(({ values }) => [...values()])] as uPlot.AlignedData, false);
    const span = Math.min(seconds, Math.max(secondsMin, end - (at[0] ?? end)));
    chart.setScale("x", { min: end - span, max: end });
  });
}

function createChart(box: HTMLElement, props: ChartProps): uPlot {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string): string => styles.getPropertyValue(name).trim();
  const font = `11px ${token("--font")}`;
  const axis = { stroke: token("--muted"), font, grid: { stroke: token("--grid"), width: 1 }, ticks: { show: false } };
  const chart = new uPlot(
    {
      width: Math.max(1, box.clientWidth),
      height: Math.max(1, box.clientHeight),
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: syncKey }, drag: { x: false, y: false }, points: { size: 6 }, y: false },
      scales: {
        x: { time: true },
        y: { range: (_, __, high) => [0, Math.max(props.topMin, (high ?? 0) * 1.08)] },
      },
      axes: [
        { ...axis, size: 22, gap: 4, space: 70, values: (_, splits) => splits.map(clockText), grid: { show: false } },
        {
          ...axis,
          size: 50,
          gap: 6,
          space: 30,
          incrs: [...(props.isBytes === true ? binarySteps : decimalSteps)],
          values: (_, splits) => splits.map((value) => props.format(value)),
        },
      ],
      series: [
        {},
        ...props.series.map(({ label, color }, index) => ({
          label,
          stroke: token(color),
          width: 1.5,
          points: { show: false },
          ...(index === 0 ? { fill: fillOf(token(color)) } : {}),
        })),
      ],
      hooks: { setCursor: [(self) => point(self)] },
    },
    [[], ...props.series.map(() => [])] as unknown as uPlot.AlignedData,
    box,
  );
  draw(chart, props);
  return chart;
}

function point(chart: uPlot): void {
  const { idx, left } = chart.cursor;
  const at = left === undefined || left < 0 || idx === null || idx === undefined ? undefined : chart.data[0][idx];
  pointedAt.value = at;
}

/** Hexadecimal color with an opacity of a tenth. */
function fillOf(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? `${color}1a` : "transparent";
}

/** `20:14`, and seconds only where they are not zero. */
function clockText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const parts = [at.getHours(), at.getMinutes(), ...(at.getSeconds() === 0 ? [] : [at.getSeconds()])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
