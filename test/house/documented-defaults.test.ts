/** What the documents say of the defaults of properties is what the tables of properties say: "`query.max-length` (1000000)". */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { engineProperties } from "../../src/config.ts";
import { serverProperties } from "../../src/server/configuration.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const defaults: ReadonlyMap<string, string> = new Map([...engineProperties, ...serverProperties].map((one) => [one.name, one.default]));

interface Shown {
  readonly place: string;
  readonly name: string;
  /** As it is in the parentheses behind the name, up to a comma or semicolon. */
  readonly text: string;
}

/** Only values: other words in parentheses are no defaults. */
const shownDefault = /`([a-z][a-z0-9]*(?:[.-][a-z0-9]+)+)` \((\d[^;,)]*|true|false|none)[;,)]/g;

function shownIn(file: string): readonly Shown[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return lines.flatMap((line, index) =>
    [...line.matchAll(shownDefault)].map(([, name = "", text = ""]) => ({ place: `${file}:${index + 1}`, name, text })),
  );
}

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith(".md"))
  .toSorted();

describe("defaults of properties", () => {
  const shown = documents.flatMap(shownIn).filter(({ name }) => defaults.has(name));

  it("are shown in the documents", () => {
    expect(new Set(shown.map(({ name }) => name)).size).toBeGreaterThan(10);
  });

  it("are those of the tables", () => {
    const wrong = shown.flatMap(({ place, name, text }) => {
      const known = defaults.get(name) ?? "";
      const expected = known === "" ? "none" : known;
      return text === expected ? [] : [`${place}: ${name} is ${expected}, not ${text}`];
    });
    expect(wrong).toEqual([]);
  });

  it("stand in one table: no name twice", () => {
    expect(defaults.size).toBe(engineProperties.length + serverProperties.length);
  });
});
