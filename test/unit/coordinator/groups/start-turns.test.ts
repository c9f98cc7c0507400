import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { knobsOf } from "../../../../src/ports/knobs.ts";
import { StartTurns } from "../../../../src/coordinator/groups/start-turns.ts";
import { ManualClock, settle } from "../../../support/manual-clock.ts";

const turnMs = 100;

class Crowd {
  readonly clock = new ManualClock();
  readonly turns: StartTurns;
  /** Queries in the order in which they had their turns, with the time. */
  readonly begun = new Map<string, number>();
  readonly ended = new Set<string>();
  #nowMs = 0;

  constructor(countMax: number) {
    this.turns = new StartTurns({ clock: this.clock, knobs: knobsOf({ "starting-queries": countMax }) });
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  enter(id: string): void {
    const began = (): void => {
      if (!this.ended.has(id)) {
        this.begun.set(id, this.#nowMs);
      }
    };
    const turn = this.turns.enter(id);
    if (turn === undefined) {
      began();
    } else {
      void turn.then(began);
    }
  }

  end(id: string): void {
    this.ended.add(id);
    this.turns.leave(id);
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed++) {
      this.#nowMs += 1;
      await this.clock.advance(1);
    }
    await settle();
  }

  /** Turns that neither an end nor time has ended. */
  get current(): readonly string[] {
    return [...this.begun].filter(([id, ms]) => !this.ended.has(id) && this.#nowMs - ms < turnMs).map(([id]) => id);
  }
}

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: "enter" as const }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("end" as const), which: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 120 }) }) },
  ),
  { maxLength: 40 },
);

describe("turns to be planned and started", () => {
  test("are few at the same time, in order, and taken as soon as one is free", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (countMax, drawn) => {
        const crowd = new Crowd(countMax);
        const entered: string[] = [];
        for (const step of drawn) {
          if (step.kind === "enter") {
            entered.push(`q${entered.length}`);
            crowd.enter(entered.at(-1) ?? "");
          } else if (step.kind === "end") {
            crowd.end(entered[step.which] ?? "never entered");
          } else {
            await crowd.pass(step.ms);
          }
          await settle();
          const waiting = entered.filter((id) => !crowd.begun.has(id) && !crowd.ended.has(id));
          expect(crowd.current.length).toBeLessThanOrEqual(countMax);
          expect(waiting.length === 0 || crowd.current.length === countMax, `${waiting} wait while ${crowd.current} begin`).toBe(true);
          expect(waiting.map((id) => crowd.turns.place(id))).toEqual(
            waiting.map((_, index) => ({ number: index + 1, of: waiting.length })),
          );
          expect([...crowd.begun.keys()]).toEqual(entered.filter((id) => crowd.begun.has(id)));
        }
        // Queries that never end keep no other from starting.
        await crowd.pass(turnMs * (entered.length + 1));
        expect(entered.filter((id) => !crowd.begun.has(id) && !crowd.ended.has(id))).toEqual([]);
        expect(crowd.clock.labels).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("a query that ends while it waits stops to wait, and takes no turn", async () => {
    const crowd = new Crowd(1);
    crowd.enter("first");
    crowd.enter("second");
    crowd.enter("third");
    crowd.end("second");
    crowd.end("first");
    await settle();
    expect([...crowd.begun.keys()]).toEqual(["first", "third"]);
  });
});
