/** Planted violations of the model of turns to be planned and started. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { startTurns, TurnBook } from "../../../../../sim/checkers/models/query/start-turns.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { nanosPerMs } from "../../../../../sim/world/world.ts";
import { FabricatedRun } from "../fabricated.ts";

const knobs = { "starting-queries": 2, "start-turn-ms": 100 };

const placeOf = (number: number, of: number): string => `Waiting to be planned: number ${number} of ${of} queries that have a slot`;

/** A run in which the list of queries always has these rows. */
function listing(rows: readonly { readonly queryId: string; readonly waitMessage: string }[]): FabricatedRun {
  const body = encodeUtf8(JSON.stringify([...rows, { queryId: "z", waitMessage: "Waiting for a slot: number 1 of 1 in the queue" }]));
  const coordinator = { handle: () => Promise.resolve({ status: 200, headers: {}, body }) } as unknown as ReturnType<Judged["node"]>;
  return new FabricatedRun(startTurns, { knobs }, { node: () => coordinator });
}

/** These queries wait for their turns, in this order. */
function waiting(...ids: readonly string[]): FabricatedRun {
  return listing(ids.map((queryId, index) => ({ queryId, waitMessage: placeOf(index + 1, ids.length) })));
}

const starts = (run: FabricatedRun, ms: number, id: string, from = "QUEUED"): FabricatedRun =>
  run.transition(ms, "query", id, `${from} -> PLANNING`);
const ends = (run: FabricatedRun, ms: number, id: string): FabricatedRun => run.transition(ms, "query", id, "RUNNING -> FINISHED");

async function looks(run: FabricatedRun, ms: number): Promise<FabricatedRun> {
  run.look(ms);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return run;
}

describe("the model of turns", () => {
  it("lets a query start when another one has ended, or after its time", () => {
    const run = starts(starts(waiting(), 1, "a"), 2, "b");
    ends(run, 3, "a");
    starts(starts(run, 3, "c"), 102, "d");
    expect(run.said).toEqual([]);
    expect(run.held).toBe(8);
  });

  it("reports a query that starts although all turns are taken, but not in a new life", () => {
    const run = starts(starts(starts(waiting(), 1, "a"), 2, "b"), 100, "c");
    expect(run.said).toEqual(["start-turns: c is the 3th query that is planned and started now, and 2 may"]);
    run.note(101, "c", "start", "life 2");
    expect(starts(run, 102, "d").said.length).toBe(1);
  });

  it("lets queries wait while all turns are taken, and have them in order", async () => {
    const run = await looks(starts(starts(waiting("c", "d", "e"), 1, "a"), 2, "b"), 50);
    run.transition(60, "query", "c", "QUEUED -> FAILED");
    expect(starts(starts(run, 101, "d"), 102, "e").said).toEqual([]);
  });

  it("reports a query that has its turn before another one, unless that waits for workers", async () => {
    const run = await looks(starts(starts(waiting("c", "d", "e"), 1, "a"), 2, "b"), 50);
    run.transition(60, "query", "c", "QUEUED -> WAITING_FOR_RESOURCES");
    expect(starts(run, 101, "e").said).toEqual(["start-turns: e has its turn before d, which was ahead of it"]);
  });

  it("reports a query that waits although a turn is free, and not when the coordinator was delayed", async () => {
    const taken = (): FabricatedRun => ends(starts(starts(waiting("c"), 1, "a"), 2, "b"), 3, "a");
    expect((await looks(taken(), 7)).said).toEqual([]);
    expect((await looks(taken(), 9)).said).toEqual(["start-turns: c waits for a turn although one of 2 is free"]);
    expect((await looks(taken().note(4, "world", "fault", "pause c"), 9)).said).toEqual([]);
  });

  it("reports two queries in one place, and a place beyond the last", async () => {
    const taken = (run: FabricatedRun): FabricatedRun => starts(starts(run, 1, "a"), 2, "b");
    const places = (...numbers: readonly (readonly [number: number, of: number])[]): FabricatedRun =>
      listing(numbers.map(([number, of], index) => ({ queryId: `q${index}`, waitMessage: placeOf(number, of) })));
    expect((await looks(taken(places([1, 2], [2, 2])), 50)).said).toEqual([]);
    expect((await looks(taken(places([1, 2], [1, 2])), 50)).said).toEqual([
      "start-turns: q0 is number 1 of 2 queries that wait for a turn",
    ]);
    expect((await looks(taken(places([3, 2])), 50)).said).toEqual(["start-turns: q0 is number 3 of 2 queries that wait for a turn"]);
  });
});

describe("the book of turns", () => {
  it("says for how long a query can have waited: since all turns have been taken", () => {
    let ms = 0;
    const book = new TurnBook({ knobs }, () => ms * nanosPerMs);
    const at = (now: number): TurnBook => {
      ms = now;
      return book;
    };
    at(10).became("a", "PLANNING");
    expect([at(11).hasFree, at(50).waitNanosMax]).toEqual([true, 0]);
    at(60).became("b", "PLANNING");
    expect([at(61).hasFree, at(100).waitNanosMax]).toEqual([false, 40 * nanosPerMs]);
    // The turn of a is over, and c has it at once.
    at(110).became("c", "PLANNING");
    expect(at(140).waitNanosMax).toBe(80 * nanosPerMs);
    // Those of b and c are over, and nobody takes them for a while.
    expect([at(164).hasFree, at(166).hasFree, at(240).waitNanosMax]).toEqual([false, true, 0]);
    at(240).became("d", "PLANNING");
    at(250).became("e", "PLANNING");
    expect(at(260).waitNanosMax).toBe(10 * nanosPerMs);
    at(261).became("e", "FAILED");
    expect([at(265).hasFree, at(267).hasFree]).toEqual([false, true]);
    book.forget();
    expect([book.isFilled, book.count]).toEqual([false, 0]);
  });
});
