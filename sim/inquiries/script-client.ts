/**
 * Runs a script over HTTP, with a transaction as its headers say. A statement that ends with a user's error must end with one that its step
 * allows; one that has rows must be allowed to. Errors of the cluster are left to the other oracles.
 */
import { type Clock, sleep } from "../../src/ports/clock.ts";
import { type HttpResponse, type Network, NetworkError } from "../../src/ports/network.ts";
import { parseJson } from "../../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import { workloadSchema } from "../workload/tables.ts";
import type { Script, ScriptStep } from "./scripts.ts";

export interface ScriptClientOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly server: string;
  readonly user: string;
  onAnswer(question: string, end: number | string, allowed: readonly (number | string)[]): void;
}

const pollsMax = 400;
const retryMs = 500;
const refusalsMax = 20;
const refusedStatus = 503;
const sqlShownMax = 120;

interface Document {
  readonly id?: string;
  readonly nextUri?: string;
  readonly error?: { readonly errorName: string; readonly errorType: string };
}

export class ScriptClient {
  readonly #options: ScriptClientOptions;
  #transaction = "NONE";
  /** An error of the cluster has aborted the transaction, and each further statement in it is told so. */
  #isAborted = false;
  /** Id of the query before. */
  #last = "20200101_000000_00000_zzzzz";

  constructor(options: ScriptClientOptions) {
    this.#options = options;
  }

  /** Resolves after the last statement, or when the coordinator gave no answer for one of them. */
  async run(script: Script): Promise<void> {
    for (const step of script.steps) {
      if (!(await this.#statement(script, step))) {
        return;
      }
    }
  }

  /** A submission that is refused was not executed, and is repeated. */
  async #submit(script: Script, step: ScriptStep): Promise<HttpResponse | undefined> {
    const request = { headers: this.#headers(script, step), body: step.sql.replace("{last}", this.#last) };
    for (let refusals = 0; ; refusals++) {
      const response = await this.#send("POST", `${this.#options.server}/v1/statement`, request);
      if (response?.status !== refusedStatus || refusals >= refusalsMax) {
        return response;
      }
      await sleep(this.#options.clock, "user-pause", retryMs);
    }
  }

  /** Returns false if the statements that follow cannot mean what the script expects. */
  async #statement(script: Script, step: ScriptStep): Promise<boolean> {
    let response = await this.#submit(script, step);
    let polls = 0;
    let document: Document = {};
    for (;;) {
      if (response === undefined || (response.status === refusedStatus && document.nextUri === undefined)) {
        return false;
      }
      if (response.status === refusedStatus) {
        await sleep(this.#options.clock, "user-pause", retryMs);
      } else if (response.status !== 200) {
        // The query's id lets the probes' oracle excuse a query that was forgotten while its client waited for an answer.
        const question = `the statement ${step.sql.slice(0, sqlShownMax)} of /v1/statement/${document.id ?? ""}`;
        this.#options.onAnswer(question, response.status, step.ends);
        return false;
      } else {
        document = parseJson(decodeUtf8(response.body)) as Document;
        this.#learn(script, response);
      }
      if (polls === 0) {
        await this.#afterSubmission(step, document);
      }
      if (document.nextUri === undefined || polls++ > pollsMax) {
        break;
      }
      response = await this.#send("GET", document.nextUri, { headers: {}, body: "" });
    }
    if (document.id !== undefined) {
      this.#last = document.id;
      this.#told(step, document.error === undefined ? "rows" : endOf(document.error));
    }
    return !step.sql.startsWith("START TRANSACTION") || this.#transaction !== "NONE";
  }

  async #afterSubmission({ then = [] }: ScriptStep, { id = "", nextUri = "" }: Document): Promise<void> {
    const slug = /slug=([^&]*)/.exec(nextUri)?.[1] ?? "";
    for (const { method, path, body = "" } of then) {
      const filled = path.replace("{id}", id).replace("{slug}", slug).replace("{last}", this.#last);
      await this.#send(method, `${this.#options.server}${filled}`, { headers: {}, body });
    }
  }

  #headers({ family, headers = {} }: Script, step: ScriptStep): Readonly<Record<string, string>> {
    const { user } = this.#options;
    const given = {
      user,
      catalog: "tpch",
      schema: workloadSchema,
      source: "simulator",
      "transaction-id": this.#transaction,
      ...headers,
      ...step.headers,
    };
    return Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        value === "" ? [] : [[name === "traceparent" ? name : `x-${family}-${name}`, value]],
      ),
    );
  }

  /** The client's transaction, as the response says. */
  #learn({ family }: Script, { headers }: HttpResponse): void {
    const started = headers[`x-${family}-started-transaction-id`];
    if (started !== undefined) {
      this.#transaction = String(started);
      this.#isAborted = false;
    } else if (headers[`x-${family}-clear-transaction-id`] !== undefined) {
      this.#transaction = "NONE";
    }
  }

  #told({ sql, ends }: ScriptStep, end: string): void {
    const isOfTheCluster = end.startsWith("cluster:");
    const allowed = this.#isAborted ? [...ends, "TRANSACTION_ALREADY_ABORTED"] : ends;
    this.#isAborted ||= isOfTheCluster && this.#transaction !== "NONE";
    this.#options.onAnswer(`the statement ${sql.slice(0, sqlShownMax)}`, end, isOfTheCluster ? [end] : allowed);
  }

  async #send(
    method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD",
    url: string,
    { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  ): Promise<HttpResponse | undefined> {
    try {
      return await this.#options.network.request(
        { method, url, headers, body: encodeUtf8(body) },
        { timeoutMs: 30_000, label: "scripted" },
      );
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
      return undefined;
    }
  }
}

function endOf({ errorName, errorType }: NonNullable<Document["error"]>): string {
  return errorType === "USER_ERROR" ? errorName : `cluster:${errorName}`;
}
