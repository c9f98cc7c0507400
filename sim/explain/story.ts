/**
 * Turns a trace into a story: sentences with times and places that end with the violation.
 */
import type { TraceEntry } from "../world/world.ts";
import { Causes, violationIn } from "../trace/causes.ts";
import { relevantTo } from "./relevance.ts";
import { tell, tellMessage } from "./wording.ts";

export interface Sentence {
  readonly atNanos: number;
  readonly text: string;
}

export interface Story {
  readonly sentences: readonly Sentence[];
  /** Number of events that the sentences cover. */
  readonly events: number;
}

interface Told extends Sentence {
  /** Consecutive successful messages with the same group become one sentence. */
  readonly group?: string;
}

const sentencesMax = 40;

/** Returns undefined if the trace has no violation. */
export function storyOf(entries: readonly TraceEntry[], oracle: string): Story | undefined {
  const violation = violationIn(entries, oracle);
  if (violation === undefined) {
    return undefined;
  }
  const causes = new Causes(entries);
  const relevant = relevantTo(violation, causes);
  const told: Told[] = [];
  const messages = new Set<number>();
  for (const entry of relevant.entries) {
    const message = causes.messageOf(entry);
    if (message === undefined) {
      const text = tell(entry);
      if (text !== undefined) {
        told.push({ atNanos: entry.atNanos, text });
      }
    } else if (!messages.has(message.id)) {
      messages.add(message.id);
      const life = causes.lifeOf(message.id).filter(({ atNanos }) => atNanos <= violation.atNanos);
      const { text, smooth } = tellMessage(life, causes);
      const group = smooth ? { group: `${message.from}>${message.to} ${message.label}` } : {};
      told.push({ atNanos: (life[0] ?? entry).atNanos, text, ...group });
    }
  }
  const isTroubled = relevant.entries.some(({ kind }) => kind === "fault" || kind === "lost" || kind === "reset");
  const ordered = joinStates(told.filter(({ text }) => isTroubled || !text.startsWith("every fault has healed"))).toSorted(
    (a, b) => a.atNanos - b.atNanos,
  );
  const named = shorten(merge(ordered)).map(({ atNanos, text }) => ({ atNanos, text: withShortNames(text, relevant.queryIds) }));
  return { sentences: named, events: new Set(relevant.entries.map(({ event }) => event)).size };
}

/** Shortens query ids to Q if there is one query, otherwise to Q1, Q2 and so on. */
function withShortNames(text: string, queryIds: readonly string[]): string {
  let short = text.replaceAll(/\?slug=\w*/g, "");
  for (const [index, id] of queryIds.entries()) {
    short = short.replaceAll(id, queryIds.length === 1 ? "Q" : `Q${index + 1}`);
  }
  return short;
}

/** Joins consecutive state transitions: `c: query Q QUEUED -> PLANNING -> RUNNING`. */
function joinStates(told: readonly Told[]): readonly Told[] {
  const joined: Told[] = [];
  for (const one of told) {
    const before = joined.at(-1);
    const change = /^(\w+: (?:query|stage|task) \S+) (\w+) -> (\w+)$/.exec(one.text);
    if (before !== undefined && change !== null && before.text.startsWith(`${change[1]} `) && before.text.endsWith(`-> ${change[2]}`)) {
      joined[joined.length - 1] = { ...before, text: `${before.text} -> ${change[3]}` };
    } else {
      joined.push(one);
    }
  }
  return joined;
}

function merge(told: readonly Told[]): readonly Sentence[] {
  const merged: Sentence[] = [];
  let run: { readonly first: Sentence; readonly group: string; count: number } | undefined;
  const close = (): void => {
    if (run !== undefined) {
      merged.push(run.count === 1 ? run.first : { ...run.first, text: `${run.first.text}; and ${run.count - 1} more of this kind` });
      run = undefined;
    }
  };
  for (const sentence of told) {
    if (sentence.group !== undefined && run?.group === sentence.group) {
      run.count++;
      continue;
    }
    close();
    if (sentence.group === undefined) {
      merged.push(sentence);
    } else {
      run = { first: sentence, group: sentence.group, count: 1 };
    }
  }
  close();
  return merged;
}

/** Keeps the beginning and the end of a long story. */
function shorten(sentences: readonly Sentence[]): readonly Sentence[] {
  if (sentences.length <= sentencesMax) {
    return sentences;
  }
  const head = sentences.slice(0, 10);
  const tail = sentences.slice(-(sentencesMax - 11));
  const left = sentences.length - head.length - tail.length;
  return [...head, { atNanos: head.at(-1)?.atNanos ?? 0, text: `... ${left} more ...` }, ...tail];
}

export function describeStory({ sentences }: Story): readonly string[] {
  return sentences.map(
    ({ atNanos, text }, index) => `${String(index + 1).padStart(3)}. ${(atNanos / 1e9).toFixed(4).padStart(9)} s  ${text}`,
  );
}
