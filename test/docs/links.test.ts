/** Links of the pages lead to files and headings that are there, and file names in the text to files of the project. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { anchor } from "../../tools/docs/markdown.ts";
import { root } from "../house/sources.ts";
import { type Page, readPages } from "./pages.ts";

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/(`+)[\s\S]*?[^`]\1(?!`)/g, "");
}

/** Anchors of the headings; a repeated one gets a number. */
function anchorsOf({ text }: Page): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)) {
    const base = anchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", ""));
    let name = base;
    for (let number = 1; anchors.has(name); number++) {
      name = `${base}-${number}`;
    }
    anchors.add(name);
  }
  return anchors;
}

function broken(page: Page): string[] {
  return [...withoutCode(page.text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) {
      return [];
    }
    const [file = "", fragment] = target.split("#");
    const path = file === "" ? page.path : normalize(join(dirname(page.path), file));
    const linked = byPath.get(path);
    const isThere = existsSync(join(root, path)) && (fragment === undefined || (linked !== undefined && anchorsOf(linked).has(fragment)));
    return isThere ? [] : [`${page.path}: ${target}`];
  });
}

/** At the root. */
const skipped = new Set(["node_modules", "dist", ".git", "coverage"]);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return skipped.has(path) ? [] : entry.isDirectory() ? [`${path}/`, ...filesBelow(path)] : [path];
  });
}

/** A decision names the files of its day. */
function namesFiles({ path }: Page): boolean {
  return !path.startsWith("docs/decisions/");
}

describe("the pages", () => {
  it("link to files and headings that are there", () => {
    expect(pages.flatMap(broken)).toEqual([]);
  });

  it("are all linked from docs/README.md or from a page that it links", () => {
    const linked = new Set<string>();
    const follow = (path: string): void => {
      const page = byPath.get(path);
      if (page === undefined || linked.has(path)) {
        return;
      }
      linked.add(path);
      for (const [, target = ""] of withoutCode(page.text).matchAll(/\]\(([^)\s#]+\.md)/g)) {
        follow(normalize(join(dirname(path), target)));
      }
    };
    follow("docs/README.md");
    expect(pages.map(({ path }) => path).filter((path) => path.startsWith("docs/") && !linked.has(path))).toEqual([]);
  });

  it("name files of the project by names that they have", () => {
    const files = filesBelow("").map((path) => `/${path}`);
    const missing = pages.filter(namesFiles).flatMap(({ path, text }) =>
      [...withoutBlocks(text).matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|mjs|sql|md))`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
