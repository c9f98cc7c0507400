/**
 * Progress of a running query as Trino draws it: a line for the query and one for each stage, indented as the stages feed each other, with
 * a bar of its splits. Pure functions.
 */
import type { QueryResults, StageStatsDocument } from "../../protocol/documents/statement.ts";
import type { Paint, Style } from "../formats/style.ts";
import { countText, progressLine, sizeText } from "./status.ts";

export interface ProgressWindow {
  readonly elapsedMs: number;
  readonly width: number;
  readonly height: number;
  readonly paint: Paint;
}

interface StageLine {
  readonly stage: StageStatsDocument;
  readonly depth: number;
}

const nameWidth = 20;
const barWidth = 16;

/** Lines shorter than the window is wide, and fewer than it is high. */
export function progressLines(results: QueryResults, window: ProgressWindow): readonly string[] {
  const first = progressLine(results, window.elapsedMs, window.width);
  const { rootStage } = results.stats;
  if (rootStage === undefined || window.width < nameWidth + 40) {
    return [first];
  }
  const stages = stageLines(rootStage);
  // Two lines for the query, one for the heads, one that stays free for the cursor.
  const room = Math.max(0, window.height - 5);
  const shown = stages.slice(0, stages.length > room ? room - 1 : room);
  const more = stages.length - shown.length;
  const seconds = Math.max(window.elapsedMs / 1000, 0.001);
  return [
    first,
    "",
    window.paint("header", headText(window.width)),
    ...shown.map((line) => stageText(line, { seconds, window })),
    ...(more > 0 ? [window.paint("status", `... ${more} more ${more === 1 ? "stage" : "stages"}`)] : []),
  ];
}

function stageLines(root: StageStatsDocument): readonly StageLine[] {
  const lines: StageLine[] = [];
  const waiting: StageLine[] = [{ stage: root, depth: 0 }];
  for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
    lines.push(line);
    for (const stage of line.stage.subStages.toReversed()) {
      waiting.push({ stage, depth: line.depth + 1 });
    }
  }
  return lines;
}

const columns: readonly { readonly head: string; readonly width: number }[] = [
  { head: "ROWS", width: 6 },
  { head: "ROWS/s", width: 7 },
  { head: "BYTES", width: 7 },
  { head: "BYTES/s", width: 8 },
  { head: "QUEUED", width: 7 },
  { head: "RUN", width: 6 },
  { head: "DONE", width: 6 },
];

const tableWidth = nameWidth + columns.reduce((sum, { width }) => sum + width, 0);

function headText(width: number): string {
  return `${"STAGES".padStart(nameWidth)}${columns.map(({ head, width: columnWidth }) => head.padStart(columnWidth)).join("")}`.slice(
    0,
    width - 1,
  );
}

function stageText(
  { stage, depth }: StageLine,
  { seconds, window }: { readonly seconds: number; readonly window: ProgressWindow },
): string {
  const name = `${"  ".repeat(Math.min(depth, 6))}${stageNumber(stage.stageId)}`;
  const rows = Number(stage.processedRows);
  const bytes = Number(stage.processedBytes);
  const cells = [
    countText(rows),
    countText(stage.done ? 0 : rows / seconds),
    sizeText(bytes),
    sizeText(stage.done ? 0 : bytes / seconds),
    String(stage.queuedSplits),
    String(stage.runningSplits),
    String(stage.completedSplits),
  ];
  const figures = cells.map((cell, index) => cell.padStart(columns[index]?.width ?? 0)).join("");
  const letter = stateLetter(stage);
  const text = `${name}${".".repeat(Math.max(1, nameWidth - 1 - name.length))}`;
  if (window.width <= tableWidth) {
    return `${text}${letter}${figures}`.slice(0, window.width - 1);
  }
  const bar = window.width > tableWidth + barWidth + 4 ? `  ${splitBar(stage, window.paint)}` : "";
  return `${text}${window.paint(stateStyle(stage), letter)}${figures}${bar}`;
}

/** `[======>>>    ]`: splits that are done, that run, and that wait. */
function splitBar(stage: StageStatsDocument, paint: Paint): string {
  const { totalSplits, completedSplits, runningSplits } = stage;
  const cells = (count: number): number => (totalSplits === 0 ? 0 : Math.round((barWidth * Math.min(count, totalSplits)) / totalSplits));
  const done = stage.done ? barWidth : cells(completedSplits);
  const running = Math.min(
    barWidth - done,
    Math.max(cells(completedSplits + runningSplits) - done, runningSplits > 0 && !stage.done ? 1 : 0),
  );
  const rest = barWidth - done - running;
  return `[${paint("good", "=".repeat(done))}${paint("running", ">".repeat(running))}${" ".repeat(rest)}]`;
}

function stageNumber(stageId: string): string {
  return stageId.slice(stageId.lastIndexOf(".") + 1);
}

/** Trino's letters: the first of the state, `F` for finished. */
function stateLetter(stage: StageStatsDocument): string {
  return stage.state === "FAILED" ? "X" : stage.state.charAt(0);
}

function stateStyle({ state }: StageStatsDocument): Style {
  switch (state) {
    case "FINISHED":
      return "good";
    case "FAILED":
    case "ABORTED":
    case "CANCELED":
      return "error";
    case "RUNNING":
    case "SCHEDULED":
      return "running";
    case "PLANNED":
    case "SCHEDULING":
      return "status";
  }
}
