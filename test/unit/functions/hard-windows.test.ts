/**
 * Window functions and aggregates over frames of one partition, and UNNEST: what is done between two turns is bounded in rows.
 * `npm run bench -- functions` has the times.
 */
import { expect, it } from "vitest";
import { hardWindows, runHardUnnest, runHardWindow } from "../../support/functions/hard-windows.ts";
import { makeBench } from "../execution/kernels.ts";

const rows = 2_048;
const memoryBytes = 256 * 1024 * 1024;
/** Rows of a turn where a row may copy or fold a state of any size. */
const rowsOfLargeStates = 16;
const pageRows = 16_384;
const repetitions = 100_000;
const large = /^(array_agg|approx_distinct|min\(varchar|max_by)/;

it("yields after few rows where states have any size", () => {
  const bench = makeBench("wasm", {}, memoryBytes);
  const failures: string[] = [];
  for (const [name, window] of hardWindows()) {
    let turns = 0;
    const error = runHardWindow(bench, window, rows, () => {
      turns++;
    });
    if (error !== undefined || turns < (large.test(name) ? rows / rowsOfLargeStates : 1)) {
      failures.push(`${name}: ${turns} turns, ${error ?? "no error"}`);
    }
  }
  expect(failures).toEqual([]);
  expect(bench.root.reservedBytes).toBe(0);
});

it("yields after each page of repeated rows", () => {
  const bench = makeBench("wasm");
  let turns = 0;
  runHardUnnest(bench, repetitions, () => {
    turns++;
  });
  expect(turns).toBeGreaterThanOrEqual((2 * repetitions) / pageRows);
});
