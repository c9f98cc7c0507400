/** The packages of npm whose code is bundled into ours. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** `inputs`: paths of all bundled files. Returns one entry a package: its folder below `root`, and the members of its package.json. Ordered by folder. */
export function bundledPackages({ root, inputs }) {
  const folders = [...new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort(byText);
  return folders.map((folder) => ({ folder, ...JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }));
}
