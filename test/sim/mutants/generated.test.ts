/**
 * Generated mutants: what each operator makes of small sources, that every proposal parses, that the drawing is a pure function of seed and
 * sources, and that leaving out seeds which cannot reach a mutant changes no result.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../../sim/mutants/bank.ts";
import { measureEach } from "../../../sim/mutants/measure.ts";
import { blocksOf, innermost, withMarks } from "../../../sim/mutants/generated/blocks.ts";
import { applyEdit, applyMarked } from "../../../sim/mutants/generated/edit.ts";
import { drawSample } from "../../../sim/mutants/generated/generate.ts";
import { rules } from "../../../sim/mutants/generated/equivalent.ts";
import { operators } from "../../../sim/mutants/generated/operators.ts";
import { roomOf, rooms } from "../../../sim/mutants/generated/rooms.ts";
import { type Site, sitesOf } from "../../../sim/mutants/generated/sites.ts";
import { Sources } from "../../../sim/mutants/generated/sources.ts";

const root = projectRoot();
const engine = new Sources(root);
const folders: string[] = [];

afterAll(() => {
  engine.close();
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A project with one source. */
function project(text: string): Sources {
  const folder = mkdtempSync(join(tmpdir(), "orrery-generated-"));
  folders.push(folder);
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), text);
  const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, target: "ES2023", lib: ["ES2023"], types: [], noEmit: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  return new Sources(folder);
}

/** Everything that one operator makes of a source, in short: changed text and whether it compiles. */
function proposals(operator: string, text: string): readonly { readonly text: string; readonly compiles: boolean }[] {
  const sources = project(text);
  try {
    return sitesOf(sources.tree("src/a.ts"), "src/a.ts")
      .filter((site) => site.operator === operator)
      .map(({ edit }) => {
        const changed = applyEdit(text, edit);
        return { text: changed.replace(/\s+/g, " "), compiles: sources.errorOf("src/a.ts", changed) === undefined };
      });
  } finally {
    sources.close();
  }
}

function parses(text: string): boolean {
  try {
    transformSync(text, { loader: "ts", logLevel: "silent" });
    return true;
  } catch {
    return false;
  }
}

/** An operator, a source, and texts of which each must be in some mutant that compiles. */
const examples: readonly (readonly [string, string, readonly string[]])[] = [
  ["negate-condition", "export function f(a: number, b: boolean) { if (b) { return a === 1; } return !b; }", ["if (!(b))", "a !== 1"]],
  ["move-boundary", "export const f = (a: number) => a < 5 || a >= 9;", ["a <= 5", "a > 9"]],
  ["combine-conditions", "export const f = (a: boolean, b: boolean) => a && b;", ["((a) || (b))", "=> a;", "=> b;"]],
  ["take-one-branch", "export const f = (a: boolean) => (a ? 1 : 2);", ["=> (1)", "=> (2)"]],
  ["drop-else", "export function f(a: boolean) { let x = 0; if (a) { x = 1; } else { x = 2; } return x; }", ["{ x = 1; } return x"]],
  ["drop-condition", "export function f(a: boolean) { let x = 0; if (a) { x = 1; } return x; }", ["let x = 0; { x = 1; } return"]],
  ["drop-guard", "export function f(a: boolean) { if (a) { return 1; } return 2; }", ["{ return 2; }"]],
  ["drop-conditional", "export function f(a: boolean) { let x = 0; if (a) { x = 1; } return x; }", ["let x = 0; return x"]],
  ["off-by-one", "export const f = (a: number[]) => a.length + 7;", ["+ 8", "+ 6", "(a.length - 1)"]],
  [
    "change-unit",
    "export const f = (waitMs: number) => waitMs + 30;",
    ["(30 * 1000)", "(30 / 1000)", "(0)", "(waitMs * 1000)", "(waitMs / 1000)"],
  ],
  [
    "change-arithmetic",
    "export function f(a: number) { let n = a - 1; n += a; n++; return n; }",
    ["(a + 1)", "(n -= a)", "(n = a)", "n--"],
  ],
  ["flip-boolean", "export const f = (a = true) => a;", ["a = false"]],
  [
    "other-end",
    "export const f = (a: number[]) => a[0] ?? a.at(-1) ?? Math.min(a.shift() ?? 1, 2);",
    ["a.at(-1) ?? a.at", "a.at(0)", "Math.max(", "a.pop()"],
  ],
  ["forget-cleanup", "export function f(a: Map<string, number>) { a.clear(); a.set('x', 1); }", ["{ a.set('x', 1); }"]],
  ["drop-statement", "export function f(a: Map<string, number>) { a.clear(); a.set('x', 1); }", ["{ a.clear(); }"]],
  ["forget-sort", "export const f = (a: number[]) => a.sort();", ["=> a;"]],
  ["skip-await", "export async function f(a: () => Promise<void>) { await a(); }", ["{ a(); }"]],
  ["return-early", "export function f(a: () => void) { a(); a(); }", ["{ return; a(); a(); }", "{ a(); return; a(); }"]],
  ["change-jump", "export function f(a: number[]) { for (const x of a) { if (x > 1) { break; } } }", ["{ continue; }", "{ }"]],
  [
    "drop-case",
    "export function f(a: 1 | 2) { switch (a) { case 1: f(2); break; case 2: f(1); } }",
    ["case 1: break; case 2", "case 2: break;"],
  ],
  ["empty-catch", "export function f(a: () => void) { try { a(); } catch { a(); } finally { a(); } }", ["catch {}", "finally {}"]],
  ["drop-member", "export const f = (a?: number): { a?: number; b?: number } => ({ a, b: 1 });", ["{ b: 1 }", "{ a, }"]],
  ["swap-arguments", "export const f = (a: number, b: number): number => f(b, a + 1);", ["f(a + 1, b)"]],
  [
    "reuse-stale-value",
    "export class A { #n = 0; f() { this.#n++; return this.#n; } g() { this.#n = 2; } }",
    ["const staleValue = this.#n; this.#n++; return staleValue"],
  ],
];

const points = "interface P { fires(name: string): boolean }";

/** A rule, a source, an operator, and what of its proposals the rule leaves out and what it keeps. */
const leftOut: readonly (readonly [string, string, string, readonly string[], readonly string[]])[] = [
  [
    "labels",
    "take-one-branch",
    "export const f = (a: boolean, g: (o: object) => void) => g({ label: a ? 'x' : 'y', limit: a ? 1 : 2 });",
    ["label: 'x'", "label: 'y'"],
    ["limit: 1", "limit: 2"],
  ],
  [
    "ties",
    "move-boundary",
    "export const f = (l: number[], n: number) => l.sort((a, b) => (a < b ? -1 : 1)).filter((a) => (a < n ? true : false));",
    ["a <= b"],
    ["a <= n"],
  ],
  [
    "units",
    "off-by-one",
    "export const f = (nanos: number, rows: number) => nanos / 1000000 + rows * 1000000 + nanos / 60;",
    ["nanos / 999999", "nanos / 1000001"],
    ["rows * 1000001", "nanos / 61"],
  ],
  [
    "pauses",
    "off-by-one",
    "const backoffMs = Object.freeze([50, 500]); const rows = 600; export const f = (n: number) => [backoffMs, rows, n];",
    ["501", "499"],
    ["51", "601"],
  ],
  [
    "rounded timers",
    "other-end",
    `interface C { timer(label: string, ms: number, then: () => void): void }
    export const f = (clock: C, ageMs: number) => { clock.timer("x", Math.ceil(ageMs / 2), () => undefined); return Math.ceil(ageMs / 3); };`,
    ["Math.floor(ageMs / 2)"],
    ["Math.floor(ageMs / 3)"],
  ],
  [
    "multipliers",
    "off-by-one",
    "const prime1 = 0x9e3779b1; const seen = 0x9e3779b1; export const f = (a: number) => Math.imul(a, 123456789) + prime1 * seen;",
    ["imul(a, 123456790)", "prime1 = 2654435762"],
    ["seen = 2654435762"],
  ],
  [
    "checks",
    "off-by-one",
    "export class A { /** Number of timers, for leak checks. */ get n() { return 5; } /** Rows. */ get m() { return 70; } }",
    ["return 6;", "return 4;"],
    ["return 71;"],
  ],
  [
    "points",
    "take-one-branch",
    `${points} export const f = (p: P, n: number) => [p.fires("x") ? 11 : 12, n > 1 ? 13 : 14];`,
    ["[12,"],
    ["[11,", " 13]", " 14]"],
  ],
  [
    "points",
    "combine-conditions",
    `${points} export class A { #p!: P; #n = 0;
      f(a: boolean) { return [a || this.#late(), this.#late() && a, a || this.#never(), !this.#late() && a]; }
      #late() { return this.#n === 7 && this.#p.fires("x"); } #never() { return this.#n === 8 || this.#p.fires("x"); } }`,
    ["return [a, ", "#never(), a]; }"],
    [
      "return [((a) && (this.#late())), ",
      "return [this.#late(), ",
      ", a, a || ",
      "#never(), !this.#late()]; }",
      " a, !this.#late() && a]; }",
      "return this.#n === 7; }",
    ],
  ],
  [
    "points",
    "drop-conditional",
    `${points} export const f = (p: P, n: number[]) => { if (p.fires("x")) { n.push(1); } if (n.length > 3) { n.pop(); } return n; };`,
    ["=> {  if (n.length > 3)"],
    ["n.push(1); }  return n;"],
  ],
  [
    "points",
    "drop-condition",
    `${points} export const f = (p: P, n: number[]) => { if (!p.fires("x")) { n.push(1); } if (p.fires("y")) { n.pop(); } return n; };`,
    ["=> { { n.push(1); }"],
    ["n.push(1); } { n.pop(); }"],
  ],
  [
    "points",
    "off-by-one",
    `${points} export const f = (p: P, n: number) => { if (p.fires("x")) { n += 20; } else { n += 30; } return n + 40; };`,
    ["n += 21;", "n += 19;"],
    ["n += 31;", "n + 41;"],
  ],
  [
    "points",
    "off-by-one",
    `${points} export const f = (p: P, n: number) => (n > 50 && p.fires("x")) || n > 60;`,
    ["n > 51", "n > 49"],
    ["n > 61"],
  ],
];

describe("a rule of what nobody can notice", () => {
  it("has an example here and a reason", () => {
    expect([...new Set(leftOut.map(([name]) => name))]).toEqual(rules.map(({ name }) => name));
    expect(rules.every(({ reason }) => /^.{40,}\.$/.test(reason))).toBe(true);
  });

  it.each(leftOut)("leaves out %s, and nothing else", (rule, operator, text, without, kept) => {
    const sources = project(text);
    const sites = sitesOf(sources.tree("src/a.ts"), "src/a.ts").filter((site) => site.operator === operator);
    sources.close();
    const of = (wanted: string | undefined): string =>
      sites
        .filter(({ equivalence }) => equivalence === wanted)
        .map(({ edit }) => applyEdit(text, edit))
        .join("\n");
    for (const part of without) {
      expect(of(rule)).toContain(part);
      expect(of(undefined)).not.toContain(part);
    }
    for (const part of kept) {
      expect(of(undefined)).toContain(part);
    }
  });
});

describe("a mutation operator", () => {
  it("has an example here, whichever it is", () => {
    expect(examples.map(([name]) => name)).toEqual(operators.map(({ name }) => name));
  });

  it.each(examples)("%s makes its bugs", (operator, text, expected) => {
    const made = proposals(operator, text);
    const valid = made.filter(({ compiles }) => compiles).map((one) => one.text);
    for (const one of expected) {
      expect(
        valid.some((mutant) => mutant.includes(one)),
        `${one} in ${valid.join("\n")}`,
      ).toBe(true);
    }
  });

  it("leaves alone what no result depends on: types, assertions, log lines, errors", () => {
    const text = [
      'import { assert } from "./b.ts";',
      "export type A = 1 | 2;",
      "export function f(log: { warn(text: string, n: number): void }, a: number) {",
      "  assert(a < 5 && a > 1, `${a + 1}`);",
      "  log.warn(`low ${a + 1}`, a - 1);",
      "  throw new RangeError(`bad ${a * 2}`, { cause: a + 1 });",
      "}",
    ].join("\n");
    const sources = project(text);
    const sites = sitesOf(sources.tree("src/a.ts"), "src/a.ts");
    sources.close();
    expect(sites.map(({ operator, edit }) => `${operator} ${edit.text}`)).toEqual([]);
  });

  it("drops a swap of two types, and a proof that is missing", () => {
    expect(proposals("swap-arguments", "export const f = (a: number, b: string): string => f(a, b);")).toMatchObject([{ compiles: false }]);
    const guarded = "export function f(a: string | undefined) { if (a === undefined) { return ''; } return a.trim(); }";
    expect(proposals("drop-guard", guarded)).toMatchObject([{ compiles: false }]);
  });

  it("sees no difference between > and >= in a maximum", () => {
    expect(proposals("move-boundary", "export function f(a: number, b: number) { if (a > b) { b = a; } return a > b ? a : b; }")).toEqual(
      [],
    );
  });
});

describe("proposals for the engine", () => {
  const paths = engine.paths().filter((path) => roomOf(path) !== undefined);

  it("parse, with and without the mark, and change the text", () => {
    const known = new Map<string, readonly Site[]>();
    const of = (path: string): readonly Site[] => {
      const sites = known.get(path) ?? sitesOf(engine.tree(path), path);
      known.set(path, sites);
      return sites;
    };
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (path, share) => {
        const sites = of(path);
        const site = sites[Math.floor(share * sites.length)];
        const text = engine.text(path);
        if (site !== undefined) {
          expect(applyEdit(text, site.edit), site.key).not.toBe(text);
          expect(parses(applyEdit(text, site.edit)), site.key).toBe(true);
          expect(parses(applyMarked(text, site.edit)), site.key).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("have keys of their own", () => {
    const keys = paths.flatMap((path) => sitesOf(engine.tree(path), path).map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(10_000);
  });

  it("come from rooms that exist", () => {
    const unknown = rooms.flatMap(({ paths: own }) => own).filter((path) => !existsSync(join(root, path)));
    expect(unknown).toEqual([]);
    expect(new Set(paths.map((path) => roomOf(path)?.name))).toEqual(new Set(rooms.map(({ name }) => name)));
  });
});

describe("the drawing", () => {
  it("gives the same mutants again, and a smaller sample is the beginning of a larger one", () => {
    const draw = (count: number, mutationSeed = 5): readonly string[] =>
      drawSample({ root, mutationSeed, count, rooms: [] }).mutants.map(({ name, site, diff }) => `${name} ${site.key}\n${diff}`);
    const all = draw(24);
    expect(draw(23)).toEqual(all.slice(0, 23));
    expect(draw(7, 6)).not.toEqual(all.slice(0, 7));
    expect(new Set(all.map((one) => one.split("/")[0])).size).toBe(rooms.length);
  });

  it("keeps the keys of a function when another one changes", () => {
    const f = "export function f(a: number) { return a < 5 ? a + 1 : a - 1; }\n";
    const keysOf = (text: string): readonly string[] => {
      const sources = project(text);
      const keys = sitesOf(sources.tree("src/a.ts"), "src/a.ts").map(({ key }) => key);
      sources.close();
      return keys;
    };
    expect(keysOf(`export const g = (a: number) => a < 5;\n${f}`)).toEqual(expect.arrayContaining([...keysOf(f)]));
  });
});

describe("marks of blocks", () => {
  const text = [
    "export class A { #n = (() => 1)(); f(a) { if (a) { return this.#n; } switch (a) { case 0: return 5; default: return [1].map((x) => ({ x })); } } }",
    "return (a) => new A().f(a);",
  ].join("\n");

  it("say which code ran", () => {
    const sources = project(text);
    const blocks = blocksOf(sources.tree("src/a.ts"));
    sources.close();
    const marked = withMarks(text, blocks, 0).replace("export ", "");
    const ran = new Set<number>();
    const made = runInThisContext(`(MARK) => {${marked}}`) as (mark: (block: number) => void) => (a: unknown) => unknown;
    const f = made((block) => void ran.add(block));
    const blockOf = (part: string): number => innermost(blocks, { start: text.indexOf(part), end: text.indexOf(part) + part.length });
    expect(f(1)).toBe(1);
    expect(["#n;", "=> 1"].map((part) => ran.has(blockOf(part)))).toEqual([true, true]);
    expect(["return 5", "x })"].map((part) => ran.has(blockOf(part)))).toEqual([false, false]);
    expect(f(undefined)).toEqual([{ x: 1 }]);
    expect(ran.has(blockOf("{ x }"))).toBe(true);
    expect(blockOf("export")).toBe(-1);
  });

  it("leave every source of the rooms a program", () => {
    const broken = engine.paths().filter((path) => {
      return roomOf(path) !== undefined && !parses(withMarks(engine.text(path), blocksOf(engine.tree(path)), 0));
    });
    expect(broken).toEqual([]);
  });

  it("change no result of a measurement", { timeout: 300_000 }, async () => {
    const { mutants, marked, blockOf } = drawSample({ root, mutationSeed: 8, count: 2, rooms: ["monitor", "exchange"] });
    const options = {
      root,
      firstSeed: 3,
      seedsMax: 2,
      detectionsMax: 1,
      jobs: 2,
      sourcesOf: ({ site, source }: (typeof mutants)[number]) => new Map([[site.path, source]]),
    };
    const figures = async (more: object): Promise<unknown> => {
      const { measurements, unusableSeeds } = await measureEach(mutants, { ...options, ...more });
      return { unusableSeeds, figures: measurements.map(({ seeds, triggered, detections }) => ({ seeds, triggered, detections })) };
    };
    expect(await figures({ marked, blockOf })).toEqual(await figures({}));
  });
});
