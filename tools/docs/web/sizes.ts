/** Sizes of the built web interface: what the frame needs, and what each page loads when it is first opened. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface PageSize {
  /** `frame` for what every page needs; `run view` for the frame of the Simulator page. */
  readonly page: string;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly gzipped: number;
}

const dynamicImport = /import\("\.\/([\w.-]+)"\)/g;
const staticImport = /(?:from|import)\s*"\.\/([\w.-]+)"/g;

/** Scripts of a folder of assets, and which loads which. */
class Assets {
  readonly #folder: string;
  readonly names: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.names = readdirSync(folder).sort();
  }

  #imports(name: string, pattern: RegExp): readonly string[] {
    const text = name.endsWith(".js") ? readFileSync(join(this.#folder, name), "utf8") : "";
    return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
  }

  lazy(name: string): readonly string[] {
    return this.#imports(name, dynamicImport);
  }

  /** The script and all that it loads: at once, or with `later` also on demand. */
  closure(name: string, later: boolean): ReadonlySet<string> {
    const found = new Set([name]);
    for (const one of found) {
      for (const next of [...this.#imports(one, staticImport), ...(later ? this.lazy(one) : [])]) {
        found.add(next);
      }
    }
    return found;
  }

  size(page: string, files: readonly string[]): PageSize {
    const contents = files.map((name) => readFileSync(join(this.#folder, name)));
    const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
    return {
      page,
      files,
      bytes: sum(contents.map(({ length }) => length)),
      gzipped: sum(contents.map((content) => gzipSync(content, { level: 9 }).length)),
    };
  }
}

/** `web`: the folder `dist/web`. A file that an earlier page loads is not counted again. */
export function webSizes(web: string): readonly PageSize[] {
  const assets = new Assets(join(web, "assets"));
  const index = readFileSync(join(web, "index.html"), "utf8");
  const [main = "", style = ""] = [/src="ui\/assets\/([\w.-]+\.js)"/, /href="ui\/assets\/([\w.-]+\.css)"/].map(
    (pattern) => pattern.exec(index)?.[1] ?? "",
  );
  const frame = new Set([style, ...assets.closure(main, false)]);
  const counted = new Set(frame);
  const sizes = [assets.size("frame", [...frame])];
  const pages = [...frame].flatMap((name) => assets.lazy(name));
  // The editor comes last, so that what it shares with other pages counts as theirs.
  for (const page of pages.toSorted((a, b) => Number(a.startsWith("editor")) - Number(b.startsWith("editor")))) {
    const own = [...assets.closure(page, true)].filter((name) => !counted.has(name));
    for (const name of own) {
      counted.add(name);
    }
    sizes.push(assets.size(page.replace(/-[^-]*$/, ""), own));
  }
  const rest = assets.names.filter((name) => name.startsWith("run-view"));
  return [...sizes, assets.size("run view", rest)];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

export function sizesTable(sizes: readonly PageSize[]): string {
  const rows = sizes.map(
    ({ page, files, bytes, gzipped }) => `| ${page} | ${files.length} | ${kilobytes(bytes)} | ${kilobytes(gzipped)} |`,
  );
  return ["| part | files | size | gzip |", "|---|--:|--:|--:|", ...rows].join("\n");
}
