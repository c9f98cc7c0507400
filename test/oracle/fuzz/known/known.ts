/**
 * Statements that are known to fail with an error, and statements with known rows, under random bounds of the engine: the lists of
 * test/messages and of ../../statements. Their own tests ask them with the defaults.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type KnobName, knobs, type KnobValues } from "../../../../src/ports/knobs.ts";
import { parseSituations, type Situation } from "../../../messages/situations.ts";
import { type OracleStatement, parseStatements } from "../../statements.ts";
import type { Random } from "../random.ts";

export type KnownFile =
  | { readonly kind: "errors"; readonly name: string; readonly situations: readonly Situation[] }
  | { readonly kind: "rows"; readonly name: string; readonly statements: readonly OracleStatement[] };

const situationsFolder = "test/messages/situations";
const statementsFolder = "test/oracle/statements";
const setupFile = "setup.sql";

function textsIn(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

/** Statements that the situations need, in order. */
export function setupOf(root: string): readonly string[] {
  return parseSituations(setupFile, readFileSync(join(root, situationsFolder, setupFile), "utf8")).map(({ sql }) => sql);
}

/** Errors first: they are cheap. */
export function knownFiles(root: string): readonly KnownFile[] {
  const errors = textsIn(join(root, situationsFolder)).flatMap(({ name, text }): readonly KnownFile[] =>
    name === setupFile ? [] : [{ kind: "errors", name, situations: parseSituations(name, text) }],
  );
  const rows = textsIn(join(root, statementsFolder)).map(
    ({ name, text }): KnownFile => ({ kind: "rows", name, statements: parseStatements(name, text) }),
  );
  return [...errors, ...rows];
}

/** Some bounds of the engine at small values: one of the `counts` of them. With all of them even small tables are slow. */
export function drawKnobs(random: Random, counts: readonly number[] = [0, 3, 10, 20]): KnobValues {
  const turned = random.shuffle(Object.keys(knobs) as KnobName[]).slice(0, random.pick(counts));
  return Object.fromEntries(turned.map((name) => [name, random.pick(knobs[name].values)]));
}

/** Files whose statements fail in the analyzer or in operators, and not in functions. */
const aboutFunctions: ReadonlySet<string> = new Set(["arithmetic.sql", "casts.sql", "function-arguments.sql", "json.sql"]);
/** Its values are as large as they may be, which takes more memory than these nodes have. */
const aboutMemory = "value-size.sql";
const changes = /^\s*(ALTER|ANALYZE|CALL|COMMENT|CREATE|DEALLOCATE|DELETE|DROP|EXECUTE|INSERT|MERGE|PREPARE|RESET|SET|TRUNCATE|UPDATE)\b/i;
export const tpchTable = /\b(customer|lineitem|nation|orders|part|partsupp|region|supplier)\b/i;

/**
 * A part of the statements that are quick to ask: of the errors, every `parts`-th file; of the rows, every `parts`-th statement of those
 * that change nothing and do not need the TPC-H tables in DuckDB.
 */
export function quickPart(files: readonly KnownFile[], kind: KnownFile["kind"], { part, parts }: Part): readonly KnownFile[] {
  if (kind === "errors") {
    return files.filter((file) => file.kind === kind && !aboutFunctions.has(file.name)).filter((_, index) => index % parts === part);
  }
  const quick = (file: KnownFile): readonly OracleStatement[] =>
    file.kind === "rows" && file.name !== aboutMemory && !file.statements.some(({ sql }) => changes.test(sql)) ? file.statements : [];
  const statements = files
    .flatMap(quick)
    .filter(({ expect, error, sql }) => expect !== undefined || error !== undefined || !tpchTable.test(sql));
  return [{ kind: "rows", name: `part ${part}`, statements: statements.filter((_, index) => index % parts === part) }];
}

interface Part {
  readonly part: number;
  readonly parts: number;
}
