/** Resource groups against a naive model of the same rules, and their selectors, limits and changes one by one. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate, Usage } from "../../../../src/coordinator/groups/resource-group.ts";
import { ResourceGroups } from "../../../../src/coordinator/groups/resource-groups.ts";
import { groupsOf, type QueryFacts } from "../../../../src/coordinator/groups/specification.ts";
import {
  type GroupDocument,
  parseResourceGroups,
  type ResourceGroupsDocument,
  type SelectorDocument,
} from "../../../../src/protocol/documents/resource-groups.ts";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { ManualClock } from "../../../support/manual-clock.ts";

const gigabyte = 2 ** 30;

class Tree {
  readonly clock = new ManualClock();
  readonly admitted: string[] = [];
  readonly usages = new Map<string, Partial<Usage>>();
  readonly groups: ResourceGroups;

  constructor(document: ResourceGroupsDocument, draw: (bound: number) => number = () => 0) {
    this.groups = new ResourceGroups({
      specification: groupsOf(parseResourceGroups(document)),
      clock: this.clock,
      random: { nextInt: draw, nextText: () => "" },
      memoryBytes: () => 10 * gigabyte,
    });
  }

  enter(id: string, facts: Partial<QueryFacts> = {}, { isResumed = false, priority = 1 } = {}): string {
    const candidate: Candidate = {
      isResumed,
      id,
      bytes: 10,
      priority,
      usage: () => ({ memoryBytes: 0, cpuNanos: 0, scanBytes: 0, ...this.usages.get(id) }),
      admitted: () => this.admitted.push(id),
    };
    try {
      this.groups.enter(candidate, this.groups.select({ ...nobody, ...facts }));
      return this.admitted.includes(id) ? "runs" : "waits";
    } catch (error) {
      if (error instanceof QueryError) {
        return error.message;
      }
      throw error;
    }
  }

  replace(document: ResourceGroupsDocument): void {
    this.groups.replace(groupsOf(parseResourceGroups(document)));
  }
}

const nobody: QueryFacts = {
  user: "ann",
  userGroups: [],
  principal: undefined,
  source: "",
  clientTags: [],
  queryType: "SELECT",
  sql: "SELECT 1",
  resourceEstimates: {},
};

function group(name: string, more: Partial<GroupDocument> = {}): GroupDocument {
  return { name, hardConcurrencyLimit: 100, maxQueued: 100, ...more };
}

function one(root: GroupDocument, path: string): ResourceGroupsDocument {
  return { rootGroups: [root], selectors: [{ group: path }] };
}

/** Trees of fixed names; the user of a query names its leaf. */
const limits = { hardConcurrencyLimit: fc.integer({ min: 0, max: 4 }), maxQueued: fc.integer({ min: 0, max: 5 }) };
const leaf = (name: string): fc.Arbitrary<GroupDocument> => fc.record({ name: fc.constant(name), ...limits });
const inner = (name: string): fc.Arbitrary<GroupDocument> =>
  fc.record({ name: fc.constant(name), ...limits, subGroups: fc.tuple(leaf("x"), leaf("y")) });
const trees = fc.record({ name: fc.constant("g"), ...limits, subGroups: fc.tuple(inner("a"), inner("b"), leaf("c")) });
const leaves = ["g.a.x", "g.a.y", "g.b.x", "g.b.y", "g.c"];
const selectors: SelectorDocument[] = leaves.map((path) => ({ user: path.replaceAll(".", "\\."), group: path }));
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("enter" as const), leaf: fc.constantFrom(...leaves) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("leave" as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace" as const), tree: trees }) },
  ),
  { maxLength: 60 },
);

/** Every number is counted anew from two lists, in the words of the documentation. */
class Model {
  running: { id: string; leaf: string }[] = [];
  waiting: { id: string; leaf: string }[] = [];
  constructor(public tree: GroupDocument) {}

  #limitsOf(path: string): GroupDocument {
    return path
      .split(".")
      .slice(1)
      .reduce((found, name) => found.subGroups?.find((child) => child.name === name) as GroupDocument, this.tree);
  }

  #chain(path: string): string[] {
    const names = path.split(".");
    return names.map((_, index) => names.slice(0, index + 1).join("."));
  }

  count(of: readonly { leaf: string }[], path: string): number {
    return of.filter((query) => `${query.leaf}.`.startsWith(`${path}.`)).length;
  }

  mayRun(path: string): boolean {
    return this.#chain(path).every((name) => this.count(this.running, name) < this.#limitsOf(name).hardConcurrencyLimit);
  }

  mayWait(path: string): boolean {
    return this.#chain(path).every((name) => this.count(this.waiting, name) < this.#limitsOf(name).maxQueued);
  }
}

describe("resource groups", () => {
  test("are the same as a model that counts everything anew", () => {
    fc.assert(
      fc.property(trees, steps, (first, taken) => {
        const tree = new Tree({ rootGroups: [first], selectors });
        const model = new Model(first);
        const follow = (): void => {
          // Whoever was admitted since: it waited, it was the first of its leaf, and every group had room for it.
          for (const id of tree.admitted.splice(0)) {
            const query = model.waiting.find((waiting) => waiting.id === id) as { id: string; leaf: string };
            expect(model.waiting.find((waiting) => waiting.leaf === query.leaf)?.id).toBe(id);
            expect(model.mayRun(query.leaf)).toBe(true);
            model.waiting = model.waiting.filter((waiting) => waiting !== query);
            model.running.push(query);
          }
        };
        for (const [index, step] of taken.entries()) {
          if (step.kind === "enter") {
            const query = { id: `q${index}`, leaf: step.leaf };
            const expected = model.mayRun(step.leaf) && !model.waiting.some(({ leaf: other }) => other === step.leaf);
            const mayWait = model.mayWait(step.leaf);
            const said = tree.enter(query.id, { user: step.leaf });
            expect(said).toBe(expected ? "runs" : mayWait ? "waits" : `Too many queued queries for "${step.leaf}"`);
            if (said === "runs") {
              tree.admitted.pop();
              model.running.push(query);
            } else if (said === "waits") {
              model.waiting.push(query);
            }
          } else if (step.kind === "leave") {
            const all = [...model.running, ...model.waiting];
            const query = all[step.pick % Math.max(1, all.length)];
            model.running = model.running.filter((other) => other !== query);
            model.waiting = model.waiting.filter((other) => other !== query);
            tree.groups.leave(query?.id ?? "nobody");
          } else {
            model.tree = step.tree;
            tree.replace({ rootGroups: [step.tree], selectors });
          }
          follow();
          // Nobody waits who could run.
          expect(model.waiting.filter(({ leaf: path }) => model.mayRun(path))).toEqual([]);
          for (const path of ["g", "g.a", "g.b", ...leaves]) {
            const found = tree.groups.find(path.split("."));
            expect([path, found?.runningCount, found?.queuedCount]).toEqual([
              path,
              model.count(model.running, path),
              model.count(model.waiting, path),
            ]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("take turns if they are fair, and count weights if they are weighted_fair", () => {
    const order = (schedulingPolicy: GroupDocument["schedulingPolicy"], draw?: (bound: number) => number): string => {
      const subGroups = [group("a", { schedulingWeight: 3 }), group("b")];
      const root = group("g", { hardConcurrencyLimit: 4, subGroups, ...(schedulingPolicy === undefined ? {} : { schedulingPolicy }) });
      const tree = new Tree({ rootGroups: [root], selectors: [{ user: "a", group: "g.a" }, { group: "g.b" }] }, draw);
      for (let index = 0; index < 4; index++) {
        tree.enter(`r${index}`);
      }
      for (let index = 0; index < 8; index++) {
        tree.enter(`${index % 2 === 0 ? "a" : "b"}${index}`, { user: index % 2 === 0 ? "a" : "b" });
      }
      tree.admitted.length = 0;
      for (let index = 0; index < 4; index++) {
        tree.groups.leave(`r${index}`);
      }
      return tree.admitted.map((id) => id.charAt(0)).join("");
    };
    expect(order(undefined)).toBe("abab");
    expect(order("weighted_fair")).toBe("aaab");
    expect(order("weighted", (bound) => bound - 1)).toBe("bbbb");
    expect(order("weighted")).toBe("abab");
  });

  test("that are full have no turn until they have room", () => {
    const turns = (hardConcurrencyLimit: number, ids: readonly string[]): readonly string[] => {
      const subGroups = ["a", "b", "c"].map((name) => group(name, { hardConcurrencyLimit }));
      const root = group("g", { hardConcurrencyLimit: 1, subGroups });
      const tree = new Tree({ rootGroups: [root], selectors: subGroups.map(({ name }) => ({ user: name, group: `g.${name}` })) });
      for (const id of ids) {
        tree.enter(id, { user: id.charAt(0) });
      }
      for (const _ of ids) {
        tree.groups.leave(tree.admitted.at(-1) ?? "");
      }
      return tree.admitted;
    };
    expect(turns(1, ["a1", "a2", "b1", "b2", "c1"])).toEqual(["a1", "b1", "c1", "a2", "b2"]);
    // With room for a second one, the group whose query came first has the first turn.
    expect(turns(2, ["a1", "a2", "a3", "b1"])).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("start the query of the highest priority, and the earliest of those", () => {
    const subGroups = [group("a", { schedulingPolicy: "query_priority" }), group("b", { schedulingPolicy: "query_priority" })];
    const root = group("g", { hardConcurrencyLimit: 1, schedulingPolicy: "query_priority", subGroups });
    const tree = new Tree({ rootGroups: [root], selectors: [{ user: "a", group: "g.a" }, { group: "g.b" }] });
    tree.enter("first");
    for (const [id, user, priority] of [
      ["low", "a", 1],
      ["high", "b", 7],
      ["middle", "a", 5],
      ["later", "b", 7],
    ] as const) {
      tree.enter(id, { user }, { priority });
    }
    for (const id of ["first", "high", "later", "middle"]) {
      tree.groups.leave(id);
    }
    expect(tree.admitted).toEqual(["first", "high", "later", "middle", "low"]);
  });

  test("prefer peers below their soft limit", () => {
    const subGroups = [group("a", { softConcurrencyLimit: 1 }), group("b")];
    const root = group("g", { hardConcurrencyLimit: 2, subGroups });
    const tree = new Tree({ rootGroups: [root], selectors: [{ user: "a", group: "g.a" }, { group: "g.b" }] });
    for (const id of ["a1", "b1", "a2", "b2", "a3"]) {
      tree.enter(id, { user: id.charAt(0) });
    }
    tree.groups.leave("b1");
    tree.groups.leave("b2");
    expect(tree.admitted).toEqual(["a1", "b1", "b2", "a2"]);
  });

  test("wait for memory, of the cluster or in bytes, until it is given back", async () => {
    for (const softMemoryLimit of ["10%", "1GB"]) {
      const tree = new Tree(one(group("g", { softMemoryLimit }), "g"));
      expect(tree.enter("a")).toBe("runs");
      tree.usages.set("a", { memoryBytes: gigabyte + 1 });
      await tree.clock.advance(100);
      expect(tree.enter("b")).toBe("waits");
      expect(tree.groups.place("b")).toMatchObject({ group: ["g"], number: 1, of: 1, held: { obstacle: "memory" } });
      tree.usages.set("a", { memoryBytes: gigabyte });
      await tree.clock.advance(100);
      expect(tree.admitted).toEqual(["a", "b"]);
    }
  });

  test("start nothing above the limit of scanned data, here or above, until quota is given back", async () => {
    const root = group("g", {
      hardPhysicalDataScanLimit: "100MB",
      subGroups: [group("x"), group("y", { hardPhysicalDataScanLimit: "40MB" })],
    });
    const selectors = [
      { user: "x.*", group: "g.x" },
      { user: "y.*", group: "g.y" },
    ];
    const tree = new Tree({ rootGroups: [root], selectors, physicalDataScanQuotaPeriod: "100s" });
    const megabyte = 1024 * 1024;
    tree.enter("y1", { user: "y1" });
    tree.usages.set("y1", { scanBytes: 45 * megabyte });
    await tree.clock.advance(100);
    expect([tree.enter("y2", { user: "y2" }), tree.enter("x1", { user: "x1" })]).toEqual(["waits", "runs"]);
    expect(tree.groups.place("y2")).toMatchObject({ held: { group: { id: ["g", "y"] }, obstacle: "scan" } });
    // What has been counted is not counted again, nor lost when the query ends.
    tree.groups.leave("y1");
    tree.usages.set("x1", { scanBytes: 60 * megabyte });
    await tree.clock.advance(100);
    expect(tree.enter("x2", { user: "x2" })).toBe("waits");
    expect(tree.groups.place("x2")).toMatchObject({ held: { group: { id: ["g"] }, obstacle: "scan" } });
    // A megabyte a second of g, 0.4 of y.
    await tree.clock.advance(4_500);
    expect(tree.admitted).toEqual(["y1", "x1"]);
    await tree.clock.advance(500);
    expect(tree.admitted).toEqual(["y1", "x1", "x2"]);
    await tree.clock.advance(7_000);
    expect(tree.admitted).toEqual(["y1", "x1", "x2"]);
    await tree.clock.advance(500);
    expect(tree.admitted).toEqual(["y1", "x1", "x2", "y2"]);
  });

  test("run fewer queries above the soft limit of CPU time and none above the hard one, until quota is given back", async () => {
    const root = group("g", { hardConcurrencyLimit: 4, softCpuLimit: "10s", hardCpuLimit: "20s" });
    const tree = new Tree({ ...one(root, "g"), cpuQuotaPeriod: "200s" });
    tree.enter("a");
    tree.usages.set("a", { cpuNanos: 12.52e9 });
    await tree.clock.advance(100);
    expect([tree.enter("b"), tree.enter("c")]).toEqual(["runs", "waits"]);
    tree.usages.set("a", { cpuNanos: 21.02e9 });
    await tree.clock.advance(100);
    tree.groups.leave("b");
    tree.groups.leave("a");
    expect(tree.groups.place("c")?.held?.obstacle).toBe("cpu");
    // A tenth of a second for each second.
    await tree.clock.advance(9_000);
    expect(tree.admitted).toEqual(["a", "b"]);
    await tree.clock.advance(1_500);
    expect(tree.admitted).toEqual(["a", "b", "c"]);
  });

  test.each([{}, { softMemoryLimit: "1GB" }])("are made for each user, and forgotten with their last query: %j", async (more) => {
    const root = group("g", { ...more, subGroups: [group("${USER}", { hardConcurrencyLimit: 1, maxQueued: 1 })] });
    const tree = new Tree(one(root, "g.${USER}"));
    await tree.clock.advance(1_000);
    expect([tree.enter("a1", { user: "a.b" }), tree.enter("a2", { user: "a.b" }), tree.enter("b", { user: "b" })]).toEqual([
      "runs",
      "waits",
      "runs",
    ]);
    expect(tree.enter("a3", { user: "a.b" })).toBe('Too many queued queries for "g.a.b"');
    // A former incarnation of the coordinator has accepted it.
    expect(tree.enter("a4", { user: "a.b" }, { isResumed: true })).toBe("waits");
    tree.groups.leave("a4");
    expect(tree.groups.find(["g", "a.b"])?.queuedCount).toBe(1);
    tree.groups.leave("a2");
    tree.groups.leave("a1");
    expect([...(tree.groups.find(["g"])?.children.keys() ?? [])]).toEqual(["b"]);
    expect(tree.enter("a4", { user: "__proto__" })).toBe("runs");
  });

  test("keep queries of a group that a new configuration does not have", () => {
    const tree = new Tree(one(group("old", { hardConcurrencyLimit: 1 }), "old"));
    expect([tree.enter("a"), tree.enter("b")]).toEqual(["runs", "waits"]);
    tree.replace(one(group("new", { hardConcurrencyLimit: 1 }), "new"));
    expect([tree.enter("c"), tree.admitted]).toEqual(["runs", ["a", "c"]]);
    tree.groups.leave("a");
    expect(tree.admitted).toEqual(["a", "c", "b"]);
    tree.groups.leave("b");
    expect(tree.groups.roots.map(({ id }) => id)).toEqual([["new"]]);
  });
});

describe("selectors", () => {
  const chosen = (selector: Omit<SelectorDocument, "group">, facts: Partial<QueryFacts>): boolean => {
    const tree = new Tree({ rootGroups: [group("g")], selectors: [{ ...selector, group: "g" }] });
    return tree.enter("q", facts) === "runs";
  };

  test.each<[Omit<SelectorDocument, "group">, Partial<QueryFacts>, Partial<QueryFacts>]>([
    [{ user: "(?i)ANN" }, {}, { user: "anne" }],
    [{ originalUser: "a.*" }, {}, { user: "bob" }],
    [{ authenticatedUser: "svc" }, { principal: "svc" }, {}],
    [{ source: "etl|bi" }, { source: "bi" }, { source: "etl-2" }],
    [{ userGroup: "ad.*" }, { userGroups: ["staff", "admins"] }, { userGroups: ["staff", "no-admins"] }],
    [{ queryText: "SELECT.*" }, {}, { sql: "(SELECT 1)" }],
    [{ queryType: "INSERT" }, { queryType: "INSERT" }, { queryType: undefined }],
    [{ clientTags: ["x", "y"] }, { clientTags: ["y", "z", "x"] }, { clientTags: ["x"] }],
    [
      { selectorResourceEstimate: { executionTime: { max: "5m" }, peakMemory: { min: "1GB" } } },
      { resourceEstimates: { EXECUTION_TIME: "300s", PEAK_MEMORY: "2GB" } },
      { resourceEstimates: { EXECUTION_TIME: "301s", PEAK_MEMORY: "2GB" } },
    ],
  ])("%j", (selector, fitting, other) => {
    expect([chosen(selector, fitting), chosen(selector, other)]).toEqual([true, false]);
  });

  test("the first that fits decides, and a query that fits none is rejected", () => {
    const tree = new Tree({
      rootGroups: [group("g", { subGroups: [group("${team}-${SOURCE}"), group("rest")] })],
      selectors: [
        { user: "(?<team>[a-z]+)-.*", group: "g.${team}-${SOURCE}" },
        { user: "ann", group: "g.rest" },
        { user: ".*x", userGroup: "admins", group: "g.rest" },
      ],
    });
    expect(tree.groups.select({ ...nobody, user: "bi-ann", source: "cli" })?.id).toEqual(["g", "bi-cli"]);
    expect(tree.groups.select(nobody)?.id).toEqual(["g", "rest"]);
    expect(tree.enter("q", { user: "max" })).toBe("Query did not match any selection rule");
  });
});

describe("a configuration", () => {
  test.each<[ResourceGroupsDocument, string]>([
    [one(group("g"), "h"), "Selector refers to nonexistent group: h"],
    [one(group("g", { subGroups: [group("a")] }), "g"), "Selector refers to group with sub-groups: g"],
    [one(group("g.h"), "g.h"), "Invalid group name, it has a dot: g.h"],
    [{ rootGroups: [group("g"), group("g")], selectors: [{ group: "g" }] }, "Duplicated group: g"],
    [one(group("g", { hardCpuLimit: "1h" }), "g"), "cpuQuotaPeriod must be specified to use CPU limits: g"],
    [
      one(group("g", { hardPhysicalDataScanLimit: "1GB" }), "g"),
      "physicalDataScanQuotaPeriod must be specified to use physical data scan limits: g",
    ],
    [one(group("g", { hardPhysicalDataScanLimit: "10%" }), "g"), "expected a data size such as 2GB"],
    [one(group("g", { softCpuLimit: "1h" }), "g"), "Must specify hard CPU limit in addition to soft limit: g"],
    [one(group("g", { softConcurrencyLimit: 101 }), "g"), "softConcurrencyLimit must be less than or equal to hardConcurrencyLimit: g"],
    [one(group("g", { softMemoryLimit: "many" }), "g"), "expected a data size such as 2GB, or a share such as 80%"],
    [
      one(group("g", { schedulingPolicy: "query_priority", subGroups: [group("a")] }), "g.a"),
      "Must use query_priority in sub-groups of a group that uses it: a",
    ],
    [{ rootGroups: [group("g")], selectors: [{ group: "g", user: "(" }] }, "expected a regular expression"],
  ])("is refused: %j", (document, message) => {
    expect(() => parseResourceGroups(document)).toThrow(message);
  });

  test("with a misspelled member is refused", () => {
    expect(() => parseResourceGroups({ rootGroups: [{ ...group("g"), maxQueue: 1 }], selectors: [{ group: "g" }] })).toThrow(
      /\$\.rootGroups\.0/,
    );
  });
});
