/** What the documents say of the defaults of properties is what the tables of properties say: "`query.max-length` (1000000)". */
import { describe, expect, it } from "vitest";
import { engineProperties } from "../../src/config.ts";
import { serverProperties } from "../../src/server/configuration.ts";
import { type Page, readPages } from "../docs/pages.ts";

const defaults: ReadonlyMap<string, string> = new Map([...engineProperties, ...serverProperties].map((one) => [one.name, one.default]));

interface Shown {
  readonly place: string;
  readonly name: string;
  /** As it is in the parentheses behind the name, up to a comma or semicolon. */
  readonly text: string;
}

/** Only values: other words in parentheses are no defaults. */
const shownDefault = /`([a-z][a-z0-9]*(?:[.-][a-z0-9]+)+)` \((\d[^;,)]*|true|false|none)[;,)]/g;

function shownIn({ path, text }: Page): readonly Shown[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(shownDefault)].map(([, name = "", shown = ""]) => ({ place: `${path}:${index + 1}`, name, text: shown })),
    );
}

describe("defaults of properties", () => {
  const shown = readPages()
    .flatMap(shownIn)
    .filter(({ name }) => defaults.has(name));

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
