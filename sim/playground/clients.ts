/**
 * The clients of the playground: the real statement client over the simulated network. A client runs one statement at a time, so that a
 * lane shows one at a time; a second client begins when the first is busy. All of them share one session, as the tabs of a person do.
 */
import { ClientError } from "../../src/client/requester.ts";
import { type ClientSession, clientSession } from "../../src/client/session.ts";
import { StatementClient, type StatementRun } from "../../src/client/statement-client.ts";
import { NetworkError } from "../../src/ports/network.ts";
import { statementRanges } from "../../src/sql/statement-ranges.ts";
import { formatValue } from "./values.ts";
import type { Cluster } from "../cluster.ts";
import { SimulatedClock } from "../world/clock.ts";
import { SimulatedNetwork } from "../world/network.ts";
import { Incarnation, type World } from "../world/world.ts";

export interface StatementFailure {
  /** For example `REMOTE_TASK_ERROR`; empty if the client got no answer. */
  readonly errorName: string;
  readonly errorCode: number;
  readonly errorType: string;
  readonly message: string;
  /** Counts from 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** A statement as the page shows it; plain data. */
export interface ShownStatement {
  /** Ordinal of the statement in the run, from 1. */
  readonly number: number;
  readonly client: string;
  readonly sql: string;
  readonly queryId: string;
  /** The state that the last document told; `CANCELED` and `UNANSWERED` are the client's own. */
  readonly state: string;
  readonly isOver: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The first rows as text; NULL is null. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly rowCount: number;
  readonly updateType: string;
  readonly failure: StatementFailure | undefined;
  readonly fromNanos: number;
  readonly toNanos: number;
}

const shownRowsMax = 200;
const requestTimeoutMs = 10_000;
const pollRetryMsMax = 20_000;

export class Clients {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #server: string;
  readonly #onStatement: (statement: ShownStatement) => void;
  #session: ClientSession;
  /** Running statement by client; undefined between two statements of a script. */
  readonly #busy = new Map<string, StatementRun | undefined>();
  #count = 0;
  #open = 0;

  constructor(options: {
    readonly world: World;
    readonly cluster: Cluster;
    readonly coordinator: string;
    readonly onStatement: (statement: ShownStatement) => void;
  }) {
    this.#world = options.world;
    this.#cluster = options.cluster;
    this.#server = SimulatedNetwork.uriOf(options.coordinator);
    this.#onStatement = options.onStatement;
    this.#session = clientSession("you", { source: "playground", catalog: "tpch", schema: "tiny" });
  }

  /** Number of scripts that run. */
  get open(): number {
    return this.#open;
  }

  run(script: string): void {
    const name = this.#freeName();
    this.#busy.set(name, undefined);
    this.#open++;
    this.#runAll(name, script).then(
      () => {
        this.#open--;
        this.#busy.delete(name);
      },
      (error: unknown) => {
        this.#world.failure ??= error instanceof Error ? error : new Error(String(error));
      },
    );
  }

  cancel(client: string): void {
    void this.#busy.get(client)?.cancel();
  }

  #freeName(): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? "you" : `you${number}`;
      if (!this.#busy.has(name)) {
        return name;
      }
    }
  }

  async #runAll(name: string, script: string): Promise<void> {
    for (const { from, to } of statementRanges(script)) {
      if (!(await this.#runOne(name, script.slice(from, to)))) {
        return;
      }
    }
  }

  /** Returns whether it finished. */
  async #runOne(name: string, sql: string): Promise<boolean> {
    const world = this.#world;
    const incarnation = new Incarnation(name, 1);
    const clock = new SimulatedClock(world, incarnation, { offsetMs: zero, driftPpm: zero, nanosPerWorkUnit: 0, slowness: () => 1 });
    const network = this.#cluster.network.attach(incarnation);
    const client = new StatementClient({
      network,
      clock,
      server: this.#server,
      session: this.#session,
      requestTimeoutMs,
      submitTimeoutMs: requestTimeoutMs,
      pollRetryMsMax,
    });
    world.note(name, "submit", sql);
    const run = client.submit(sql);
    this.#busy.set(name, run);
    const shown = new Shown({ number: ++this.#count, client: name, sql, fromNanos: world.nowNanos });
    this.#onStatement(shown.of(run, world.nowNanos));
    let unanswered: string | undefined;
    try {
      while (await run.advance()) {
        shown.take(run);
        this.#onStatement(shown.of(run, world.nowNanos));
      }
    } catch (error) {
      if (!(error instanceof ClientError) && !(error instanceof NetworkError)) {
        throw error;
      }
      unanswered = error.message;
    }
    this.#session = client.session;
    this.#busy.set(name, undefined);
    const last = shown.of(run, world.nowNanos, { unanswered });
    world.note(name, "end", endingOf(last));
    this.#onStatement(last);
    return run.state === "FINISHED";
  }
}

function zero(): number {
  return 0;
}

function endingOf({ failure, state, rowCount }: ShownStatement): string {
  if (failure !== undefined) {
    return failure.errorName === "" ? `unanswered: ${failure.message}` : `${failure.errorName} ${failure.message}`;
  }
  return state === "CANCELED" ? "canceled" : `${rowCount} rows`;
}

/** Gathers what the documents of one statement tell. */
class Shown {
  readonly #facts: Pick<ShownStatement, "number" | "client" | "sql" | "fromNanos">;
  readonly #rows: (readonly (string | null)[])[] = [];
  #rowCount = 0;

  constructor(facts: Pick<ShownStatement, "number" | "client" | "sql" | "fromNanos">) {
    this.#facts = facts;
  }

  take({ rows }: StatementRun): void {
    this.#rowCount += rows.length;
    for (const row of rows.slice(0, Math.max(0, shownRowsMax - this.#rows.length))) {
      this.#rows.push(row.map(formatValue));
    }
  }

  of(run: StatementRun, nowNanos: number, ended?: { readonly unanswered: string | undefined }): ShownStatement {
    const { results, columns = [] } = run;
    const isOver = ended !== undefined;
    const state = ended?.unanswered === undefined ? (results?.stats.state ?? "SUBMITTED") : "UNANSWERED";
    return {
      ...this.#facts,
      queryId: run.queryId ?? "",
      state: isOver && run.state === "CANCELED" ? "CANCELED" : state,
      isOver,
      columns: columns.map(({ name, type }) => ({ name, type })),
      rows: [...this.#rows],
      rowCount: this.#rowCount,
      updateType: results?.updateType ?? "",
      failure: failureOf(run, ended?.unanswered),
      toNanos: nowNanos,
    };
  }
}

function failureOf({ error }: StatementRun, unanswered: string | undefined): StatementFailure | undefined {
  if (unanswered !== undefined) {
    return { errorName: "", errorCode: 0, errorType: "", message: unanswered, line: undefined, column: undefined };
  }
  if (error === undefined) {
    return undefined;
  }
  const { errorName, errorCode, errorType, message, errorLocation } = error;
  return { errorName, errorCode, errorType, message, line: errorLocation?.lineNumber, column: errorLocation?.columnNumber };
}
