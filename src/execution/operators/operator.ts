/**
 * What an operator is: a step of a pipeline that takes pages, gives pages and holds memory of its own. Operators know nothing of drivers, tasks and
 * time; driver.ts moves pages between them and counts.
 *
 * Life time of pages (page.ts): a driver asks an operator for its next page only after everything downstream has handed out all it makes of the last
 * one. So an operator may keep the page it was given until its getOutput returns undefined, and its own output may refer to it.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import type { ExchangeInfoSnapshot, ExecutionServices, SessionFacts } from "../task/api.ts";

/** What a local planner gives to every operator it makes. */
export interface OperatorContext {
  readonly services: ExecutionServices;
  readonly session: SessionFacts;
  readonly taskId: string;
  readonly operatorId: number;
  readonly planNodeId: string;
  /** Presto's name: `HashBuilderOperator`. */
  readonly operatorType: string;
  /** Charged to this operator alone; the driver closes it after `close`. */
  readonly memory: MemoryContext;
}

export interface Operator {
  readonly context: OperatorContext;
  /** False while it holds output that was not taken, waits, or wants no more. */
  readonly needsInput: boolean;
  /** Gives nothing more and wants nothing more. May become true before its input ends (LIMIT). */
  readonly isFinished: boolean;
  /** Only when needsInput. The page is never empty. */
  addInput(page: Page): void;
  /** undefined: nothing now. An empty page is skipped. */
  getOutput(): Page | undefined;
  /** Work done since it was last asked, beyond the rows that it takes and gives: comparisons of a loop that finds nothing. About one unit a row. */
  takeWorkUnits?(): number;
  /** No more input follows. Called once. */
  finish(): void;
  /** Resolves when it can go on; undefined when it does not wait. */
  blocked(): Promise<void> | undefined;
  /** Frees what is not in its memory context (requests, timers, sinks, arenas). Idempotent, callable at any moment. */
  close(): void;
}

/** A first operator of a pipeline: has no input. */
export interface SourceOperator extends Operator {
  /** Bytes and rows read at the source, before filtering. */
  readonly rawInputBytes: number;
  readonly rawInputPositions: number;
  /** Splits begun and ended, when it reads splits. */
  readonly splitsStarted?: number;
  readonly splitsCompleted?: number;
  /** Rows read that a dynamic filter left out, when it has one. */
  readonly dynamicFilteredPositions?: number | undefined;
  exchangeInfo?(): ExchangeInfoSnapshot;
}

/** The flags that nearly every operator shares. */
export abstract class BaseOperator implements Operator {
  protected finishing = false;

  constructor(readonly context: OperatorContext) {}

  abstract readonly needsInput: boolean;
  abstract readonly isFinished: boolean;
  abstract addInput(page: Page): void;
  abstract getOutput(): Page | undefined;

  finish(): void {
    this.finishing = true;
  }

  blocked(): Promise<void> | undefined {
    return undefined;
  }

  close(): void {}
}

const seedFactor = 0xbf58476d1ce4e5b9n;

/** Of the stage, the task's number in it and the plan node: not of the query, whose id is another every time. */
export function seedOf({ taskId, planNodeId }: OperatorContext): bigint {
  const place = `${taskId.split(".").slice(1, 3).join(".")}.${planNodeId}`;
  let seed = 0n;
  for (let index = 0; index < place.length; index++) {
    seed = BigInt.asUintN(64, (seed ^ BigInt(place.charCodeAt(index))) * seedFactor);
  }
  return seed;
}
