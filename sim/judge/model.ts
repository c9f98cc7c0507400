/**
 * The statement model: what a client may do on the wire, whatever the server does. Written from the protocol (docs/interface.md), not from
 * a client.
 */
import { firstHeader } from "../../src/protocol/http/headers.ts";
import { displayNames } from "../../src/protocol/http/headers.ts";
import type { ExtraRule } from "./situation.ts";
import type { Tape, TapeEntry } from "./tape.ts";

/** Every rule with its sentence. */
export const modelRules = {
  "no-user": "A submission names its user.",
  "invents-address": "A client asks only addresses that the server gave it.",
  "asks-old-token": "A token acknowledges the ones before it; they are never asked again.",
  "asks-after-end": "An answer without nextUri is the last.",
  "polls-in-parallel": "A statement has one open request at a time.",
  "repeats-submission": "A submission whose answer was lost may have been executed; it is not sent again.",
  "ignores-retry-after": "A refused request waits as long as Retry-After says.",
  "leaves-query-running": "A client that stops reading cancels its statement.",
  "polls-without-pause": "A server that answers at once without rows is not asked in a tight loop.",
} as const;

export type ModelRule = keyof typeof modelRules;

export interface Violation {
  readonly rule: string;
  readonly sentence: string;
}

/** Answers without rows that may be asked within a second. */
const emptyPollsMax = 60;
/** Time by which timers of a client may be early, in milliseconds. */
const earlyMs = 25;

export function violationsOf(tape: Tape, extraRules: readonly ExtraRule[]): readonly Violation[] {
  const found = [
    ...withoutUser(tape),
    ...inventedAddresses(tape),
    ...oldTokens(tape),
    ...afterEnd(tape),
    ...inParallel(tape),
    ...repeatedSubmissions(tape),
    ...ignoredPauses(tape),
    ...(extraRules.includes("leaves-query-running") ? leftRunning(tape) : []),
    ...(extraRules.includes("polls-without-pause") ? hastyPolls(tape) : []),
  ];
  // One sentence a rule is enough; the tape has the others.
  return found.filter(({ rule }, index) => found.findIndex((other) => other.rule === rule) === index);
}

function violation(rule: ModelRule, what: string): Violation {
  return { rule, sentence: `${what}. ${modelRules[rule]}` };
}

function describe({ method, url }: TapeEntry): string {
  return `${method} ${url.replace(/\?.*/, "")}`;
}

function withoutUser(tape: Tape): readonly Violation[] {
  const names = Object.values(displayNames).map((prefix) => `${prefix}User`.toLowerCase());
  return tape
    .of("submit")
    .filter(({ headers }) => !names.some((name) => firstHeader(headers, name) !== undefined))
    .map((entry) => violation("no-user", `${describe(entry)} has no user`));
}

function inventedAddresses(tape: Tape): readonly Violation[] {
  return tape
    .of("poll")
    .filter(({ url }) => !tape.given.has(url))
    .map((entry) => violation("invents-address", `${describe(entry)} was never given`));
}

function tokenOf({ url }: TapeEntry): number | undefined {
  const text = /\/(\d+)(?:\?|$)/.exec(url)?.[1];
  return text === undefined ? undefined : Number(text);
}

function byQuery(entries: readonly TapeEntry[]): ReadonlyMap<string, readonly TapeEntry[]> {
  const queries = new Map<string, TapeEntry[]>();
  for (const entry of entries) {
    if (entry.queryId !== undefined) {
      queries.set(entry.queryId, [...(queries.get(entry.queryId) ?? []), entry]);
    }
  }
  return queries;
}

function oldTokens(tape: Tape): readonly Violation[] {
  return [...byQuery(tape.of("poll")).values()].flatMap((polls) => {
    let latest = -1;
    return polls.flatMap((poll) => {
      const token = tokenOf(poll) ?? latest;
      const isOld = token < latest;
      latest = Math.max(latest, token);
      return isOld ? [violation("asks-old-token", `${describe(poll)} comes after token ${latest}`)] : [];
    });
  });
}

function afterEnd(tape: Tape): readonly Violation[] {
  return [...byQuery(tape.of("submit", "poll")).values()].flatMap((entries) => {
    const last = entries.findIndex(({ document }) => document !== undefined && document.nextUri === undefined);
    return entries
      .slice(last + 1)
      .filter(({ kind }) => last >= 0 && kind === "poll")
      .map((entry) => violation("asks-after-end", `${describe(entry)} comes after the last answer`));
  });
}

function inParallel(tape: Tape): readonly Violation[] {
  return [...byQuery(tape.of("poll")).values()].flatMap((polls) =>
    polls.flatMap((poll, index) => {
      const before = polls[index - 1];
      const overMs =
        before === undefined || before.ending === "silent" ? 0 : Math.min(before.endedMs ?? Infinity, before.leftMs ?? Infinity);
      return overMs > poll.atMs ? [violation("polls-in-parallel", `${describe(poll)} begins while another is open`)] : [];
    }),
  );
}

function repeatedSubmissions(tape: Tape): readonly Violation[] {
  const executed = tape.of("submit").filter((entry) => entry.executed > 0);
  return executed
    .filter((entry, index) => executed.findIndex(({ body }) => body === entry.body) < index)
    .map((entry) => violation("repeats-submission", `${describe(entry)} sends the same statement again`));
}

function ignoredPauses(tape: Tape): readonly Violation[] {
  return tape.entries.flatMap((entry, index) => {
    const after = entry.answerHeaders === undefined ? undefined : firstHeader(entry.answerHeaders, "retry-after");
    const pauseMs = Number(after) * 1000;
    if (entry.endedMs === undefined || (entry.status !== 503 && entry.status !== 429) || !(pauseMs > 0)) {
      return [];
    }
    const { endedMs } = entry;
    const again = tape.entries
      .slice(index + 1)
      .find(({ body, method, url }) => method === entry.method && url === entry.url && body === entry.body);
    return again === undefined || again.atMs >= endedMs + pauseMs - earlyMs
      ? []
      : [violation("ignores-retry-after", `${describe(again)} comes after ${Math.round(again.atMs - endedMs)} ms instead of ${pauseMs}`)];
  });
}

function leftRunning(tape: Tape): readonly Violation[] {
  return [...byQuery(tape.entries)].flatMap(([queryId, entries]) => {
    const last = entries.findLast(({ document }) => document !== undefined)?.document;
    const isDeleted = entries.some(({ kind }) => kind === "cancel");
    return last?.nextUri === undefined || isDeleted ? [] : [violation("leaves-query-running", `Query ${queryId} was not deleted`)];
  });
}

function hastyPolls(tape: Tape): readonly Violation[] {
  const empty = tape.of("poll").filter(({ document }) => document?.rows === 0 && document.nextUri !== undefined);
  const hasty = empty.some(({ atMs }, index) => (empty[index + emptyPollsMax]?.atMs ?? Infinity) - atMs < 1000);
  return hasty ? [violation("polls-without-pause", `More than ${emptyPollsMax} polls within a second`)] : [];
}
