/**
 * Facts from a run's trace that its plan does not contain: submission times, the query of each statement, and the order of messages
 * relative to queries.
 */
import type { MessageFate } from "../world/fates.ts";
import type { TraceEntry } from "../world/world.ts";
import { messageOf, queryIdIn } from "../trace/messages.ts";

export interface Submitted {
  readonly user: string;
  /** Index of the statement among the user's statements. */
  readonly index: number;
  readonly atNanos: number;
  /** Known once the user has polled. */
  queryId: string | undefined;
}

/** Position of a message among those of its kind (`c>w1 task-update`). */
export interface Position {
  readonly queryId: string | undefined;
  /** Number of earlier messages of the kind, by query. */
  readonly before: Readonly<Record<string, number>>;
}

export interface Facts {
  readonly submitted: readonly Submitted[];
  /** Positions of messages with a fate, by the message's name without its leg: `c>w1 task-update #3`. */
  readonly positions: Readonly<Record<string, Position>>;
}

/** Reads the entries of a run in order. */
export class FactFinder {
  readonly #submitted: Submitted[] = [];
  readonly #counts = new Map<string, number>();
  readonly #open = new Map<string, Submitted>();
  readonly #byKind = new Map<string, (string | undefined)[]>();

  readonly take = (entry: TraceEntry): void => {
    if (entry.kind === "submit") {
      const index = this.#counts.get(entry.place) ?? 0;
      this.#counts.set(entry.place, index + 1);
      const submitted: Submitted = { user: entry.place, index, atNanos: entry.atNanos, queryId: undefined };
      this.#submitted.push(submitted);
      this.#open.set(entry.place, submitted);
      return;
    }
    if (entry.kind !== "request") {
      return;
    }
    const message = messageOf(entry);
    if (message === undefined) {
      return;
    }
    const queryId = queryIdIn(message.rest);
    const open = this.#open.get(entry.place);
    if (open !== undefined && queryId !== undefined) {
      open.queryId ??= queryId;
    }
    const kind = `${message.from}>${message.to} ${message.label}`;
    const known = this.#byKind.get(kind);
    if (known === undefined) {
      this.#byKind.set(kind, [queryId]);
    } else {
      known.push(queryId);
    }
  };

  facts(fates: readonly MessageFate[]): Facts {
    const positions: Record<string, Position> = {};
    for (const { message } of fates) {
      const name = withoutLeg(message);
      const { kind, ordinal } = splitName(name);
      const queries = this.#byKind.get(kind);
      if (queries === undefined || positions[name] !== undefined) {
        continue;
      }
      const before: Record<string, number> = {};
      for (const queryId of queries.slice(0, ordinal - 1)) {
        before[queryId ?? ""] = (before[queryId ?? ""] ?? 0) + 1;
      }
      positions[name] = { queryId: queries[ordinal - 1], before };
    }
    return { submitted: this.#submitted, positions };
  }
}

/**
 * Adjusts fates to a run without some queries: their messages' fates are removed, and the ordinals of later messages of the kind decrease.
 */
export function withoutQueries(fates: readonly MessageFate[], gone: ReadonlySet<string>, facts: Facts): readonly MessageFate[] {
  return fates.flatMap((fate) => {
    const name = withoutLeg(fate.message);
    const position = facts.positions[name];
    if (position === undefined) {
      return [fate];
    }
    if (position.queryId !== undefined && gone.has(position.queryId)) {
      return [];
    }
    let shift = 0;
    for (const [queryId, count] of Object.entries(position.before)) {
      shift += gone.has(queryId) ? count : 0;
    }
    const { kind, ordinal } = splitName(name);
    return [{ ...fate, message: `${kind} #${ordinal - shift}${fate.message.slice(name.length)}` }];
  });
}

/** Strips the leg: `c>w1 task-update #3 request` becomes `c>w1 task-update #3`. */
function withoutLeg(message: string): string {
  return /^.* #\d+/.exec(message)?.[0] ?? message;
}

function splitName(name: string): { readonly kind: string; readonly ordinal: number } {
  const match = /^(.*) #(\d+)$/.exec(name);
  return { kind: match?.[1] ?? name, ordinal: Number(match?.[2] ?? 1) };
}
