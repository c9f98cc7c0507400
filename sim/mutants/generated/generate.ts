/**
 * Generates mutants: draws sites, and keeps those that compile and change the emitted code.
 */
import assert from "node:assert/strict";
import { transformSync } from "esbuild";
import { marksMax } from "../marks.ts";
import { blocksOf, withMarks } from "./blocks.ts";
import { applyEdit, applyMarked } from "./edit.ts";
import { drawn } from "./draw.ts";
import { type RoomName, roomNames, roomOf } from "./rooms.ts";
import { type Site, sitesOf } from "./sites.ts";
import { Sources } from "./sources.ts";

export interface GeneratedMutant {
  /** `coordinator/12`: room and ordinal in the sample. */
  readonly name: string;
  readonly room: RoomName;
  readonly site: Site;
  /** Line of the site, from 1. */
  readonly line: number;
  /** Removed and added lines. */
  readonly diff: string;
  /** The changed source, with the mark of what is reached. */
  readonly source: string;
}

export interface DrawnCounts {
  drawn: number;
  /** Sites whose change does not compile. */
  broken: number;
  /** Sites whose change leaves the emitted code as it is. */
  unchanged: number;
  /** Sites that rules have left out because no user can notice them (`equivalent.ts`), by rule. */
  readonly equivalent: Map<string, number>;
}

export interface Sample {
  readonly mutants: readonly GeneratedMutant[];
  readonly counts: ReadonlyMap<RoomName, DrawnCounts>;
  /** The unmodified sources of all rooms with a mark in each block. */
  readonly marked: ReadonlyMap<string, string>;
  /** Number of the block around a mutant; negative if every run reaches it. */
  readonly blockOf: (mutant: GeneratedMutant) => number;
}

export interface SampleOptions {
  readonly root: string;
  readonly mutationSeed: number;
  readonly count: number;
  /** All rooms if empty. */
  readonly rooms: readonly RoomName[];
}

/** A pure function of the options and the sources. */
export function drawSample({ root, mutationSeed, count, rooms }: SampleOptions): Sample {
  const sources = new Sources(root);
  try {
    const chosen = rooms.length === 0 ? roomNames : rooms;
    const counts = new Map(
      chosen.map((room): [RoomName, DrawnCounts] => [room, { drawn: 0, broken: 0, unchanged: 0, equivalent: new Map() }]),
    );
    const emitted = new Map<string, string>();
    const accept = (site: Site, room: RoomName): boolean => {
      const own = counts.get(room) as DrawnCounts;
      own.drawn++;
      if (site.equivalence !== undefined) {
        own.equivalent.set(site.equivalence, (own.equivalent.get(site.equivalence) ?? 0) + 1);
        return false;
      }
      const verdict = verdictOf(sources, site, emitted);
      own.broken += verdict === "broken" ? 1 : 0;
      own.unchanged += verdict === "unchanged" ? 1 : 0;
      return verdict === "mutant";
    };
    const mutants: GeneratedMutant[] = [];
    for (const { room, site } of drawn(sitesByRoom(sources, new Set(chosen)), mutationSeed, accept)) {
      mutants.push(mutantOf(sources, { room, site, ordinal: mutants.length + 1 }));
      if (mutants.length >= count) {
        break;
      }
    }
    return { mutants, counts, ...markedSources(sources) };
  } finally {
    sources.close();
  }
}

function markedSources(sources: Sources): Pick<Sample, "marked" | "blockOf"> {
  const firsts = new Map<string, number>();
  const marked = new Map<string, string>();
  let next = 0;
  // All rooms, whichever were chosen: runs of the marked program are kept, and are the same for every sample.
  for (const path of sources.paths().filter((one) => roomOf(one) !== undefined)) {
    const blocks = blocksOf(sources.tree(path));
    firsts.set(path, next);
    marked.set(path, withMarks(sources.text(path), blocks, next));
    next += blocks.length;
  }
  assert(next <= marksMax, "there are more blocks than marks");
  return { marked, blockOf: ({ site }) => (site.block < 0 ? -1 : (firsts.get(site.path) ?? 0) + site.block) };
}

function sitesByRoom(sources: Sources, chosen: ReadonlySet<RoomName>): ReadonlyMap<RoomName, readonly Site[]> {
  const byRoom = new Map<RoomName, Site[]>();
  for (const path of sources.paths()) {
    const room = roomOf(path)?.name;
    if (room !== undefined && chosen.has(room)) {
      byRoom.set(room, [...(byRoom.get(room) ?? []), ...sitesOf(sources.tree(path), path)]);
    }
  }
  return byRoom;
}

function verdictOf(sources: Sources, { path, edit }: Site, emitted: Map<string, string>): "mutant" | "broken" | "unchanged" {
  const text = sources.text(path);
  const changed = applyEdit(text, edit);
  let before = emitted.get(path);
  if (before === undefined) {
    before = emit(text);
    emitted.set(path, before);
  }
  try {
    if (emit(changed) === before) {
      return "unchanged";
    }
    emit(applyMarked(text, edit));
  } catch {
    return "broken";
  }
  return sources.errorOf(path, changed) === undefined ? "mutant" : "broken";
}

/** The code that runs, without names of lines, comments and unreachable statements. */
function emit(text: string): string {
  return transformSync(text, { loader: "ts", minifySyntax: true, minifyWhitespace: true, target: "node20", logLevel: "silent" }).code;
}

function mutantOf(
  sources: Sources,
  { room, site, ordinal }: { readonly room: RoomName; readonly site: Site; readonly ordinal: number },
): GeneratedMutant {
  const text = sources.text(site.path);
  const line = text.slice(0, site.edit.start).split("\n").length;
  return {
    name: `${room}/${ordinal}`,
    room,
    site,
    line,
    diff: diffOf(text, applyEdit(text, site.edit), line),
    source: applyMarked(text, site.edit),
  };
}

/** Changed lines, with a line number for the first. */
function diffOf(before: string, after: string, line: number): string {
  const [old, changed] = [before.split("\n"), after.split("\n")];
  let [start, ends] = [line - 1, 0];
  while (old[start] === changed[start] && start < old.length) {
    start++;
  }
  while (ends < Math.min(old.length, changed.length) - start && old.at(-1 - ends) === changed.at(-1 - ends)) {
    ends++;
  }
  return [
    ...old.slice(start, old.length - ends).map((text) => `- ${text.trim()}`),
    ...changed.slice(start, changed.length - ends).map((text) => `+ ${text.trim()}`),
  ].join("\n");
}
