/**
 * Domains that tasks report for dynamic filters, their union, and the rows that a scan skips, against sets.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FilterDomain, unionOf } from "../../../src/execution/dynamic-filter/filter-domain.ts";
import { encodeBits } from "../../../src/execution/dynamic-filter/integer-bits.ts";
import { knobs, knobsOf } from "../../../src/ports/knobs.ts";
import { encodeBase64 } from "../../../src/types/base64.ts";
import type { Variable } from "../../../src/planner/plan/typed-expression.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import type { JoinNode, PlanNode, TableScanNode } from "../../../src/planner/plan/node.ts";
import { BIGINT, DATE, decimalType, INTEGER, type Type, VARCHAR } from "../../../src/types/type.ts";
import { backends } from "./kernels.ts";
import type { Cell, Row } from "./rows.ts";
import { TestCluster, type TestSplit } from "./tasks.ts";
import { drain } from "./world.ts";

const domainValuesMax = knobs["filter-values"].default;

const key = (type: Type): Variable => ({ kind: "variable", name: "k", type });
const other = (type: Type): Variable => ({ kind: "variable", name: "b", type });

function scanOf(id: string, output: Variable, awaits = false): TableScanNode {
  return {
    kind: "TableScan",
    id,
    table: { catalog: "test", name: { schema: "s", table: id }, handle: null, coordinatorOnly: false },
    outputs: [output],
    columns: [{ name: output.name, type: output.type }],
    ...(awaits && { remoteDynamicFilters: [{ id: "df", variable: output }] }),
  };
}

function fragment(root: PlanNode, type: Type): PlanFragment {
  return { id: 0, root, partitioning: "SOURCE", scanIds: [], outputTypes: [type], outputPartitioning: { kind: "SINGLE" } };
}

function joinOf(type: Type): JoinNode {
  return {
    kind: "Join",
    id: "j",
    type: "INNER",
    left: scanOf("probe", key(type)),
    right: scanOf("build", other(type)),
    criteria: [{ left: key(type), right: other(type) }],
    outputs: [key(type)],
    distribution: "PARTITIONED",
    remoteDynamicFilters: { df: other(type) },
  };
}

const split = (cells: readonly Cell[]): TestSplit => ({ pages: [{ rows: cells.map((cell): Row => [cell]), shape: "flat" }] });

/** The domain that a task with these build rows reports; its probe side never starts. */
async function told(backend: (typeof backends)[number], type: Type, built: readonly Cell[]): Promise<FilterDomain | undefined> {
  const cluster = new TestCluster(backend);
  const task = cluster.create("q.0.0", fragment(joinOf(type), type));
  expect(task.dynamicFilters).toEqual({});
  cluster.scan(task, "build", built.length === 0 ? [] : [split(built)]);
  await drain(500);
  const domain = task.dynamicFilters?.["df"];
  task.abort();
  await drain(50);
  expect(cluster.memory.root.reservedBytes).toBe(0);
  return domain;
}

/** The rows of `scanned` that the scan of another task keeps. It reads nothing before it gets the filter. */
async function kept(
  backend: (typeof backends)[number],
  type: Type,
  scanned: readonly Cell[],
  domain: FilterDomain,
): Promise<readonly Cell[]> {
  const cluster = new TestCluster(backend);
  const task = cluster.create("q.1.0", fragment(scanOf("probe", key(type), true), type));
  cluster.scan(task, "probe", [split(scanned)]);
  await drain(200);
  expect(task.outputBuffer.pagesAdded).toBe(0);
  expect(task.dynamicFilters).toBeUndefined();
  task.setDynamicFilters({ of_another: { kind: "NONE" } });
  task.setDynamicFilters({ df: domain });
  // A repeated or later filter has no effect.
  task.setDynamicFilters({ df: { kind: "NONE" } });
  const rows = await cluster.rows(task, [type]);
  await drain(200);
  expect(cluster.memory.root.reservedBytes).toBe(0);
  return rows.map((row) => row[0] as Cell);
}

const kinds: readonly { readonly type: Type; readonly cells: fc.Arbitrary<Cell> }[] = [
  { type: BIGINT, cells: fc.option(fc.oneof(fc.bigInt({ min: -40n, max: 40n }), fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }))) },
  { type: INTEGER, cells: fc.option(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))) },
  { type: DATE, cells: fc.option(fc.integer({ min: 8000, max: 8050 })) },
  { type: decimalType(9, 2), cells: fc.option(fc.bigInt({ min: -500n, max: 500n })) },
  { type: VARCHAR, cells: fc.option(fc.constantFrom("", "a", "b", "ab", "\u00e9", "a longer text than eight bytes")) },
];

describe.each(backends)("what is told of keys on the %s backend", (backend) => {
  it("keeps every row that one of the tasks would join, and drops NULL; whatever the order of tasks and rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds).chain(({ type, cells }) =>
          fc.record({
            type: fc.constant(type),
            parts: fc.array(fc.array(cells, { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
            scanned: fc.array(cells, { maxLength: 30 }),
            values: fc.constantFrom(0, 1, 3),
            characters: fc.constantFrom(0, 5),
          }),
        ),
        async ({ type, parts, scanned, values, characters }) => {
          const domains = await Promise.all(parts.map((part) => told(backend, type, part)));
          const known = domains.flatMap((domain) => domain ?? []);
          expect(known).toHaveLength(parts.length);
          const union = unionOf(type, known);
          expect(unionOf(type, known.toReversed())).toEqual(union);
          expect(
            unionOf(
              type,
              known.map((domain) => unionOf(type, [domain])),
            ),
          ).toEqual(union);
          expect(await told(backend, type, parts.flat().toReversed())).toEqual(union);
          const keys = new Set(parts.flat().filter((cell) => cell !== null));
          expect(union.kind === "NONE").toBe(keys.size === 0);
          const left = await kept(backend, type, scanned, union);
          expect(left.filter((cell) => keys.has(cell as never))).toEqual(scanned.filter((cell) => cell !== null && keys.has(cell)));
          expect(left).not.toContain(null);
          const small = knobsOf({ "filter-values": values, "filter-characters": characters });
          const bounded = unionOf(type, known, small);
          expect(unionOf(type, known.toReversed(), small)).toEqual(bounded);
          expect((await kept(backend, type, scanned, bounded)).filter((cell) => keys.has(cell as never))).toEqual(
            scanned.filter((cell) => cell !== null && keys.has(cell)),
          );
        },
      ),
      { numRuns: backend === "wasm" ? 60 : 12 },
    );
  });

  it("becomes bits if there are too many values, and drops what is not among them", async () => {
    const many = Array.from({ length: domainValuesMax + 1 }, (_, index) => BigInt(index) * 3n);
    const domain = await told(backend, BIGINT, many);
    expect(domain).toMatchObject({ kind: "INTEGERS", low: "0", high: String(domainValuesMax * 3), bits: expect.any(String) });
    expect(domain).not.toHaveProperty("values");
    const scanned = [-1n, 0n, 1n, 3n, null, 2997n, 3000n, 3001n, -(1n << 63n)];
    expect(await kept(backend, BIGINT, scanned, domain as FilterDomain)).toEqual([0n, 3n, 2997n, 3000n]);
    const halves = [many.slice(0, 600), many.slice(600)].map((half) => half.map(String));
    const [first, second] = halves.map(
      (values): FilterDomain => ({ kind: "INTEGERS", low: values[0] ?? "", high: values.at(-1) ?? "", values }),
    );
    expect(unionOf(BIGINT, [first as FilterDomain, second as FilterDomain])).toEqual(domain);
    expect(unionOf(BIGINT, [second as FilterDomain, domain as FilterDomain, { kind: "NONE" }])).toEqual(domain);
  });

  it("becomes a range if the keys lie too far apart for bits, or the bits are no set of the range", async () => {
    const far = Array.from({ length: domainValuesMax + 1 }, (_, index) => BigInt(index) << 40n);
    const domain = await told(backend, BIGINT, far);
    expect(domain).toEqual({ kind: "INTEGERS", low: "0", high: String(BigInt(domainValuesMax) << 40n) });
    const broken: FilterDomain = { kind: "INTEGERS", low: "1", high: "9", bits: "AAA=" };
    expect(await kept(backend, BIGINT, [0n, 1n, 5n, 9n, 10n], broken)).toEqual([1n, 5n, 9n]);
    const doubled = unionOf(BIGINT, [broken, broken]);
    expect(await kept(backend, BIGINT, [0n, 1n, 5n, 9n, 10n], doubled)).toEqual([1n, 5n, 9n]);
    const list: FilterDomain = { kind: "INTEGERS", low: "3", high: "3", values: ["3"] };
    expect(unionOf(BIGINT, [broken, list])).toEqual({ kind: "INTEGERS", low: "1", high: "9" });
    const outside: FilterDomain = { kind: "INTEGERS", low: "2", high: "4", parts: [{ low: "1", high: "1", bits: "AAE=" }] };
    expect(await kept(backend, BIGINT, [1n, 2n, 3n, 4n, 5n], outside)).toEqual([2n, 3n, 4n]);
  });

  it("drops what is in no part, where several tasks have sent bits", async () => {
    const sets = fc.array(fc.uniqueArray(fc.integer({ min: -300, max: 300 }), { minLength: 1, maxLength: 20 }), {
      minLength: 2,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(sets, async (parts) => {
        const filters = parts.map(bitsFilter);
        const union = unionOf(BIGINT, filters);
        expect(union).toHaveProperty("parts.length", parts.length);
        expect(unionOf(BIGINT, [...filters.toReversed(), { kind: "NONE" }])).toEqual(union);
        const scanned = Array.from({ length: 640 }, (_, index) => BigInt(index - 320));
        const keys = new Set(parts.flat());
        expect(await kept(backend, BIGINT, scanned, union)).toEqual(scanned.filter((value) => keys.has(Number(value))));
      }),
      { numRuns: backend === "wasm" ? 20 : 4 },
    );
  });

  it("spans the whole of what a bigint can be", async () => {
    const [min, max] = [-(1n << 63n), (1n << 63n) - 1n];
    const domain: FilterDomain = { kind: "INTEGERS", low: String(min), high: String(max) };
    expect(await kept(backend, BIGINT, [min, 0n, null, max], domain)).toEqual([min, 0n, max]);
    const upper: FilterDomain = { kind: "INTEGERS", low: "-1", high: String(max) };
    expect(await kept(backend, BIGINT, [min, -2n, -1n, max], upper)).toEqual([-1n, max]);
  });
});

function bitsFilter(values: readonly number[]): FilterDomain {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const bytes = new Uint8Array(4 * Math.ceil((high - low + 1) / 32));
  for (const value of values) {
    bytes[(value - low) >>> 3] = (bytes[(value - low) >>> 3] as number) | (1 << ((value - low) & 7));
  }
  const bits = encodeBits({ low: BigInt(low), high: BigInt(high), bytes });
  return { kind: "INTEGERS", low: String(low), high: String(high), ...(bits !== undefined && { bits }) };
}

describe("a union", () => {
  it("has one set of bits in place of parts that are too long together or have too large a range", () => {
    const dense = { low: 1n, high: 8_000_000n, bytes: new Uint8Array(1_000_000).fill(0xff) };
    const bits = encodeBits(dense) as string;
    const whole: FilterDomain = { kind: "INTEGERS", low: "1", high: "8000000", bits };
    expect(unionOf(BIGINT, [whole, whole])).toEqual(whole);
    const far: FilterDomain = { kind: "INTEGERS", low: "100000000", high: "100000000", bits: "AQA=" };
    expect(unionOf(BIGINT, [bitsFilter([1, 3]), far])).toEqual({ kind: "INTEGERS", low: "1", high: "100000000" });
  });

  it("knows nothing where one of them knows nothing, and of too many texts", () => {
    const texts = (from: number): FilterDomain => ({
      kind: "TEXTS",
      values: Array.from({ length: 600 }, (_, index) => `t${from + index}`),
    });
    expect(unionOf(VARCHAR, [texts(0), { kind: "ALL" }, { kind: "NONE" }])).toEqual({ kind: "ALL" });
    expect(unionOf(VARCHAR, [texts(0), texts(600)])).toEqual({ kind: "ALL" });
    expect(unionOf(VARCHAR, [{ kind: "NONE" }, { kind: "NONE" }])).toEqual({ kind: "NONE" });
  });

  it("of bits and of a list has bits", () => {
    const list: FilterDomain = { kind: "INTEGERS", low: "-4", high: "12", values: ["-4", "12"] };
    const bits: FilterDomain = { kind: "INTEGERS", low: "3", high: "4", bits: encodeBase64(Uint8Array.of(1, 0, 0)) };
    const united = unionOf(DATE, [list, bits]);
    expect(united).toEqual({ kind: "INTEGERS", low: "-4", high: "12", bits: encodeBase64(Uint8Array.of(0, 0x81, 1, 1)) });
    expect(unionOf(DATE, [bits, { kind: "NONE" }, list])).toEqual(united);
    expect(unionOf(DATE, [bits, { kind: "ALL" }])).toEqual({ kind: "ALL" });
  });

  it("of ranges is the range that encloses them, and keeps no values where one of them tells none", () => {
    const range = (low: number, high: number, values?: readonly number[]): FilterDomain => ({
      kind: "INTEGERS",
      low: String(low),
      high: String(high),
      ...(values && { values: values.map(String) }),
    });
    expect(unionOf(BIGINT, [range(1, 3), range(7, 9)])).toEqual(range(1, 9));
    expect(unionOf(BIGINT, [range(7, 7), range(3, 5, [3, 5])])).toEqual(range(3, 7));
    expect(unionOf(INTEGER, [range(7, 7)])).toEqual(range(7, 7));
    expect(unionOf(DATE, [range(-4, 10, [-4, 10]), range(9, 10, [9, 10])])).toEqual(range(-4, 10, [-4, 9, 10]));
  });

  it("lists texts in the order of their code units, as every build does", () => {
    const [last, first] = ["\uff5e", "\u{1f600}"];
    expect(unionOf(VARCHAR, [{ kind: "TEXTS", values: [last, "a", first] }])).toEqual({ kind: "TEXTS", values: ["a", first, last] });
  });

  it("takes a document about other keys for one that says nothing", () => {
    expect(unionOf(BIGINT, [{ kind: "TEXTS", values: ["a"] }])).toEqual({ kind: "ALL" });
    expect(unionOf(VARCHAR, [{ kind: "INTEGERS", low: "1", high: "2" }])).toEqual({ kind: "ALL" });
  });
});
