/** SIGKILL of worker processes while statements run: a small form of `npm run bench -- kills`. */
import { expect, it } from "vitest";
import { disturb } from "../../bench/kills/kills.ts";

it("a worker process that is killed costs its queries time and no rows", { timeout: 300_000 }, async () => {
  const kills = await disturb({
    what: "worker",
    tries: 3,
    scale: "0.05",
    seed: 3,
    policy: "QUERY",
    statements: ["join", "sort", "stream"],
  });
  expect(kills.map(({ detail, outcome, statement }) => [statement, outcome, detail])).toEqual([
    ["join", "exact", ""],
    ["sort", "exact", ""],
    ["stream", "exact", ""],
  ]);
});
