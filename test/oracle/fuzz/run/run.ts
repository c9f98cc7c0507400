/**
 * A run of generated statements: draws, executes, shrinks failures and reports them.
 */
import type { KnobValues } from "../../../../src/ports/knobs.ts";
import { drawKnobs } from "../known/known.ts";
import { drawCase } from "./cases.ts";
import { Random } from "../random.ts";
import { type Made, shrinkChoices, shrinkTables } from "./shrink.ts";
import { createTable, drawTables, type Table } from "../tables.ts";
import type { FuzzCase, Verdict, Worlds } from "./worlds.ts";

/** Statements that use the same tables. */
export const statementsPerTables = 400;
const trialsMax = 250;

export interface Failure {
  readonly index: number;
  readonly verdict: Verdict;
  readonly made: FuzzCase;
  readonly tables: readonly Table[];
  /** For users: the statement, its tables as SQL, the difference, and the command to reproduce it. */
  readonly report: string;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly shrink: boolean;
  readonly failuresMax: number;
  /** Runs every query without each rule, instead of one in five. */
  readonly everyRule: boolean;
  /** Checked before every statement. */
  readonly stopped: () => boolean;
  readonly onFailure: (failure: Failure) => void;
}

export interface Progress {
  readonly statements: number;
  readonly failures: number;
  /** Reasons why the oracle was skipped, with counts. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Number of statements on which each other world agreed. */
  readonly agreed: ReadonlyMap<string, number>;
  /** Number of statements whose plan each optimizer rule changed, of those that were planned without it. */
  readonly fired: ReadonlyMap<string, number>;
}

function count(into: Map<string, number>, name: string): void {
  into.set(name, (into.get(name) ?? 0) + 1);
}

/** Bounds of the worlds that hold these tables; `everyRule` asks for filters that cross exchanges, which large tables have by default. */
function knobsOf(seed: number, index: number, everyRule: boolean): KnobValues {
  const knobs = drawKnobs(new Random(seed, 500_000 + Math.floor(index / statementsPerTables)));
  return everyRule ? { ...knobs, ...crossingFilters } : knobs;
}

const crossingFilters: KnobValues = {
  "window-scanned-rows": 0,
  "remote-filter-scanned-rows": 1,
  "remote-filter-keys": 1_000,
  "broadcast-rows": 1,
  "broadcast-bytes": 0,
};

export function tablesOf(seed: number, index: number): readonly Table[] {
  return drawTables(new Random(seed, Math.floor(index / statementsPerTables)));
}

/** The tables that the worlds currently hold: those of the previous statements, unless a failure was shrunk in between. */
export class LoadedTables {
  readonly worlds: Worlds;
  #group = "";
  #tables: readonly Table[] = [];

  constructor(worlds: Worlds) {
    this.worlds = worlds;
  }

  async of(seed: number, index: number, everyRule: boolean): Promise<readonly Table[]> {
    const group = `${seed} ${Math.floor(index / statementsPerTables)} ${everyRule}`;
    if (group !== this.#group) {
      this.#tables = tablesOf(seed, index);
      await this.worlds.useKnobs(knobsOf(seed, index, everyRule));
      await this.worlds.useTables(this.#tables);
      this.#group = group;
    }
    return this.#tables;
  }

  /** The worlds now hold other tables. */
  forget(): void {
    this.#group = "";
  }
}

export async function runFuzz(loaded: LoadedTables, options: FuzzOptions): Promise<Progress> {
  const { worlds } = loaded;
  const skipped = new Map<string, number>();
  const agreed = new Map<string, number>();
  const fired = new Map<string, number>();
  const progress = { statements: 0, failures: 0, skipped, agreed, fired };
  for (let index = options.from; index < options.from + options.count; index++) {
    if (options.stopped() || progress.failures >= options.failuresMax) {
      break;
    }
    const tables = await loaded.of(options.seed, index, options.everyRule);
    const random = new Random(options.seed, 1_000_000 + index);
    const made = drawCase(random, tables, options);
    const verdict = await worlds.check(made);
    progress.statements++;
    for (const name of verdict.asked) {
      count(agreed, name);
    }
    for (const name of verdict.fired ?? []) {
      count(fired, name);
    }
    if (verdict.skipped !== undefined) {
      count(skipped, verdict.skipped);
    }
    if (verdict.wrong !== undefined) {
      progress.failures++;
      const first = { made, choices: random.choices, spans: random.spans };
      options.onFailure(await explain(worlds, { index, first, verdict, tables, options }));
      loaded.forget();
    }
  }
  return progress;
}

interface Found {
  readonly index: number;
  readonly first: Made<FuzzCase>;
  readonly verdict: Verdict;
  readonly tables: readonly Table[];
  readonly options: FuzzOptions;
}

async function explain(worlds: Worlds, { index, first, verdict, tables, options }: Found): Promise<Failure> {
  const small = options.shrink
    ? await shrink(worlds, { first, verdict, tables, options })
    : { made: first.made, tables: namedIn(first.made, tables) };
  const final = options.shrink ? await judge(worlds, small.made) : verdict;
  const shown = final.wrong === undefined ? verdict : final;
  return {
    index,
    verdict: shown,
    made: small.made,
    tables: small.tables,
    report: report({ index, verdict: shown, made: small.made, tables: small.tables, options, knobs: worlds.knobs }),
  };
}

/** An exception in a world is a failure of its own kind. */
async function judge(worlds: Worlds, made: FuzzCase): Promise<Verdict> {
  try {
    return await worlds.check(made);
  } catch (error) {
    return { wrong: String(error), kind: "broken", asked: [] };
  }
}

async function shrink(
  worlds: Worlds,
  { first, verdict, tables, options }: Omit<Found, "index">,
): Promise<{ readonly made: FuzzCase; readonly tables: readonly Table[] }> {
  const fails = async (made: FuzzCase): Promise<boolean> => !options.stopped() && (await judge(worlds, made)).kind === verdict.kind;
  const size = ({ changes, query, same, session }: FuzzCase): number => {
    const texts = [...changes, query.text].map(({ engine }) => engine.length);
    return texts.reduce((sum, length) => sum + length, same.length + Object.keys(session).length);
  };
  const { made } = await shrinkChoices(first, {
    make: (random) => drawCase(random, tables, options),
    size,
    fails,
    trialsMax,
  });
  const failsOn = async (candidate: readonly Table[]): Promise<boolean> => {
    await worlds.useTables(candidate);
    return fails(made);
  };
  const smaller = await shrinkTables(namedIn(made, tables), { fails: failsOn, trialsMax: trialsMax / 2 });
  await worlds.useTables(smaller);
  return { made, tables: smaller };
}

function namedIn({ changes, query, same }: FuzzCase, tables: readonly Table[]): readonly Table[] {
  const texts = [...changes.map(({ engine }) => engine), query.text.engine, ...same.map(({ sql }) => sql)].join(" ");
  return tables.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(texts));
}

interface Reported extends Omit<Failure, "report"> {
  readonly options: FuzzOptions;
  readonly knobs: KnobValues;
}

function report({ index, verdict, made, tables, options: { everyRule, seed }, knobs }: Reported): string {
  const bounds = Object.entries(knobs).map(([name, value]) => `${name} ${value}`);
  const session = Object.entries(made.session).map(
    ([name, value]) => `SET SESSION ${name} = ${/^(true|false|\d+)$/.test(value) ? value : `'${value}'`};`,
  );
  return [
    verdict.wrong ?? "",
    ...(bounds.length === 0 ? [] : [`  knobs: ${bounds.join(", ")}`]),
    ...tables.map((table) => `  ${createTable(table).engine};`),
    ...session.map((line) => `  ${line}`),
    ...[...made.changes, made.query.text].map(({ engine }) => `  ${engine};`),
    ...[...made.changes, made.query.text].map(({ duckdb }) => `  DuckDB: ${duckdb};`),
    `  again: npm run fuzz -- ${everyRule ? "rules " : ""}--seed ${seed} --from ${index} ${everyRule ? "--cases" : "--statements"} 1`,
  ].join("\n");
}

/** A failure as lines of the oracle's file (../statements/README.md): the tables become a WITH clause; DML is shown in a comment. */
export function oracleLines({ made, tables, verdict, index }: Failure, seed: number): string {
  const spelled = (dialect: "engine" | "duckdb"): string => {
    const definitions = tables.map((table) => {
      const create = createTable(table)[dialect];
      return `${table.name} AS (${create.slice(create.indexOf("SELECT"))})`;
    });
    const sql = made.query.text[dialect].trim();
    const own = sql.startsWith("WITH ") ? `, ${sql.slice("WITH ".length)}` : ` ${sql}`;
    return definitions.length === 0 ? sql : `WITH ${definitions.join(", ")}${own}`;
  };
  const why = (verdict.wrong ?? "").split("\n")[0]?.slice(0, 160);
  const before = made.changes.map(({ engine }) => `-- ${engine}\n`).join("");
  return `-- Seed ${seed}, statement ${index}: ${why}\n${before}${spelled("engine")};\nduckdb: ${spelled("duckdb")};\n`;
}
