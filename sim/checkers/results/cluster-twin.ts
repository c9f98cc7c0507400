/**
 * The same statement on a calm cluster of another size returns the same rows in the same order, byte by byte: the number of workers is not
 * part of a result. Results with sums of doubles and results without ORDER BY show a difference first.
 */
import { stringifyJson } from "../../../src/protocol/json.ts";
import { calmLink } from "../../world/fates.ts";
import { nanosPerSecond } from "../../world/world.ts";
import type { PlannedStatement, RunPlan } from "../../plan.ts";
import { check, type Verdict } from "../violation.ts";
import type { Outcome } from "./results.ts";

const oracle = "cluster-twin";

/** Statements of one twin. */
const statementsMax = 4;

/** Their rows depend on the query, the nodes or the time. */
const changing = /system|information_schema|^\s*(EXPLAIN|SHOW|DESCRIBE)|random|rand\(|uuid|shuffle|now\(|current_|localtime|TABLESAMPLE/i;

type Rows = Extract<Outcome, { kind: "rows" }>["rows"];

/** A cluster without faults and with perfect clocks. */
export function calmPlan({
  workerCount,
  ...plan
}: Pick<RunPlan, "access" | "knobs" | "points" | "properties" | "schema" | "seed" | "splitsPerNode" | "users"> & {
  readonly workerCount: number;
}): RunPlan {
  return {
    ...plan,
    coordinator: { name: "c", clockOffsetMs: 0, clockDriftPpm: 0 },
    workers: Array.from({ length: workerCount }, (_, index) => ({ name: `w${index + 1}`, clockOffsetMs: 0, clockDriftPpm: 0 })),
    link: calmLink,
    nanosPerWorkUnit: 40,
    faults: [],
    healNanos: 0,
    livenessNanos: 3600 * nanosPerSecond,
  };
}

/** Complete results of the run: the first of each statement. */
export class TwinResults {
  readonly #plan: RunPlan;
  readonly #rows = new Map<string, { readonly user: string; readonly statement: PlannedStatement; readonly rows: Rows }>();

  constructor(plan: RunPlan) {
    this.#plan = plan;
  }

  add(user: string, statement: PlannedStatement, outcome: Outcome): void {
    const { behaviour, catalogStep, granting, restricted, sessionStep, shared, sql, step, volatile } = statement;
    const isItsOwn =
      (catalogStep ?? granting ?? restricted ?? sessionStep ?? shared ?? step ?? volatile) === undefined &&
      behaviour.kind !== "ends-stages";
    const isWanted = this.#plan.twinWorkers !== undefined && this.#rows.size < statementsMax && !this.#rows.has(sql);
    if (isWanted && isItsOwn && outcome.kind === "rows" && !changing.test(sql)) {
      this.#rows.set(sql, { user, statement, rows: outcome.rows });
    }
  }

  /** Undefined if there is nothing to compare. */
  plan(): RunPlan | undefined {
    const plan = this.#plan;
    if (this.#rows.size === 0 || plan.twinWorkers === undefined) {
      return undefined;
    }
    const asked = [...this.#rows.values()];
    return calmPlan({
      seed: `twin/${plan.seed}`,
      workerCount: plan.twinWorkers,
      properties: plan.properties,
      ...(plan.access === undefined ? {} : { access: plan.access }),
      // A point that always fires is part of the run; the others change only the timing.
      points: Object.fromEntries(Object.entries(plan.points ?? {}).filter(([, ratio]) => ratio === 1_000)),
      ...(plan.knobs === undefined ? {} : { knobs: plan.knobs }),
      schema: plan.schema,
      splitsPerNode: plan.splitsPerNode,
      users: plan.users.flatMap(({ name, session }) => {
        const statements = asked.filter(({ user }) => user === name).map(({ statement: { sql } }) => sql);
        return statements.length === 0
          ? []
          : [
              {
                name,
                startNanos: 0,
                ...(session === undefined ? {} : { session }),
                statements: statements.map((sql) => ({ sql, behaviour: { kind: "reads-all" as const }, thinkNanos: 0 })),
              },
            ];
      }),
    });
  }

  /** A statement that exceeds the memory of a smaller cluster is not compared. */
  compare(found: ReadonlyMap<string, Outcome>, verdict: Verdict): void {
    for (const [sql, { rows }] of this.#rows) {
      const other = found.get(sql);
      if (other?.kind === "rows") {
        const difference = firstDifference(rows, other.rows);
        check(verdict, "nondeterminism", oracle, difference === undefined, () => {
          const sizes = `${this.#plan.workers.length} and ${this.#plan.twinWorkers ?? 0} workers`;
          return `${sizes} return other rows, ${difference ?? ""}: ${sql}`;
        });
      }
    }
  }
}

function firstDifference(left: Rows, right: Rows): string | undefined {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one, other] = [left[index], right[index]].map((row) => (row === undefined ? "nothing" : stringifyJson(row)));
    if (one !== other) {
      return `first at row ${index}: ${one ?? ""} and ${other ?? ""}`;
    }
  }
  return undefined;
}
