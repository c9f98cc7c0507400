/**
 * `npm run fuzz -- coverage`: which productions the statements of a seed contain, and which none contains: nodes and options of the
 * grammar, positions of subqueries, nodes and options of plans. Statements are drawn, parsed and planned, but not run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { parseStatement } from "../../../../src/sql/parser/parser.ts";
import { drawCase } from "../run/cases.ts";
import { Random } from "../random.ts";
import { statementsPerTables, tablesOf } from "../run/run.ts";
import type { FuzzCase } from "../run/worlds.ts";
import { excuseOf } from "./excuses.ts";
import { noteSubqueries, subqueryProductions } from "./levels.ts";
import { Plans } from "./plans.ts";
import { Shapes } from "./shapes.ts";

export interface Section {
  readonly name: string;
  /** Number of statements with each production, in the order of the declarations. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface Coverage {
  readonly statements: number;
  readonly sections: readonly Section[];
  /** Planner errors by number. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface CoverageOptions {
  readonly seed: number;
  readonly count: number;
  /** The project's directory; declarations are read from its sources. */
  readonly root: string;
  readonly stopped: () => boolean;
  readonly onProgress: (statements: number) => void;
}

/** The grammar: every node in src/sql except tokens. */
function grammarShapes(root: string): Shapes {
  const folder = join(root, "src/sql");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Shapes(
    names
      .filter((name) => name !== "lexer.ts")
      .toSorted()
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
}

function planShapes(root: string): Shapes {
  return new Shapes(["node.ts", "expression.ts"].map((name) => readFileSync(join(root, "src/plan", name), "utf8")));
}

class Counter {
  readonly name: string;
  readonly counts: Map<string, number>;

  constructor(name: string, productions: readonly string[]) {
    this.name = name;
    this.counts = new Map(productions.map((production) => [production, 0]));
  }

  /** Counts each production once per statement. */
  add(productions: ReadonlySet<string>): void {
    for (const production of productions) {
      const count = this.counts.get(production);
      if (count !== undefined) {
        this.counts.set(production, count + 1);
      }
    }
  }
}

export async function drawCoverage(options: CoverageOptions): Promise<Coverage> {
  const { seed, count, root } = options;
  const [grammar, plan] = [grammarShapes(root), planShapes(root)];
  const syntax = new Counter("grammar", grammar.productions());
  const subqueries = new Counter("subqueries", subqueryProductions);
  const nodes = new Counter("plans", plan.productions().map(planned));
  const refused = new Map<string, number>();
  const plans = new Plans();
  let tables = tablesOf(seed, 0);
  let statements = 0;
  for (; statements < count && !options.stopped(); statements++) {
    if (statements % statementsPerTables === 0) {
      tables = tablesOf(seed, statements);
      await plans.useTables(tables);
    }
    const made = drawCase(new Random(seed, 1_000_000 + statements), tables);
    const found = { syntax: new Set<string>(), places: new Set<string>(), plans: new Set<string>() };
    for (const sql of textsOf(made)) {
      const tree = parseStatement(sql);
      grammar.note(tree, (production) => found.syntax.add(production));
      noteSubqueries(tree, (production) => found.places.add(production));
      try {
        const fragments = await plans.fragmentsOf(sql, made.session, sql === made.changes[0]?.engine ? undefined : sourceOf(made));
        plan.note(
          fragments.map(({ root: top }) => top),
          (production) => found.plans.add(planned(production)),
        );
      } catch (error) {
        if (!(error instanceof QueryError)) {
          throw error;
        }
        // The planner does not know a changed table's new definition.
        if (made.changes.length === 0) {
          refused.set(error.errorName, (refused.get(error.errorName) ?? 0) + 1);
        }
      }
    }
    syntax.add(found.syntax);
    subqueries.add(found.places);
    nodes.add(found.plans);
    options.onProgress(statements);
  }
  return { statements, sections: [syntax, subqueries, nodes], refused };
}

/** Plan nodes get a prefix, because a grammar node may have the same name. */
function planned(production: string): string {
  return `plan ${production}`;
}

function textsOf({ changes, query, same }: FuzzCase): readonly string[] {
  return [...changes.map(({ engine }) => engine), query.text.engine, ...same.map(({ sql }) => sql)];
}

/** The table that the statements copy and change. */
function sourceOf({ changes: [first] }: FuzzCase): string | undefined {
  return first && /\bFROM (\w+)$/.exec(first.engine)?.[1];
}

export interface CoverageReport {
  readonly text: string;
  /** True if every production is drawn or excused, and no excused one is drawn. */
  readonly isClosed: boolean;
}

export function reportCoverage({ statements, sections, refused }: Coverage, seed: number): CoverageReport {
  const lines: string[] = [];
  let open = 0;
  for (const { name, counts } of sections) {
    const drawn = [...counts].filter(([, count]) => count > 0);
    const missing = [...counts].flatMap(([production, count]) => (count === 0 ? [production] : []));
    lines.push(`${name}: ${drawn.length} of ${counts.size} productions drawn`);
    for (const [production, count] of drawn) {
      const reason = excuseOf(production);
      open += reason === undefined ? 0 : 1;
      lines.push(reason === undefined ? `  ${production} ${count}` : `  DRAWN, BUT EXCUSED: ${production} ${count}: ${reason}`);
    }
    for (const production of missing) {
      const reason = excuseOf(production);
      open += reason === undefined ? 1 : 0;
      lines.push(reason === undefined ? `  NOT DRAWN: ${production}` : `  not drawn: ${production}: ${reason}`);
    }
  }
  const errors = [...refused].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`);
  lines.push(
    `seed ${seed}: ${statements} statements; ${open} productions to be drawn or excused${errors.length === 0 ? "" : `; plans refused: ${errors.join(", ")}`}`,
  );
  return { text: lines.join("\n"), isClosed: open === 0 };
}
