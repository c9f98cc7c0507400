/**
 * Random commands against a simulated cluster: submit, poll, poll again, cancel, delete a task, crash, heal, let time pass.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sabotage } from "../../../sim/world/network.ts";
import { SharedState } from "../../../sim/shared.ts";
import { parseJson } from "../../../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";
import { Asker } from "../../support/service.ts";
import { startSimulatedService } from "../../support/simulated-service.ts";
import { comesToRest, commands, type Model, type Question, sortedRows } from "./model.ts";

const shared = new SharedState();
/** `ORRERY_MODEL=seed:count` changes the seed and the number of runs. */
const [seed = 3, numRuns = 20] = (process.env["ORRERY_MODEL"] ?? "3:20").split(":").map(Number);
const clientTimeoutMs = 30_000;
const properties = { "query.client.timeout": "30s", "sink.max-buffer-size": "16kB" };

const statements = [
  "SELECT 1",
  "SELECT name, regionkey FROM nation",
  "SELECT orderpriority, count(*), sum(totalprice) FROM orders GROUP BY orderpriority",
  "SELECT c.nationkey, count(*) FROM customer c JOIN orders o ON c.custkey = o.custkey GROUP BY c.nationkey",
  "SELECT orderkey, linenumber, shipinstruct FROM lineitem",
] as const;

let questions: readonly Question[];

beforeAll(async () => {
  const service = await startSimulatedService("model-reference", { shared, doubles: "DECIMAL" });
  const asker = new Asker(service, { "x-presto-user": "model", "x-presto-catalog": "tpch", "x-presto-schema": "sf0.0028" });
  const found: Question[] = [];
  for (const sql of statements) {
    found.push({ sql, rows: sortedRows(await asker.rows(sql)) });
  }
  await service.stop();
  questions = found;
});

/** Runs the property; returns the shrunk failure, if any. */
async function check(options: {
  readonly numRuns: number;
  readonly seed: number;
  readonly sabotage?: Sabotage;
}): Promise<fc.RunDetails<[Iterable<unknown>]>> {
  const { sabotage } = options;
  const details = await fc.check(
    fc.asyncProperty(commands(questions), async (list) => {
      const service = await startSimulatedService("model", {
        properties,
        shared,
        doubles: "DECIMAL",
        ...(sabotage === undefined ? {} : { sabotage }),
      });
      const subject = { service, clientTimeoutMs };
      const model: Model = { asked: [], down: new Set(), troubled: false };
      try {
        await fc.asyncModelRun(() => ({ model, real: subject }), list);
        await comesToRest(model, subject, questions[1] as Question);
      } finally {
        await service.stop();
      }
    }),
    { numRuns: options.numRuns, seed: options.seed },
  );
  return details as unknown as fc.RunDetails<[Iterable<unknown>]>;
}

function story(details: fc.RunDetails<[Iterable<unknown>]>): string {
  return details.counterexample === null ? "" : fc.stringify(details.counterexample[0]);
}

describe("a cluster under commands", () => {
  it("gives every statement its rows or a declared error, keeps its word about tokens, and comes to rest", async () => {
    const details = await check({ numRuns, seed });
    expect(details.failed ? `${story(details)}\n${String(details.errorInstance)}` : "").toBe("");
  }, 3_600_000);

  it("shrinks what a forgetful node does to a few commands", async () => {
    // The node loses the data when a token is requested a second time.
    const sabotage: Sabotage = (handler, place) => {
      const seen = new Set<string>();
      return async (request, context) => {
        const response = await handler(request, context);
        if (place !== "c" || request.method !== "GET" || response.status !== 200 || !request.url.startsWith("/v1/statement/")) {
          return response;
        }
        if (!seen.has(request.url)) {
          seen.add(request.url);
          return response;
        }
        const document = parseJson(decodeUtf8(response.body)) as Record<string, unknown>;
        delete document["stats"];
        return { ...response, body: encodeUtf8(JSON.stringify(document)) };
      };
    };
    const details = await check({ numRuns: 60, seed: 5, sabotage });
    expect(details.failed).toBe(true);
    expect(story(details)).toMatch(/^submit\([^)]*\S*.*\),poll\(0\),pollAgain\(0\)/);
    expect(story(details).split(/,(?=[a-z]+\(|heal)/).length).toBeLessThanOrEqual(4);
  });
});
