/**
 * The operator interface: a step of a pipeline that takes pages, outputs pages and holds its own memory. Operators know nothing of drivers,
 * tasks and time. driver.ts moves pages between them and counts.
 *
 * Lifetime of pages (page.ts): a driver asks an operator for its next page only after every downstream operator has output all results of
 * the last one. So an operator may keep its input page until its getOutput returns undefined, and its own output may refer to that page.
 */
import type { SplitSpan } from "./scan/split-spans.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import type { ExchangeInfoSnapshot, ExecutionServices, SessionFacts } from "../task/api.ts";

/** What the local planner passes to every operator. */
export interface OperatorContext {
  readonly services: ExecutionServices;
  readonly session: SessionFacts;
  readonly taskId: string;
  /** Place of the task among the tasks of its stage. The same in each attempt of a query. */
  readonly partition: number;
  readonly operatorId: number;
  readonly planNodeId: string;
  /** Presto's name: `HashBuilderOperator`. */
  readonly operatorType: string;
  /** Memory of this operator alone. The driver closes it after `close`. */
  readonly memory: MemoryContext;
  /** Called with the bytes of each spilled page. */
  readonly onSpilled?: (bytes: number) => void;
}

export interface Operator {
  readonly context: OperatorContext;
  /** False while it holds output that was not taken, is blocked, or needs no more input. */
  readonly needsInput: boolean;
  /** It outputs nothing more and needs nothing more. May become true before its input ends (LIMIT). */
  readonly isFinished: boolean;
  /** Allowed only if needsInput. The page is never empty. */
  addInput(page: Page): void;
  /** undefined: no output now. An empty page is skipped. */
  getOutput(): Page | undefined;
  /** Work since the last call beyond input and output rows, such as the comparisons of a loop without matches. About one unit a row. */
  takeWorkUnits?(): number;
  /** No more input follows. Called once. */
  finish(): void;
  /** Resolves when the operator can continue; undefined if it is not blocked. */
  blocked(): Promise<void> | undefined;
  /** Frees what is not in its memory context (requests, timers, sinks, arenas). Idempotent; may be called at any moment. */
  close(): void;
}

/** The first operator of a pipeline; it has no input. */
export interface SourceOperator extends Operator {
  /** Bytes and rows read at the source, before filtering. */
  readonly rawInputBytes: number;
  readonly rawInputPositions: number;
  /** Number of splits started and completed, if it reads splits. */
  readonly splitsStarted?: number;
  readonly splitsCompleted?: number;
  /** When some of the splits began and ended, if it reads splits. */
  readonly splitSpans?: readonly SplitSpan[];
  /** Number of rows read that a dynamic filter dropped, if there is one. */
  readonly dynamicFilteredPositions?: number | undefined;
  exchangeInfo?(): ExchangeInfoSnapshot;
}

/** Flags common to nearly all operators. */
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

/** Seed from the stage, the task's partition and the plan node. The query id is not part of it, because it differs in every run. */
export function seedOf({ taskId, partition, planNodeId }: OperatorContext): bigint {
  const place = `${taskId.split(".")[1] ?? ""}.${partition}.${planNodeId}`;
  let seed = 0n;
  for (let index = 0; index < place.length; index++) {
    seed = BigInt.asUintN(64, (seed ^ BigInt(place.charCodeAt(index))) * seedFactor);
  }
  return seed;
}
