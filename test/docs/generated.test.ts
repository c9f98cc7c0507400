/** The generated pages are what the generator gives: `npm run docs` writes them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connectorFactories } from "../../src/connectors/registry.ts";
import { generatedNote } from "../../tools/docs/markdown.ts";
import { generatedPages } from "../../tools/docs/pages.ts";
import { root } from "../house/sources.ts";
import { readPages } from "./pages.ts";

let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  pages = await generatedPages(join(root, "docs"));
});

describe("generated pages", () => {
  it("are up to date (npm run docs)", () => {
    const stale = [...pages].filter(([path, text]) => readFileSync(join(root, "docs", path), "utf8") !== text).map(([path]) => path);
    expect(stale).toEqual([]);
  });

  it("are all of the pages that say that they are generated", () => {
    const marked = readPages().filter(({ text }) => text.includes(generatedNote));
    expect(marked.map(({ path }) => path.replace("docs/", "")).toSorted()).toEqual([...pages.keys()].toSorted());
  });
});

describe("the page of the connectors", () => {
  const text = readFileSync(join(root, "docs/connectors.md"), "utf8");

  it.each(connectorFactories.map(({ name, properties }) => [name, properties] as const))(
    "describes %s and its properties",
    (name, properties) => {
      expect(text).toContain(`\n## ${name}\n`);
      expect(properties.filter((property) => !text.includes(`| \`${property}\` |`))).toEqual([]);
    },
  );
});
