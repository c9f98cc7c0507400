/** No circle of imports between files: a file can be read, tested and moved with what is below it. Imports of types alone count. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, importsOf, root } from "./sources.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files and the files of the project that each imports, by their paths in the project. */
function importGraph(folders: readonly string[]): Graph {
  const files = folders.flatMap((folder) => filesBelow(join(root, folder), /\.tsx?$/));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const targets = importsOf(file).map(({ target }) => resolve(dirname(file), target));
      return [relative(root, file), [...new Set(targets)].filter((target) => known.has(target)).map((target) => relative(root, target))];
    }),
  );
}

/**
 * The nodes of the syntax tree are one recursive type, declared in several files: they import each other's types and nothing else
 * (docs/decisions/0040-the-syntax-tree-is-one-type.md).
 */
const syntaxTree = /^src\/sql\/ast\//;

/** The graph without the edges between two files of the syntax tree. */
function withoutSyntaxTree(graph: Graph): Graph {
  return new Map(
    [...graph].map(([file, targets]) => [file, syntaxTree.test(file) ? targets.filter((target) => !syntaxTree.test(target)) : targets]),
  );
}

/** The strongly connected components of more than one file, or of a file that imports itself (Tarjan). */
function components(graph: Graph): readonly (readonly string[])[] {
  const found: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      const reached = numbers.has(target) ? (open.includes(target) ? (numbers.get(target) as number) : number) : visit(target);
      lowest.set(file, Math.min(lowest.get(file) as number, reached));
    }
    const low = lowest.get(file) as number;
    if (low === number) {
      const component = open.splice(open.indexOf(file));
      if (component.length > 1 || graph.get(file)?.includes(file) === true) {
        found.push(component);
      }
    }
    return low;
  };
  for (const file of graph.keys()) {
    if (!numbers.has(file)) {
      visit(file);
    }
  }
  return found;
}

/** The shortest way from a file back to itself. */
function circleThrough(start: string, graph: Graph): readonly string[] {
  const before = new Map<string, string>();
  const waiting = [start];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    for (const target of graph.get(file) ?? []) {
      if (target === start) {
        const way = [file];
        for (let last = before.get(file); last !== undefined; last = before.get(last)) {
          way.unshift(last);
        }
        return [...way, start];
      }
      if (!before.has(target)) {
        before.set(target, file);
        waiting.push(target);
      }
    }
  }
  return [];
}

/** The shortest circle of each component, as text. */
function circlesIn(graph: Graph): readonly string[] {
  return components(graph).map((component) => {
    const circles = component.toSorted().map((file) => circleThrough(file, graph));
    const shortest = circles.reduce((best, circle) => (circle.length < best.length ? circle : best));
    return `${shortest.join(" -> ")} (${component.length} files import each other)`;
  });
}

it("finds the shortest circle", () => {
  const graph = new Map([
    ["a", ["b", "e"]],
    ["b", ["c"]],
    ["c", ["a", "d"]],
    ["d", ["c"]],
    ["e", ["e"]],
    ["f", ["a"]],
  ]);
  expect(circlesIn(graph)).toEqual(["e -> e (1 files import each other)", "c -> d -> c (4 files import each other)"]);
});

it("lets no file import itself, directly or through others", () => {
  const graph = importGraph(["src", "sim", "scenarios", "test", "bench", "tools"]);
  expect(graph.size).toBeGreaterThan(500);
  expect(circlesIn(withoutSyntaxTree(graph))).toEqual([]);
});

it("lets files of the syntax tree import each other's types alone", () => {
  const files = filesBelow(join(root, "src/sql/ast"), /\.ts$/);
  expect(files.length).toBeGreaterThan(5);
  const statements = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/^import[^;]*?;/gm)].map(([text]) => text));
  expect(statements.filter((text) => text.includes('from "./') && !text.startsWith("import type "))).toEqual([]);
});
