/**
 * Dependency rules: which room may import from which, what the engine may not name, and which files may not exist. A failure names the file
 * and the line.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, type Import, importsOf, root } from "./sources.ts";

/** Rooms of the engine in order: a room imports only from itself and from rooms before it. */
const engineRooms = [
  "ports",
  "types",
  "protocol",
  "security",
  "memory",
  "page",
  "codegen",
  "sql",
  "functions",
  "connectors",
  "planner",
  "execution",
  "worker",
  "monitor",
  "coordinator",
] as const;

/** Files beside the rooms: they assemble a node and may import from every room and each other. */
const engineFiles: readonly string[] = readdirSync(join(root, "src"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replace(/\.ts$/, ""));

/** Packages that a room may import; none if it is not listed. */
const packages: Readonly<Record<string, readonly string[]>> = {
  protocol: ["@noble/hashes", "zod"],
  security: ["zod"],
  config: ["zod"],
  functions: ["@noble/hashes", "@orama/stemmers", "jsts"],
  connectors: ["@noble/hashes", "@rgrove/parse-xml", "fzstd", "hyparquet-compressors", "pako"],
};

/** Folders outside of the engine, and what each may import besides itself. */
const outside: Readonly<Record<string, readonly string[]>> = {
  client: ["ports", "types", "protocol"],
  cli: ["client", "ports", "types", "protocol", "sql"],
  recording: ["ports", "types", "protocol", "sql"],
  web: ["client", "ports", "types", "protocol", "sql"],
  chaos: ["ports", "types", "protocol", "recording"],
  server: [...engineRooms, ...engineFiles, "chaos", "recording"],
  testing: [...engineRooms, ...engineFiles, "client", "recording", "server"],
  sim: [...engineRooms, ...engineFiles, "chaos", "client", "recording"],
  scenarios: ["sim"],
  "sim/main": ["sim", "scenarios"],
  "sim/index": ["sim", "scenarios"],
  embedded: [...engineRooms, ...engineFiles, "client", "server"],
  bin: [...engineFiles, "embedded", "cli", "server", "sim/main"],
};

/** Programs: they stand above the rooms that they put together. */
const programs: readonly string[] = ["sim/main", "sim/index"];

/** Folders that may import from one more room: the comparison of both transports, and those that talk to other clusters. */
const gates: Readonly<Record<string, readonly string[]>> = {
  "sim/gap": ["server"],
  "src/server/databases": ["client"],
  "src/coordinator/routing": ["client"],
};

/** The client's only files that name the platform: its ports by fetch and by Node's HTTP. */
const platformFiles: readonly string[] = ["src/client/fetch.ts", "src/client/http.ts", "src/client/index.ts"];

const sources = ["src", "sim", "scenarios"].flatMap((folder) => filesBelow(join(root, folder)));

function roomOf(path: string): string {
  const parts = relative(root, path).split("/");
  const program = relative(root, path).replace(/\.ts$/, "");
  if (programs.includes(program)) {
    return program;
  }
  if (parts[0] !== "src") {
    return parts[0] ?? "";
  }
  return parts.length === 2 ? (parts[1] ?? "").replace(/\.ts$/, "") : (parts[1] ?? "");
}

function breaks(entry: Import): string | undefined {
  const room = roomOf(entry.file);
  const place = `${relative(root, entry.file)}:${entry.line}`;
  if (!entry.target.startsWith(".")) {
    const free = room in outside && (room !== "client" || platformFiles.includes(relative(root, entry.file)));
    const allowed = packages[room] ?? [];
    return free || allowed.some((name) => entry.target === name || entry.target.startsWith(`${name}/`))
      ? undefined
      : `${place} imports the package '${entry.target}'`;
  }
  const target = roomOf(resolve(dirname(entry.file), entry.target));
  if (target === room) {
    return connectorWall(entry, place);
  }
  const allowed = [...(outside[room] ?? roomsBefore(room)), ...(gates[relative(root, dirname(entry.file))] ?? [])];
  return allowed.includes(target) ? connectorWall(entry, place) : `${place} enters '${target}' from '${room}'`;
}

function roomsBefore(room: string): readonly string[] {
  const order: readonly string[] = engineRooms;
  return engineFiles.includes(room) ? [...order, ...engineFiles] : order.slice(0, order.indexOf(room));
}

/** A connector may import the interface, pages, types, errors and ports, but neither another connector nor the rest of the engine. */
function connectorWall(entry: Import, place: string): string | undefined {
  const parts = relative(join(root, "src/connectors"), entry.file).split("/");
  if (parts[0] === ".." || parts[0] === "shared" || parts.length < 2) {
    return undefined;
  }
  const target = relative(join(root, "src"), resolve(dirname(entry.file), entry.target)).split("/");
  const open =
    ["page", "memory", "codegen", "types", "ports"].includes(target[0] ?? "") ||
    ["protocol/errors.ts", "security/visibility.ts"].includes(target.join("/")) ||
    (target[0] === "connectors" && (target.length === 2 || target[1] === "shared" || target[1] === parts[0]));
  return open ? undefined : `${place}: the connector '${parts[0]}' enters '${target.join("/")}'`;
}

function linesMatching(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${relative(root, file)}:${index + 1}: ${line.trim()}`] : [])),
  );
}

const engineSources = sources.filter((file) => {
  const room = roomOf(file);
  return (
    (room === "client" && !platformFiles.includes(relative(root, file))) ||
    ([...engineRooms, ...engineFiles] as readonly string[]).includes(room)
  );
});

describe("the walls of the house", () => {
  it("lets imports point one way only", () => {
    expect(sources.flatMap(importsOf).flatMap((entry) => breaks(entry) ?? [])).toEqual([]);
  });

  it("lets checkers use nothing of what they judge", () => {
    const judged = /^src\/(memory|page|planner|execution|worker|monitor|coordinator)\//;
    const values = filesBelow(join(root, "sim/checkers")).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^import (?!type)[^;]*? from "([^"]+)"/gm)].map(([, target = ""]) => ({ file, target })),
    );
    expect(values.length).toBeGreaterThan(100);
    const wrong = values.filter(({ file, target }) => judged.test(relative(root, resolve(dirname(file), target))));
    expect(wrong.map(({ file, target }) => `${relative(root, file)} imports ${target}`)).toEqual([]);
  });

  it("knows every room", () => {
    const known = new Set<string>([...engineRooms, ...engineFiles, ...Object.keys(outside)]);
    expect([...new Set(sources.map(roomOf))].filter((room) => !known.has(room))).toEqual([]);
  });

  it("keeps real time, entropy and locale out of the engine", () => {
    const code =
      /^(?!\s*(\/\/|\*|\/\*)).*(\bDate\.now|\bnew Date\b|\bMath\.random|\blocaleCompare\b|\bIntl\.|\bWeakRef\b|\bprocess\.|\bsetTimeout\(|\bglobalThis\.(?!WebAssembly))/;
    expect(linesMatching(engineSources, code)).toEqual([]);
  });

  it("lets nothing in production draw from a generator whose next number can be computed", () => {
    expect(linesMatching(filesBelow(join(root, "src")), /seedrandom|\bMath\.random\b/)).toEqual([]);
  });

  it("keeps no mutable state in the modules of the engine: a crash must lose all that a real one loses", () => {
    expect(
      linesMatching(engineSources, /^(export )?let |^(export )?const \w+(: (?!Readonly)[^=]+)? = new (Map|Set|Array|Uint8Array)\(\)/),
    ).toEqual([]);
  });

  it("leaves nothing lying about", () => {
    expect(linesMatching(sources, /\b(TODO|FIXME|XXX|HACK)\b|\bdebugger\b/)).toEqual([]);
    expect(linesMatching(sources, /@ts-ignore|@ts-nocheck|\bas any\b/)).toEqual([]);
  });

  it("keeps files readable", () => {
    const long = sources.flatMap((file) => {
      const lines = readFileSync(file, "utf8").split("\n").length;
      return lines > 620 ? [`${relative(root, file)} has ${lines} lines`] : [];
    });
    expect(long).toEqual([]);
  });
});
