/**
 * Attributes the samples of a CPU profile to rooms and functions of the sources. The frame in which a sample was taken counts; a native
 * function counts for the room that called it.
 */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** The part of a profile of V8 that is read. Times are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number; readonly columnNumber: number };
    readonly children?: readonly number[] | undefined;
  }[];
  readonly samples?: readonly number[] | undefined;
  readonly timeDeltas?: readonly number[] | undefined;
}

/** Microseconds by name. */
export interface Attribution {
  readonly rooms: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  readonly total: number;
}

type Node = CpuProfile["nodes"][number];

/** Frames of V8 that have no source. */
const engineFrames: ReadonlyMap<string, string> = new Map([
  ["(garbage collector)", "garbage collection"],
  ["(program)", "compilation and other work of V8"],
  ["(idle)", ""],
  ["(root)", ""],
]);

/** `sourceOf` returns the source file and line of a frame, from the project's folder. */
export function attribute(profile: CpuProfile, sourceOf: (frame: Node["callFrame"]) => string | undefined): Attribution {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const places = new Map<number, { readonly room: string; readonly name: string }>();
  const placeOf = (node: Node): { readonly room: string; readonly name: string } => {
    const known = places.get(node.id);
    if (known !== undefined) {
      return known;
    }
    const { callFrame } = node;
    const engine = engineFrames.get(callFrame.functionName);
    const source = engine === undefined ? sourceOf(callFrame) : undefined;
    const parent = nodes.get(parents.get(node.id) ?? -1);
    let place = { room: engine ?? "other", name: callFrame.functionName };
    if (source !== undefined) {
      place = { room: roomOf(source), name: `${callFrame.functionName === "" ? "(anonymous)" : callFrame.functionName} ${source}` };
    } else if (engine === undefined && parent !== undefined && !engineFrames.has(parent.callFrame.functionName)) {
      place = placeOf(parent);
    }
    places.set(node.id, place);
    return place;
  };
  const rooms = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const node = nodes.get(id);
    const { room, name } = node === undefined ? { room: "", name: "" } : placeOf(node);
    const micros = profile.timeDeltas?.[index] ?? 0;
    if (room !== "") {
      total += micros;
      rooms.set(room, (rooms.get(room) ?? 0) + micros);
      functions.set(name, (functions.get(name) ?? 0) + micros);
    }
  }
  return { rooms, functions, total };
}

/** `src/coordinator/query/query.ts:7` is `src/coordinator`; `node_modules/zod/v4/core.js:1` is `package zod`. */
function roomOf(source: string): string {
  const installed = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
  if (installed !== undefined) {
    return `package ${installed}`;
  }
  const [top = "", room = ""] = source.replace(/:\d+$/, "").split("/");
  return room.includes(".") ? top : `${top}/${room}`;
}

/** Finds sources by the source maps beside the bundles. */
export function sourcesByMap(): (frame: Node["callFrame"]) => string | undefined {
  const maps = new Map<string, SourceMap | undefined>();
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith("file:")) {
      return undefined;
    }
    if (!maps.has(url)) {
      maps.set(url, readMap(`${fileURLToPath(url)}.map`));
    }
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    if (entry === undefined || !("originalSource" in entry)) {
      return undefined;
    }
    return `${entry.originalSource.replace(/^(?:\.\.\/)+/, "")}:${entry.originalLine + 1}`;
  };
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, "utf8")) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    // A file without a map, as in the installed package, counts as `other`.
    return undefined;
  }
}
