/** The pages that people read: README, CONTRIBUTING and docs, as they stand in the project. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../house/sources.ts";

export interface Page {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

export function readPages(): readonly Page[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`);
  return ["README.md", "CONTRIBUTING.md", ...docs.toSorted()].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
