/**
 * Branches that runs reached and did not reach, by room of the engine, with those that no run can reach, each with its reason.
 */
import type { Branch } from "./instrument.ts";

/** Reasons by branch: its file and its text, so that an entry stays valid when lines move. */
export type Excuses = ReadonlyMap<string, string>;

export interface RoomCoverage {
  readonly room: string;
  readonly reached: number;
  readonly unreached: readonly Branch[];
  /** Branches that cannot be reached in the simulator. */
  readonly excused: readonly { readonly branch: Branch; readonly reason: string }[];
}

export interface BranchCoverage {
  readonly rooms: readonly RoomCoverage[];
  /** Files of the engine that the simulator does not hold. */
  readonly absentFiles: readonly string[];
  /** Entries that name no branch, or a branch that was reached. */
  readonly staleExcuses: readonly string[];
}

/** Folders that hold several rooms. */
const houses: ReadonlySet<string> = new Set(["connectors", "execution", "functions", "planner"]);

export function keyOf({ file, text }: Pick<Branch, "file" | "text">): string {
  return `${file} ${text}`;
}

/** `execution/operators` for a file below `src/execution/operators`; a file of `src` itself is a room. */
export function roomOf(file: string): string {
  const [, first = "", second = "", third] = file.split("/");
  return houses.has(first) && third !== undefined ? `${first}/${second}` : first.replace(/\.ts$/, "");
}

/**
 * Parses a file of reasons. A line that begins with `src/` names a file; a line that begins with `= ` is the reason of the indented lines
 * behind it, each of which is the text of a branch; `#` begins a comment. Throws an Error with the number of the invalid line.
 */
export function parseExcuses(text: string): Excuses {
  const excuses = new Map<string, string>();
  let [file, reason] = ["", ""];
  for (const [index, line] of text.split("\n").entries()) {
    const fail = (problem: string): never => {
      throw new Error(`line ${index + 1}: ${problem}`);
    };
    if (line.trim() === "" || line.startsWith("#")) {
      continue;
    }
    if (line.startsWith("src/")) {
      [file, reason] = [line.trim(), ""];
    } else if (line.startsWith("= ")) {
      reason = line.slice(2).trim();
    } else if (line.startsWith("  ")) {
      if (file === "" || reason.length < 10) {
        fail("a file and a reason stand above the branches");
      }
      const key = keyOf({ file, text: line.trim() });
      if (excuses.has(key)) {
        fail(`'${line.trim()}' is there twice`);
      }
      excuses.set(key, reason);
    } else {
      fail("expected 'src/...', '= reason', or an indented branch");
    }
  }
  return excuses;
}

/** `isReached` is asked for the number of each branch. */
export function coverageOf(
  { branches, absentFiles }: { readonly branches: readonly Branch[]; readonly absentFiles: readonly string[] },
  isReached: (number: number) => boolean,
  excuses: Excuses,
): BranchCoverage {
  const absent = new Set(absentFiles);
  const rooms = new Map<string, { room: string; reached: number; unreached: Branch[]; excused: { branch: Branch; reason: string }[] }>();
  const stale = new Set(excuses.keys());
  for (const [number, branch] of branches.entries()) {
    if (absent.has(branch.file)) {
      continue;
    }
    const name = roomOf(branch.file);
    const room = rooms.get(name) ?? { room: name, reached: 0, unreached: [], excused: [] };
    rooms.set(name, room);
    const reason = excuses.get(keyOf(branch));
    if (isReached(number)) {
      room.reached++;
    } else if (reason === undefined) {
      room.unreached.push(branch);
    } else {
      stale.delete(keyOf(branch));
      room.excused.push({ branch, reason });
    }
  }
  const sorted = [...rooms.values()].sort((a, b) => (a.room < b.room ? -1 : 1));
  return { rooms: sorted, absentFiles, staleExcuses: [...stale].sort() };
}

/** Rooms whose unreached branches are all named. */
const explainedRooms: readonly string[] = ["coordinator", "worker", "monitor", "execution"];

interface ReasonFacts {
  readonly reasons: Excuses;
  readonly branches: readonly Branch[];
  readonly isFuzzed: (branch: Branch) => boolean;
  /** Whether few seeds reach the branch, or none. */
  readonly isRare: (branch: Branch) => boolean;
}

/**
 * Problems of the reasons: branches of these rooms that neither runs nor the fuzzer reached and that have no reason, and reasons of
 * branches that do not exist or that are no longer rare.
 */
export function reasonProblems({ rooms }: BranchCoverage, { branches, isFuzzed, isRare, reasons }: ReasonFacts): readonly string[] {
  const isExplained = (room: string): boolean => explainedRooms.some((name) => room === name || room.startsWith(`${name}/`));
  const lacking = rooms
    .flatMap(({ room, unreached }) => (isExplained(room) ? unreached : []))
    .filter((branch) => !reasons.has(keyOf(branch)) && !isFuzzed(branch));
  const stale = new Set(reasons.keys());
  for (const branch of branches.filter(isRare)) {
    stale.delete(keyOf(branch));
  }
  return [
    ...lacking.map(({ file, line, text }) => `NO REASON: ${file}:${line}  ${text}`),
    ...[...stale].sort().map((key) => `STALE: ${key} names no branch, or one that several seeds reached; remove it from the list`),
  ];
}

interface Sums {
  readonly name: string;
  readonly reached: number;
  readonly unreached: number;
  readonly excused: number;
}

/** A table of rooms, with a line for each house and one for all. */
export function describeRooms({ rooms, absentFiles, staleExcuses }: BranchCoverage): readonly string[] {
  const rows: Sums[] = rooms.map(({ room, reached, unreached, excused }) => ({
    name: room,
    reached,
    unreached: unreached.length,
    excused: excused.length,
  }));
  const sum = (name: string, some: readonly Sums[]): Sums => ({
    name,
    reached: some.reduce((total, { reached }) => total + reached, 0),
    unreached: some.reduce((total, { unreached }) => total + unreached, 0),
    excused: some.reduce((total, { excused }) => total + excused, 0),
  });
  const totals = [...houses].sort().flatMap((house) => {
    const own = rows.filter(({ name }) => name.startsWith(`${house}/`));
    return own.length === 0 ? [] : [sum(`${house}/*`, own)];
  });
  return [
    `${"room".padEnd(28)} reached     of   share   cannot be reached`,
    ...[...rows, ...totals, sum("all", rows)].map(
      ({ name, reached, unreached, excused }) =>
        `${name.padEnd(28)} ${String(reached).padStart(7)} ${String(reached + unreached).padStart(6)}  ${percent(reached, reached + unreached).padStart(6)}   ${excused}`,
    ),
    `${absentFiles.length} files are not in the simulator: they run in processes with sockets, threads or terminals`,
    ...staleExcuses.map((key) => `STALE: ${key} names no branch, or one that was reached; remove it from the list`),
  ];
}

/** Unreached branches of a room, or of all rooms of a house, then those that cannot be reached with their reasons. */
export function describeUnreached({ rooms }: BranchCoverage, room: string): readonly string[] {
  const chosen = rooms.filter(({ room: name }) => room === "all" || name === room || name.startsWith(`${room.replace(/\/\*$/, "")}/`));
  return chosen.flatMap(({ room: name, unreached, excused }) => [
    `${name}: ${unreached.length} not reached`,
    ...unreached.map((branch) => `  ${branch.file}:${branch.line}  ${branch.text}`),
    ...excused.map(({ branch, reason }) => `  ${branch.file}:${branch.line}  ${branch.text}  CANNOT BE REACHED: ${reason}`),
  ]);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}
