/**
 * A table that several users write at the same time. Each user works on batches of its own, so the order of the changes of a batch is
 * known, and every reader sees how far each user has come. The model of tables knows what each step does to a batch.
 */
import type { Stream } from "../world/streams.ts";

/** Rows of each batch. */
export const batchRows = 40;
const tableInMemory = "memory.default.shared";

/** `insert` adds a batch; `update` and `merge` raise the amounts of one by one; `delete` removes it; `read` reads all batches. */
export interface SharedStep {
  readonly operation: "create" | "insert" | "update" | "merge" | "delete" | "read";
  readonly batch: string;
  /** `memory.default.shared` if absent. */
  readonly table?: string;
}

export function sharedStatement({ operation, batch, table = tableInMemory }: SharedStep): string {
  switch (operation) {
    case "create":
      return `CREATE TABLE IF NOT EXISTS ${table} (batch varchar, item bigint, amount bigint)`;
    case "insert":
      return `INSERT INTO ${table} SELECT '${batch}', custkey, CAST(1 AS bigint) FROM customer WHERE custkey <= ${batchRows}`;
    case "update":
      return `UPDATE ${table} SET amount = amount + 1 WHERE batch = '${batch}'`;
    case "merge":
      return `MERGE INTO ${table} t USING (SELECT '${batch}' AS batch) s ON t.batch = s.batch WHEN MATCHED THEN UPDATE SET amount = t.amount + 1`;
    case "delete":
      return `DELETE FROM ${table} WHERE batch = '${batch}'`;
    case "read":
      return `SELECT batch, count(*), count(DISTINCT item), sum(amount) FROM ${table} GROUP BY batch`;
  }
}

/** The steps of one user, after the creation of the table. `table`: where it is, unless it is in memory. */
export function drawSharedSteps(stream: Stream, user: string, count: number, table?: string): readonly SharedStep[] {
  const steps: SharedStep[] = [{ operation: "create", batch: "" }];
  const batches: string[] = [];
  for (let index = 0; index < count; index++) {
    const drawn = stream.pick(["insert", "insert", "insert", "update", "update", "merge", "delete", "read", "read", "read"] as const);
    const operation = batches.length === 0 && drawn !== "read" ? "insert" : drawn;
    const batch = operation === "insert" ? `${user}-${index}` : operation === "read" ? "" : stream.pick(batches);
    if (operation === "insert") {
      batches.push(batch);
    }
    steps.push({ operation, batch });
  }
  const all: readonly SharedStep[] = [...steps, { operation: "read", batch: "" }];
  return table === undefined ? all : all.map((step) => ({ ...step, table }));
}
