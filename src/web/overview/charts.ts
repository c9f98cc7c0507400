/** The charts of the Overview and what each draws. */
import type { Measure } from "../api/cluster-history.ts";
import type { Cluster } from "../api/documents.ts";
import { delayText, shortCountText, shortSizeText } from "../components/format.ts";

interface ChartLine {
  readonly label: string;
  /** Head of its column in the table of minutes. */
  readonly column: string;
  readonly color: string;
  readonly measure: Measure;
}

interface Chart {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  readonly format: (value: number | undefined) => string;
  readonly topMin: number;
  readonly isBytes?: boolean;
  readonly noteOf?: (document: Cluster) => string | undefined;
}

export const charts: readonly Chart[] = [
  {
    title: "Queries",
    lines: [
      { label: "running", color: "--chart-1", column: "Running", measure: "running" },
      { label: "queued", color: "--chart-4", column: "Queued", measure: "queued" },
      { label: "blocked", color: "--chart-3", column: "Blocked", measure: "blocked" },
    ],
    format: shortCountText,
    topMin: 4,
  },
  {
    title: "Queries done",
    noteOf: () => "a second",
    lines: [
      { label: "finished", color: "--chart-2", column: "Finished/s", measure: "finishedRate" },
      { label: "failed", color: "--chart-5", column: "Failed/s", measure: "failedRate" },
    ],
    format: shortCountText,
    topMin: 2,
  },
  {
    title: "Splits",
    lines: [
      { label: "running", color: "--chart-1", column: "Running splits", measure: "runningSplits" },
      { label: "queued", color: "--chart-4", column: "Queued splits", measure: "queuedSplits" },
    ],
    format: shortCountText,
    topMin: 4,
  },
  {
    title: "Workers",
    lines: [{ label: "active", color: "--chart-2", column: "Workers", measure: "workers" }],
    format: shortCountText,
    topMin: 4,
  },
  {
    title: "Rows read",
    noteOf: () => "a second",
    lines: [{ label: "rows/s", color: "--chart-1", column: "Rows/s", measure: "rowRate" }],
    format: shortCountText,
    topMin: 100,
  },
  {
    title: "Bytes read",
    noteOf: () => "a second",
    lines: [{ label: "bytes/s", color: "--chart-1", column: "Bytes/s", measure: "byteRate" }],
    format: shortSizeText,
    topMin: 1024,
    isBytes: true,
  },
  {
    title: "Memory",
    noteOf: ({ memoryCapacity }) => (memoryCapacity === undefined ? undefined : `of ${shortSizeText(memoryCapacity)}`),
    lines: [{ label: "reserved", color: "--chart-4", column: "Memory", measure: "memory" }],
    format: shortSizeText,
    topMin: 1024 ** 2,
    isBytes: true,
  },
  {
    title: "Coordinator",
    noteOf: () => "event-loop delay",
    lines: [{ label: "delay", color: "--chart-3", column: "Event-loop delay", measure: "loopDelay" }],
    format: delayText,
    topMin: 10,
  },
];
