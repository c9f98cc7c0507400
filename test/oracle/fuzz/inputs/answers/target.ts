/**
 * Statements to a cluster with catalogs of a server that answers wrongly. Each ends with rows or with an error that is declared, nobody
 * reads a password in it, and afterwards the same catalog, which may have one connection at a time, reads from the sound server what it
 * read before.
 */
import { unlikeMessage } from "../../../../messages/shape.ts";
import { ClientError, type Cluster, QueryFailedError, withCluster } from "../../../../../src/testing/index.ts";
import type { QueryRoutingDocument } from "../../../../../src/protocol/documents/query-routing.ts";
import type { Random } from "../../random.ts";
import { type Fault, type FuzzTarget, leakIn, unexpected, type Verdict } from "../target.ts";
import { type AnswerEdit, type AnswersInput, drawInput, smallerInputs } from "./edits.ts";
import { oddValues } from "./odd-values.ts";

/** The server, whatever it speaks. */
export interface AlteredServer {
  begin(edits: readonly AnswerEdit[]): void;
  /** Messages since `begin`. */
  readonly sent: number;
  readonly isIdle: boolean;
  /** Connections on which it says nothing more, and that the client has open. */
  kept?(): number;
  quiet(): Promise<void>;
  close(): Promise<void>;
}

export interface AnswersOptions {
  readonly server: AlteredServer;
  /** By their names, beside `tpch`. */
  readonly catalogs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly queryRouting?: QueryRoutingDocument;
  readonly statements: readonly string[];
  /** Texts that no error may have. */
  readonly secrets: readonly string[];
}

const nameForm = /^[A-Za-z][\w.-]*$/;
const oddTexts: ReadonlySet<string> = new Set(oddValues.map(String));
/** Of a routed statement whose cluster does not answer, not as a cluster does, or refuses it. */
const lostErrors: ReadonlySet<string> = new Set(["REMOTE_TASK_ERROR", "REMOTE_HOST_GONE", "GENERIC_USER_ERROR"]);
const closeTurns = 20;
const checkedMs = 20;
/** Times in a row at which a server must be idle. */
const idleTicksMin = 3;
/** A statement that was cancelled, and one of a sound server, must be over by then. */
const endMs = 15_000;

class AnswersTarget implements FuzzTarget<AnswersInput> {
  readonly #options: AnswersOptions;
  #cluster: Cluster | undefined;
  readonly #counts: number[] = [];
  readonly #sound: string[] = [];
  #uncaught: unknown;
  readonly #onUncaught = (error: unknown): void => {
    this.#uncaught ??= error;
  };

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  async open(): Promise<this> {
    process.on("uncaughtException", this.#onUncaught);
    process.on("unhandledRejection", this.#onUncaught);
    await this.#start();
    const { server, statements } = this.#options;
    for (const sql of statements) {
      server.begin([]);
      this.#sound.push(await this.#asked(sql, true));
      this.#counts.push(server.sent);
      await this.#quiet();
    }
    return this;
  }

  draw(random: Random): AnswersInput {
    return drawInput(random, this.#counts);
  }

  async run({ statement, edits }: AnswersInput): Promise<Verdict> {
    const { server, statements } = this.#options;
    const sql = statements[statement] as string;
    server.begin(edits);
    const verdict = await this.#judged(sql);
    await this.#quiet();
    const fault = verdict.fault ?? this.#crash() ?? (await this.#recovered(statement)) ?? (await this.#kept()) ?? this.#crash();
    if (fault !== undefined) {
      await this.#restart();
    }
    return { outcome: verdict.outcome, ...(fault !== undefined && { fault }) };
  }

  readonly smaller = smallerInputs;

  show({ statement, edits }: AnswersInput): string {
    return `${this.#options.statements[statement] ?? ""}\n${JSON.stringify(edits)}`;
  }

  async close(): Promise<void> {
    process.off("uncaughtException", this.#onUncaught);
    process.off("unhandledRejection", this.#onUncaught);
    await this.#cluster?.close();
    await this.#options.server.close();
  }

  async #start(): Promise<void> {
    const { catalogs, queryRouting } = this.#options;
    this.#cluster = await withCluster({
      workers: 0,
      http: false,
      catalogs: { ...catalogs, tpch: { "connector.name": "tpch" } },
      ...(queryRouting !== undefined && { queryRouting }),
    });
  }

  async #restart(): Promise<void> {
    await this.#cluster?.close();
    await this.#start();
  }

  /** The cluster has seen that its connections are closed. */
  async #quiet(): Promise<void> {
    await this.#options.server.quiet();
    for (let turn = 0; turn < closeTurns; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #crash(): Fault | undefined {
    const error = this.#uncaught;
    this.#uncaught = undefined;
    return error === undefined ? undefined : { kind: "crash", detail: unexpected(error).fault?.detail ?? "" };
  }

  /** The client closes connections of a silent server, at the latest after the time limits of its catalog. */
  async #kept(): Promise<Fault | undefined> {
    const { server } = this.#options;
    const end = performance.now() + endMs;
    for (let open = server.kept?.() ?? 0; open > 0; open = server.kept?.() ?? 0) {
      if (performance.now() > end) {
        return { kind: "connection kept", detail: `${open} silent connections are open` };
      }
      await new Promise((resolve) => setTimeout(resolve, checkedMs));
    }
    return undefined;
  }

  async #judged(sql: string): Promise<Verdict> {
    try {
      await this.#asked(sql);
      return { outcome: "rows" };
    } catch (error) {
      return this.#judgedError(error, this.#isRouted(sql));
    }
  }

  #isRouted(sql: string): boolean {
    return this.#options.queryRouting?.rules.some(({ catalog }) => sql.includes(`${catalog}.`)) ?? false;
  }

  #judgedError(error: unknown, isRouted: boolean): Verdict {
    if (error instanceof Cancelled) {
      return { outcome: "cancelled" };
    }
    // Rows of routed statements are passed on as they are.
    if (isRouted && error instanceof ClientError && error.kind === "BAD_ANSWER") {
      return { outcome: "rows that are none" };
    }
    if (!(error instanceof QueryFailedError)) {
      return unexpected(error);
    }
    const { errorName, errorType, message } = error;
    if (!nameForm.test(errorName)) {
      return { outcome: "no name", fault: { kind: "name of an error", detail: errorName.slice(0, 500) } };
    }
    // The cluster itself says that the statement failed.
    if (isRouted && oddTexts.has(message)) {
      return { outcome: errorName };
    }
    const fault = this.#faultIn(message);
    const isOfRouting = lostErrors.has(errorName) && message.startsWith("Cluster '");
    const isBug = !isOfRouting && (errorType === "INTERNAL_ERROR" || errorName === "GENERIC_USER_ERROR");
    return isBug
      ? { outcome: errorName, fault: { kind: errorName, detail: message.slice(0, 500) } }
      : { outcome: errorName, ...(fault !== undefined && { fault }) };
  }

  #faultIn(message: string): Fault | undefined {
    if (this.#options.secrets.some((secret) => message.includes(secret))) {
      return { kind: "secret", detail: message.slice(0, 500) };
    }
    // What the server says is not the engine's wording.
    const wrong = unlikeMessage(
      message
        .slice(0, 2000)
        .trim()
        .replaceAll(/NaN|Infinity/g, "0"),
    );
    return leakIn(message) ?? (wrong === undefined ? undefined : { kind: "message", detail: `${wrong}: ${message.slice(0, 500)}` });
  }

  /** The sound server is read as before. */
  async #recovered(statement: number): Promise<Fault | undefined> {
    const { server, statements } = this.#options;
    server.begin([]);
    try {
      const found = await this.#asked(statements[statement] as string, true);
      await this.#quiet();
      return found === this.#sound[statement] ? undefined : { kind: "other rows afterwards", detail: found.slice(0, 500) };
    } catch (error) {
      const { message, name } = error as Error;
      return { kind: "no recovery", detail: `${name}: ${message}` };
    }
  }

  /** The rows as text. A statement is cancelled when the server has nothing more to say. Rejects with Cancelled then. */
  async #asked(sql: string, isSound = false): Promise<string> {
    const cancel = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // A sound server is waited for.
      let cancelledMs = isSound ? performance.now() : undefined;
      // A process that was busy for a while finds its server idle first, and then what has come meanwhile.
      let idleTicks = 0;
      timer = setInterval(() => {
        idleTicks = this.#options.server.isIdle ? idleTicks + 1 : 0;
        if (cancelledMs === undefined && idleTicks >= idleTicksMin) {
          cancelledMs = performance.now();
          cancel.abort(new Cancelled());
        } else if (cancelledMs !== undefined && performance.now() - cancelledMs > endMs) {
          reject(new Error(isSound ? "the statement does not end" : "the statement does not end when it is cancelled"));
        }
      }, checkedMs);
    });
    try {
      const asked = (this.#cluster as Cluster).query(sql, { signal: cancel.signal });
      const { columns, rows } = await Promise.race([asked, late]);
      return `${columns.map(({ type }) => type).join()}\n${rows.map((row) => row.map(String).join()).join("\n")}`;
    } finally {
      clearInterval(timer);
    }
  }
}

class Cancelled extends Error {
  override readonly name = "Cancelled";
}

export async function openAnswers(options: AnswersOptions): Promise<FuzzTarget<AnswersInput>> {
  return new AnswersTarget(options).open();
}
