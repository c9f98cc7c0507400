/**
 * Generated row patterns over a few rows, in MATCH_RECOGNIZE and in windows, against the reference.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../../support/loopback-cluster.ts";
import { Asker } from "../../support/service.ts";
import { matchRecognizes, windowPatterns } from "./generator.ts";
import { recognize, recognizeWindow, Refused, TooLong, type Value } from "./reference.ts";

const numRuns = Number(process.env["PATTERN_RUNS"] ?? 200);

for (const backend of ["wasm", "interpreter"]) {
  describe(`row patterns (${backend})`, () => {
    let cluster: LoopbackCluster;
    let engine: Asker;
    beforeAll(async () => {
      cluster = await startLoopbackCluster({ properties: { "node.kernel-backend": backend } });
      engine = new Asker(cluster, { "x-engine-user": "oracle", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" });
    });
    afterAll(() => cluster.stop());

    async function expectRows(sql: string, reference: () => readonly (readonly Value[])[]): Promise<void> {
      let expected: readonly (readonly Value[])[] | string;
      try {
        expected = reference();
      } catch (error) {
        fc.pre(!(error instanceof TooLong));
        if (!(error instanceof Refused)) {
          throw error;
        }
        expected = error.message;
      }
      const responses = await engine.chain(sql);
      const failure = responses.at(-1)?.["error"] as { message: string } | undefined;
      if (typeof expected === "string") {
        expect(failure?.message, sql).toBe(expected);
        return;
      }
      expect(failure?.message, sql).toBeUndefined();
      const rows = responses.flatMap((response) => (response["data"] ?? []) as unknown[][]);
      const sorted = (all: readonly (readonly unknown[])[]): readonly string[] =>
        all.map((row) => row.map((cell) => String(cell)).join(", ")).sort((a, b) => (a < b ? -1 : 1));
      expect(sorted(rows), sql).toEqual(sorted(expected));
    }

    it("MATCH_RECOGNIZE", async () => {
      await fc.assert(
        fc.asyncProperty(matchRecognizes, ({ recognition, rows, rowsPerMatch, sql }) =>
          expectRows(sql, () => recognize(recognition, rowsPerMatch, rows)),
        ),
        { numRuns: backend === "wasm" ? numRuns : numRuns / 10 },
      );
    });

    it("windows", async () => {
      await fc.assert(
        fc.asyncProperty(windowPatterns, ({ frame, recognition, rows, sql }) =>
          expectRows(sql, () => recognizeWindow(recognition, frame, rows)),
        ),
        { numRuns: backend === "wasm" ? numRuns : numRuns / 10 },
      );
    });
  });
}
