/** Statements of the project's own lists and generators, as the material of malformed ones. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { families, names as functionNames } from "../../../../messages/hostile/statements.ts";
import { knownFiles } from "../../known/known.ts";
import type { Random } from "../../random.ts";

/** TPC-H on a small schema, and all statements with known rows or errors. */
export function corpusOf(root: string): readonly string[] {
  const folder = join(root, "test/oracle/tpch");
  const tpch = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim().replace(/;$/, ""));
  const known = knownFiles(root).flatMap((file) =>
    file.kind === "errors" ? file.situations.map(({ sql }) => sql) : file.statements.map(({ sql }) => sql),
  );
  return [...tpch, ...known.filter((sql) => sql.length < 4000)];
}

/** A call, cast, operator or clause with hostile values. */
export function drawHostile(random: Random): string {
  const family = random.pick(families);
  return random.pick(family.makers)(random);
}

/** Functions of the registry. */
export { functionNames };
