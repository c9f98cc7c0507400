/**
 * A model of one contract: an independent program that is written from the interface and the documents, not from the engine's code. It
 * receives what crosses the network and says for every step what may follow. A step that may not follow is a violation.
 */
import type { OrreryNode } from "../../../src/node.ts";
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import type { PlannedStatement, RunPlan } from "../../plan.ts";
import type { Ending } from "../../user.ts";
import type { Facts } from "../facts.ts";
import type { Observed } from "../protocol/wire.ts";
import type { FailureKind, Invariant } from "../violation.ts";

/** A note of the world, for example `request` with the detail `m17 c>w1 task-update POST /v1/task/T`. */
export interface Note {
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
  readonly nowNanos: number;
}

/** A state transition inside a node. */
export interface Transition {
  readonly place: string;
  readonly incarnation: number;
  /** `query`, `stage` or `task`. */
  readonly kind: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly nowNanos: number;
}

/** A response as its client receives it, after the network. */
export interface ClientAnswer {
  readonly user: string;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly nowNanos: number;
}

/** The end of a statement, as its user had it. */
export interface StatementEnd {
  readonly user: string;
  readonly statement: PlannedStatement;
  readonly ending: Ending;
  readonly nowNanos: number;
}

export interface Model {
  /** Kinds of notes that the model receives. Notes are many, so a model names the few that it needs. */
  readonly notes?: readonly string[];
  note?(note: Note): void;
  /** Receives every response where it is produced, before the network applies a fate to it. */
  observe?(answer: Observed): void;
  observeClient?(answer: ClientAnswer): void;
  observeTransition?(transition: Transition): void;
  endStatement?(end: StatementEnd): void;
  /** Called every few responses, to inspect the accounts of the nodes. */
  look?(): void;
  /** Called after a run without violations. */
  end?(): void;
}

/** What a model may know of the run. */
export interface ModelContext {
  readonly plan: RunPlan;
  readonly facts: Facts;
  readonly nowNanos: () => number;
  /** Time of the monotonic clock at a place, in its own nanoseconds since the start of its incarnation. Users have the world's clock. */
  readonly localNanos: (place: string) => number;
  /** Paths of the files on a place's disk. */
  readonly files: (place: string) => readonly string[];
  /** Content of a file on a place's disk, as a process there would read it now. Not a copy. */
  readonly fileBytes: (place: string, path: string) => Uint8Array | undefined;
  /** The node that currently runs at a place, for its accounts. */
  readonly node: (place: string) => OrreryNode | undefined;
  /** Whether a fault has started, or the links have lost or reset a message. */
  readonly troubled: () => boolean;
}

/** Context of one model: its verdicts carry the name of its invariant. */
export interface Judged extends ModelContext {
  /** Counts a rule that holds; otherwise reports a violation of the model's invariant. */
  readonly check: (holds: boolean, sentence: () => string, kind?: FailureKind) => void;
}

export interface ModelKind {
  readonly invariant: Invariant;
  readonly create: (context: Judged) => Model;
}
