/** A quick chart of a result: bars, lines or points, with pickers for its columns. Loaded when it is first opened. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { isDark } from "../../app/theme.ts";
import { countText } from "../../components/format.ts";
import type { Execution } from "../run/execution.ts";
import { isNumberType } from "../results/column-types.ts";
import { type ChartChoice, type ChartData, chartData, type ChartKind, suggestedChart } from "./series.ts";

const kinds: readonly ChartKind[] = ["bar", "line", "scatter"];
const kindNames: Readonly<Record<ChartKind, string>> = { bar: "Bars", line: "Lines", scatter: "Points" };
const seriesMax = 6;

export function Chart({ execution }: { readonly execution: Execution }): JSX.Element {
  const version = execution.version.value;
  const { columns, types, rows } = execution;
  const [choice, setChoice] = useState<ChartChoice>(() =>
    suggestedChart(
      types,
      columns.map(({ name }) => name),
    ),
  );
  const data = useMemo(() => chartData(types, rows, choice), [choice, version]);
  const numbers = types.flatMap((type, index) => (isNumberType(type) ? [index] : []));
  const toggle = (index: number): void => {
    const ys = choice.ys.includes(index) ? choice.ys.filter((one) => one !== index) : [...choice.ys, index].slice(-seriesMax);
    setChoice({ ...choice, ys });
  };
  const names = choice.ys.map((index) => columns[index]?.name ?? "");
  const label = `${kindNames[choice.kind]} of ${names.join(", ")} by ${columns[choice.x]?.name ?? ""}, ${data.xs.length} rows`;
  return (
    <div class="sql-chart">
      <div class="sql-chart-pickers">
        <label>
          Kind{" "}
          <select value={choice.kind} onChange={(event) => setChoice({ ...choice, kind: event.currentTarget.value as ChartKind })}>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindNames[kind]}
              </option>
            ))}
          </select>
        </label>
        <label>
          X{" "}
          <select value={choice.x} onChange={(event) => setChoice({ ...choice, x: Number(event.currentTarget.value) })}>
            {columns.map(({ name }, index) => (
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>Y</legend>
          {numbers.map((index) => (
            <label key={index}>
              <input type="checkbox" checked={choice.ys.includes(index)} onChange={() => toggle(index)} /> {columns[index]?.name}
            </label>
          ))}
        </fieldset>
      </div>
      {data.omitted > 0 && (
        <p class="muted" role="status">
          {countText(data.omitted)} of {countText(rows.length)} rows are not drawn: a chart takes the first{" "}
          {choice.kind === "bar" ? "500 bars" : "100,000 points"} with a value for X.
        </p>
      )}
      {choice.ys.length === 0 ? (
        <p class="muted">{numbers.length === 0 ? "A chart needs a column of numbers." : "Choose a column for Y."}</p>
      ) : (
        <Plot data={data} choice={choice} names={names} label={label} xName={columns[choice.x]?.name ?? ""} />
      )}
    </div>
  );
}

interface PlotProps {
  readonly data: ChartData;
  readonly choice: ChartChoice;
  readonly names: readonly string[];
  readonly label: string;
  readonly xName: string;
}

function Plot({ data, choice, names, label, xName }: PlotProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const dark = isDark.value;
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return undefined;
    }
    const size = (): { width: number; height: number } => ({
      width: Math.max(200, element.clientWidth),
      height: Math.max(160, element.clientHeight - 34),
    });
    const plot = new uPlot(
      plotOptions({ data, choice, names, xName, ...size() }),
      [[...data.xs], ...data.ys.map((values) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, choice, dark]);
  return <div class="sql-plot" role="img" aria-label={label} ref={box} />;
}

interface PlotSize {
  readonly width: number;
  readonly height: number;
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function plotOptions({ data, choice, names, xName, width, height }: Omit<PlotProps, "label"> & PlotSize): uPlot.Options {
  const axis = {
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
    stroke: token("--muted"),
    grid: { stroke: token("--line"), width: 1 },
    ticks: { stroke: token("--line"), width: 1 },
  };
  const isNamed = data.xKind === "name";
  const shownName = (place: number | null | undefined): string => (place === null || place === undefined ? "" : (data.names[place] ?? ""));
  const namedAxis = isNamed
    ? { values: (_: uPlot, splits: number[]) => splits.map((split) => (Number.isInteger(split) ? shownName(split) : "")) }
    : {};
  const gap = gapOf(data.xs);
  // Half a bar of room on both sides.
  const barRange = (_: uPlot, min: number, max: number): [number, number] => [min - gap * 0.6, max + gap * 0.6];
  const xText = (place: number | null): string => (isNamed ? shownName(place) : place === null ? "" : timeText(place));
  const xSeries = { label: xName, ...(data.xKind === "number" ? {} : { value: (_: uPlot, place: number | null) => xText(place) }) };
  return {
    width,
    height,
    // Room for half of the last label.
    padding: [14, 44, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: {
      x: { time: data.xKind === "time", ...(choice.kind === "bar" ? { range: barRange } : {}) },
      y: { range: withZero(choice.kind) },
    },
    axes: [
      {
        ...axis,
        ...(data.xKind === "time" ? timeAxis(data.isDate) : {}),
        ...namedAxis,
        ...(isNamed ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000] } : {}),
      },
      { ...axis, size: 70 },
    ],
    series: [xSeries, ...names.map((name, index) => series(choice.kind, name, { index, count: names.length, gap }))],
    cursor: { drag: { x: true, y: choice.kind === "scatter" } },
  };
}

const daySeconds = 86_400;

/** `2026-01-31`, and the time of day if there is one. */
function timeText(seconds: number): string {
  const [day = "", time = ""] = new Date(seconds * 1000).toISOString().split(/[TZ]/);
  return seconds % daySeconds === 0 ? day : `${day} ${time}`;
}

/** Days and times as SQL writes them. Ticks of dates are whole days. */
function timeAxis(isDate: boolean): Partial<uPlot.Axis> {
  const text = (seconds: number, step: number): string => {
    const [day = "", time = ""] = timeText(seconds).split(" ");
    return time === "" || step >= daySeconds ? day : time.slice(0, step >= 60 ? 5 : step >= 1 ? 8 : 12);
  };
  const days = [1, 2, 7, 14, 30, 91, 182, 365, 730, 1825, 3650, 18_250, 36_500].map((count) => count * daySeconds);
  return {
    values: (_, splits, _axis, _space, step) => splits.map((split) => text(split, step)),
    space: 90,
    ...(isDate ? { incrs: days } : {}),
  };
}

/** Bars begin at zero. */
function withZero(kind: ChartKind): (plot: uPlot, min: number | null, max: number | null) => [number, number] {
  return (_, min, max) => {
    const [low, high] = kind === "bar" ? [Math.min(0, min ?? 0), Math.max(0, max ?? 0)] : [min ?? 0, max ?? 1];
    const room = high === low ? Math.abs(high) * 0.1 || 1 : (high - low) * 0.06;
    return [kind === "bar" && low === 0 ? 0 : low - room, kind === "bar" && high === 0 ? 0 : high + room];
  };
}

function series(
  kind: ChartKind,
  label: string,
  place: { readonly index: number; readonly count: number; readonly gap: number },
): uPlot.Series {
  const color = token(`--chart-${(place.index % seriesMax) + 1}`);
  switch (kind) {
    case "bar":
      return { label, stroke: color, fill: `${color}cc`, points: { show: false }, ...bars(place) };
    case "line":
      return { label, stroke: color, width: 1.5, spanGaps: false };
    case "scatter":
      return { label, stroke: color, paths: () => null, points: { show: true, size: 5, stroke: color, fill: `${color}66` } };
  }
}

/** Share of the gap between two places that their bars take. */
const barShare = 0.8;

/** Bars of one place stand beside each other. */
function bars({
  index,
  count,
  gap,
}: {
  readonly index: number;
  readonly count: number;
  readonly gap: number;
}): Pick<uPlot.Series, "paths"> {
  const size = (gap * barShare) / count;
  const start = -(gap * barShare) / 2 + index * size;
  // The scale's unit.
  const unit = 1;
  const paths = uPlot.paths.bars?.({
    disp: {
      x0: { unit, values: (plot) => Array.from(plot.data[0], (x) => x + start) },
      size: { unit, values: (plot) => Array.from(plot.data[0], () => size) },
    },
  });
  return paths === undefined ? {} : { paths };
}

/** Smallest distance of two neighbours. */
function gapOf(xs: readonly number[]): number {
  let gap = Number.POSITIVE_INFINITY;
  for (let at = 1; at < xs.length; at++) {
    const distance = (xs[at] ?? 0) - (xs[at - 1] ?? 0);
    gap = distance > 0 ? Math.min(gap, distance) : gap;
  }
  return Number.isFinite(gap) ? gap : 1;
}
