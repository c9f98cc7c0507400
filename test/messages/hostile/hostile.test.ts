/**
 * Every way to an error, with values of every type (statements.ts): failures have readable messages and the code of a user error, and the
 * node stays alive. `HOSTILE_SEED=7 HOSTILE_ROUNDS=20 npx vitest run test/messages/hostile` runs twenty times as many statements with
 * another seed. Half of the statements that are drawn for the same way run, in turn; all of them with ORRERY_TEST_ALL=1.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectorFactories } from "../../../src/connectors/registry.ts";
import { errorCatalogue, type ErrorName } from "../../../src/protocol/errors.ts";
import { Random } from "../../oracle/fuzz/random.ts";
import { DirectCluster, type StatementOutcome } from "../../unit/coordinator/direct-cluster.ts";
import { isInTurn } from "../../support/programs/rotation.ts";
import { unlikeMessage } from "../shape.ts";
import { families } from "./statements.ts";

const seed = Number(process.env["HOSTILE_SEED"] ?? "1");
const more = Number(process.env["HOSTILE_ROUNDS"] ?? "1");

let cluster: DirectCluster;

beforeAll(async () => {
  cluster = await DirectCluster.start({
    workerCount: 0,
    factories: connectorFactories,
    catalogs: [{ name: "memory", properties: { "connector.name": "memory" } }],
  });
  await cluster.rows("CREATE TABLE memory.default.target (a bigint, b varchar(5))");
});

afterAll(() => cluster.close());

/** What is wrong with the answer; undefined if nothing is. */
function fault(sql: string, { error }: StatementOutcome): string | undefined {
  if (error === undefined) {
    return undefined;
  }
  const { errorName, message } = error;
  const { type } = errorCatalogue[errorName as ErrorName];
  const isUserError = type === "USER_ERROR" || errorName === "EXCEEDED_LOCAL_MEMORY_LIMIT";
  const wrong = isUserError ? unlikeMessage(message, sql) : "is no error of a user";
  return wrong === undefined ? undefined : `${sql}\n  ${errorName} ${message}\n  ${wrong}`;
}

describe.each(families.map((family, index) => [family.name, family, index] as const))("%s", (_name, { makers, rounds }, stream) => {
  test("fail in words for people", async () => {
    const faults: string[] = [];
    let failed = 0;
    for (const [at, make] of makers.entries()) {
      for (let round = 0; round < rounds * more; round++) {
        if (rounds > 1 && more === 1 && !isInTurn(at + round)) {
          continue;
        }
        const sql = make(new Random(seed * families.length + stream, at * 10_000 + round));
        const outcome = await cluster.run(sql, { "x-engine-client-capabilities": "PARAMETRIC_DATETIME" });
        failed += outcome.error === undefined ? 0 : 1;
        const wrong = fault(sql, outcome);
        if (wrong !== undefined) {
          faults.push(wrong);
        }
        if (outcome.error === undefined && sql.startsWith("CREATE TABLE")) {
          await cluster.rows(sql.replace(/^CREATE TABLE (?:IF NOT EXISTS )?(\S+).*$/s, "DROP TABLE $1"));
        }
      }
    }
    expect(faults.slice(0, 20).join("\n")).toBe("");
    // The test is meaningful only if many statements fail.
    expect(failed).toBeGreaterThan((makers.length * rounds) / 20);
  });
});

test("the node lives on, and nothing of it was unexpected", async () => {
  await cluster.quiet();
  expect(cluster.warnings).toEqual([]);
  expect(Object.values(cluster.coordinator.leftovers()).every((left) => left === 0)).toBe(true);
  expect(await cluster.rows("SELECT sum(x), array_agg(upper(y)) FROM (VALUES (1, 'a'), (2, 'b')) t (x, y)")).toEqual([[3, ["A", "B"]]]);
});
