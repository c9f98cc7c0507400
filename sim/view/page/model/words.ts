/**
 * Describes entries, messages, states and faults in words.
 */
import type { App } from "../app.ts";
import { faultName } from "../drawing/lanes.ts";
import type { Hit } from "../drawing/hit.ts";
import { fates } from "./messages.ts";
import type { Run } from "./model.ts";
import { formatDuration, formatTime } from "../drawing/scale.ts";

/** The time with nanosecond precision. */
export function exactTime(app: App, nanos: number): string {
  return formatTime(nanos, { format: app.timeFormat === "clock" ? "clock" : "seconds", originNanos: 0, spanNanos: 1 });
}

export function kindOf(run: Run, entry: number): string {
  return run.columns.kinds[run.columns.kind[entry] ?? 0] ?? "";
}

export function placeOf(run: Run, entry: number): string {
  return run.columns.places[run.columns.place[entry] ?? 0] ?? "";
}

/** The detail without the message's number and endpoints, which are shown elsewhere. */
export function briefDetail(run: Run, entry: number): string {
  const { columns, messages } = run;
  const rest = columns.texts[columns.text[entry] ?? 0] ?? "";
  if ((messages.ofEntry[entry] ?? -1) === -1) {
    return rest;
  }
  const head = columns.heads[columns.head[entry] ?? 0] ?? "";
  const [ends = "", label = ""] = head.split(" ");
  return `${label} ${ends.replace(">", "→")}${rest === "" ? "" : ` ${rest}`}`;
}

function shorten(words: string): string {
  return words.length > 220 ? `${words.slice(0, 218)}…` : words;
}

export function describeHit(app: App, hit: Hit): readonly string[] {
  if (hit.kind === "none") {
    return [];
  }
  const run = app.runs[hit.scene];
  if (run === undefined) {
    return [];
  }
  switch (hit.kind) {
    case "entry":
      return [
        `${kindOf(run, hit.entry)} · ${placeOf(run, hit.entry)}`,
        shorten(briefDetail(run, hit.entry)),
        exactTime(app, run.columns.at[hit.entry] ?? 0),
      ];
    case "leg": {
      const { legs } = run.messages;
      const nanos = (legs.to[hit.leg] ?? 0) - (legs.from[hit.leg] ?? 0);
      const fate = fates[legs.fate[hit.leg] ?? 0] ?? "";
      return [
        `${legs.isAnswer[hit.leg] === 1 ? "answer" : "request"} ${fate}${legs.last[hit.leg] === -1 ? "" : ` after ${formatDuration(nanos)}`}`,
        shorten(briefDetail(run, hit.entry)),
        `m${run.columns.message[hit.entry] ?? ""} from ${exactTime(app, legs.from[hit.leg] ?? 0)}`,
      ];
    }
    case "bar": {
      const bar = run.bars[hit.bar];
      if (bar === undefined) {
        return [];
      }
      const states = bar.segments.map(({ state }) => state).join(" → ");
      return [`${bar.kind} ${bar.id}`, states, `${formatDuration(bar.to - bar.from)} on ${run.columns.places[bar.place] ?? ""}`];
    }
    case "fault": {
      const span = app.scenes[hit.scene]?.faultRows[hit.fault]?.span;
      return span === undefined ? [] : [faultName(span), `for ${formatDuration(span.to - span.from)} from ${exactTime(app, span.from)}`];
    }
    case "lane": {
      const name = run.columns.places[hit.place] ?? "";
      return [`${name} (${run.roles[hit.place] ?? ""})`];
    }
  }
}
