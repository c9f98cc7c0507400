/**
 * The page's model of a run: entries in columns, messages with legs between lanes, states as bars, faults as spans, incarnations of places.
 * Built once when the page loads; knows nothing of drawing.
 */
import { causesOf } from "./causes.ts";
import { type Columns, detailOf, type RunFacts } from "./format.ts";
import { type Bar, barsOf } from "../drawing/bars.ts";
import { type Messages, messagesOf } from "./messages.ts";
import { queriesOf } from "./queries.ts";

/** Visual groups of entries, which filters switch. */
export const groups = ["messages", "heartbeats", "timers", "logs", "states", "users", "faults", "violations"] as const;
export type Group = (typeof groups)[number];

/** Category of a message, which determines its colour. */
export const categories = ["statement", "task", "exchange", "membership", "other"] as const;
export type Category = (typeof categories)[number];

export type Role = "world" | "user" | "coordinator" | "worker";

export interface Life {
  readonly place: number;
  readonly from: number;
  readonly to: number;
  readonly ending: "crash" | "stopped" | "end";
}

export interface FaultSpan {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly text: string;
  readonly places: readonly number[];
  readonly entry: number;
}

export interface Violation {
  readonly entry: number;
  readonly at: number;
  readonly kind: string;
  readonly oracle: string;
  readonly sentence: string;
}

export interface Statement {
  readonly user: string;
  readonly sql: string;
  readonly submit: number;
  /** Index of the last entry; -1 if it never ended. */
  readonly end: number;
  readonly ending: string;
  readonly query: number;
}

export interface Run {
  readonly facts: RunFacts;
  readonly columns: Columns;
  readonly roles: readonly Role[];
  /** Index into `groups`, by entry. */
  readonly group: Uint8Array;
  /** Whether the entry is a failure: lost, reset, refused, timed out, crashed, an error. */
  readonly trouble: Uint8Array;
  /** Number of the entry's query; -1 for none. */
  readonly query: Int32Array;
  readonly queries: readonly string[];
  readonly messages: Messages;
  /** Index of the causing entry; -1 for none. */
  readonly cause: Int32Array;
  readonly bars: readonly Bar[];
  readonly lives: readonly Life[];
  readonly faults: readonly FaultSpan[];
  readonly violations: readonly Violation[];
  readonly statements: readonly Statement[];
  readonly fromNanos: number;
  readonly toNanos: number;
}

const quiet = /^(heartbeat|announcement|withdrawal)/;
const troubles =
  /lost|reset|cut|refused|timed-out|aborted|network-error|truncated|crash|violation|log-warn|log-error|failed|duplicated|corrupt|never-answered|turned-away|disk-error/;

export function buildRun(columns: Columns, facts: RunFacts): Run {
  const messages = messagesOf(columns);
  const { group, trouble } = classify(columns, messages);
  const cause = causesOf(columns, messages);
  const { queries, query } = queriesOf(columns, messages, cause);
  const toNanos = columns.at[columns.count - 1] ?? 0;
  return {
    facts,
    columns,
    roles: columns.places.map((name) => roleOf(name, facts)),
    group,
    trouble,
    query,
    queries,
    messages,
    cause,
    bars: barsOf(columns, toNanos),
    lives: livesOf(columns, toNanos),
    faults: faultsOf(columns, toNanos),
    violations: violationsOf(columns),
    statements: statementsOf(columns, query),
    fromNanos: columns.at[0] ?? 0,
    toNanos,
  };
}

function roleOf(name: string, facts: RunFacts): Role {
  if (name === "world" || name === "") {
    return "world";
  }
  return facts.workers.includes(name) ? "worker" : facts.coordinators.includes(name) ? "coordinator" : "user";
}

function groupOf(kind: string, label: string | undefined): Group {
  if (kind === "violation") {
    return "violations";
  }
  if (label !== undefined) {
    return quiet.test(label) ? "heartbeats" : "messages";
  }
  if (kind === "timer") {
    return "timers";
  }
  if (kind.startsWith("log") || kind.includes("spill") || kind === "point" || kind === "draw" || kind === "bytes") {
    return "logs";
  }
  if (kind === "query" || kind === "stage" || kind === "task") {
    return "states";
  }
  return kind === "submit" || kind === "end" ? "users" : "faults";
}

function classify(columns: Columns, messages: Messages): Pick<Run, "group" | "trouble"> {
  const group = new Uint8Array(columns.count);
  const trouble = new Uint8Array(columns.count);
  const lastEvent = columns.event[columns.count - 1];
  const isTrouble = columns.kinds.map((kind) => (troubles.test(kind) ? 1 : 0));
  const labels = columns.heads.map((head) => head.slice(head.indexOf(" ") + 1));
  const known = new Map<number, number>();
  for (let index = 0; index < columns.count; index++) {
    const kind = columns.kind[index] ?? 0;
    const head = messages.ofEntry[index] === -1 ? -1 : (columns.head[index] ?? 0);
    const key = kind * 1_000_000 + head + 1;
    let found = known.get(key);
    if (found === undefined) {
      found = groups.indexOf(groupOf(columns.kinds[kind] ?? "", head === -1 ? undefined : labels[head]));
      known.set(key, found);
    }
    group[index] = found;
    trouble[index] = isTrouble[kind] ?? 0;
  }
  // The last event stops all nodes, which does not count as a crash.
  for (let index = columns.count - 1; index >= 0 && columns.event[index] === lastEvent; index--) {
    if (columns.kinds[columns.kind[index] ?? 0] === "crash") {
      trouble[index] = 0;
    }
  }
  return { group, trouble };
}

function livesOf(columns: Columns, toNanos: number): readonly Life[] {
  const lives: Life[] = [];
  const open = new Map<number, number>();
  const lastEvent = columns.event[columns.count - 1] ?? 0;
  const kindNames = columns.kinds;
  for (let index = 0; index < columns.count; index++) {
    const kind = kindNames[columns.kind[index] ?? 0];
    const place = columns.place[index] ?? 0;
    const at = columns.at[index] ?? 0;
    if (kind === "start") {
      open.set(place, at);
    } else if (kind === "crash" || kind === "stopped") {
      const from = open.get(place);
      if (from !== undefined) {
        lives.push({ place, from, to: at, ending: columns.event[index] === lastEvent ? "end" : kind });
        open.delete(place);
      }
    }
  }
  for (const [place, from] of open) {
    lives.push({ place, from, to: toNanos, ending: "end" });
  }
  return lives;
}

function faultsOf(columns: Columns, toNanos: number): readonly FaultSpan[] {
  const spans: (FaultSpan & { to: number })[] = [];
  const open = new Map<string, (FaultSpan & { to: number })[]>();
  const numbers = new Map(columns.places.map((name, number) => [name, number]));
  for (let index = 0; index < columns.count; index++) {
    const kind = columns.kinds[columns.kind[index] ?? 0];
    const at = columns.at[index] ?? 0;
    if (kind === "fault") {
      const text = detailOf(columns, index);
      const [name = "", ...rest] = text.split(" ");
      const mentioned = rest.flatMap((word) => word.split(/[^A-Za-z0-9_]+/)).flatMap((word) => numbers.get(word) ?? []);
      const span = { from: at, to: toNanos, kind: name, text, places: [...new Set(mentioned)], entry: index };
      spans.push(span);
      open.set(text, [...(open.get(text) ?? []), span]);
    } else if (kind === "heal") {
      const span = open.get(detailOf(columns, index))?.shift();
      if (span !== undefined) {
        span.to = at;
      }
    }
  }
  return spans;
}

function violationsOf(columns: Columns): readonly Violation[] {
  const found: Violation[] = [];
  for (let index = 0; index < columns.count; index++) {
    if (columns.kinds[columns.kind[index] ?? 0] === "violation") {
      const [kind = "", oracle = "", ...words] = detailOf(columns, index).split(" ");
      found.push({ entry: index, at: columns.at[index] ?? 0, kind, oracle, sentence: words.join(" ") });
    }
  }
  return found;
}

/** A user runs one statement at a time. */
function statementsOf(columns: Columns, query: Int32Array): readonly Statement[] {
  const statements: Statement[] = [];
  const open = new Map<number, { readonly submit: number; query: number }>();
  const close = (place: number, end: number): void => {
    const one = open.get(place);
    if (one !== undefined) {
      statements.push({
        user: columns.places[place] ?? "",
        sql: detailOf(columns, one.submit),
        submit: one.submit,
        end,
        ending: end === -1 ? "never ended" : detailOf(columns, end),
        query: one.query,
      });
      open.delete(place);
    }
  };
  for (let index = 0; index < columns.count; index++) {
    const kind = columns.kinds[columns.kind[index] ?? 0];
    const place = columns.place[index] ?? 0;
    if (kind === "submit") {
      close(place, -1);
      open.set(place, { submit: index, query: -1 });
    } else if (kind === "end") {
      close(place, index);
    } else {
      const one = open.get(place);
      if (one !== undefined && one.query === -1) {
        one.query = query[index] ?? -1;
      }
    }
  }
  for (const place of open.keys()) {
    close(place, -1);
  }
  return statements.sort((a, b) => a.submit - b.submit);
}
