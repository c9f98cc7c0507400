/**
 * The TPC-H queries of the tests.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../test/support/programs/server-process.ts";

/** By name, q01 to q22. */
export function tpchQueries(): ReadonlyMap<string, string> {
  const folder = join(projectRoot, "test", "oracle", "tpch");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return new Map(files.sort().map((name) => [name.replace(/\.sql$/, ""), readFileSync(join(folder, name), "utf8")]));
}
