/**
 * A simulated user: the real statement client over the simulated network, behaving as drawn. Whatever it does to a query, the rows it gets are held
 * against the reference.
 */
import { ClientError } from "../src/client/requester.ts";
import { clientSession } from "../src/client/session.ts";
import { StatementClient, type StatementRun } from "../src/client/statement-client.ts";
import type { Clock } from "../src/ports/clock.ts";
import { sleep } from "../src/ports/clock.ts";
import { type HttpRequest, type HttpResponse, type Network, NetworkError, type RequestOptions } from "../src/ports/network.ts";
import type { Behaviour, PlannedStatement, PlannedUser } from "./plan.ts";
import { nanosPerMs } from "./kernel/world.ts";
import type { Outcome } from "./oracles/results.ts";

/** What became of a statement. */
export type Ending =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "canceled" }
  | { readonly kind: "vanished" }
  | { readonly kind: "unanswered"; readonly message: string };

export interface UserHooks {
  onSubmit(user: string, sql: string): void;
  onPoll(): void;
  onAnswer(user: string, request: HttpRequest, response: HttpResponse): void;
  onEnd(user: string, statement: PlannedStatement, ending: Ending): void;
  /** A question asked on purpose that must be answered in one of the given ways. */
  onProbe(user: string, question: string, status: number, allowed: readonly number[]): void;
}

export interface UserOptions {
  readonly planned: PlannedUser;
  readonly network: Network;
  readonly clock: Clock;
  readonly server: string;
  readonly catalog: string;
  readonly schema: string;
  readonly hooks: UserHooks;
}

export class User {
  readonly #options: UserOptions;
  /** Asks each token twice. */
  #twice = false;
  #number = 0;

  constructor(options: UserOptions) {
    this.#options = options;
  }

  /** Resolves when the last statement has ended, one way or another. */
  async live(): Promise<void> {
    const { planned, clock } = this.#options;
    await sleep(clock, "user-start", planned.startNanos / nanosPerMs);
    for (const statement of planned.statements) {
      await sleep(clock, "user-think", statement.thinkNanos / nanosPerMs);
      await this.#run(statement);
    }
  }

  async #run(statement: PlannedStatement): Promise<void> {
    const { planned, clock, server, catalog, schema, hooks } = this.#options;
    const { sql, behaviour } = statement;
    this.#twice = behaviour.kind === "asks-twice";
    const client = new StatementClient({
      network: this.#network(),
      clock,
      server,
      session: clientSession(planned.name, { source: "simulator", catalog, schema }),
    });
    hooks.onSubmit(planned.name, sql);
    const run = client.submit(sql, behaviour.kind === "retries" ? this.#chosen() : undefined);
    let ending: Ending;
    try {
      ending = await this.#follow(run, behaviour);
    } catch (error) {
      if (!(error instanceof ClientError) && !(error instanceof NetworkError)) {
        throw error;
      }
      ending = { kind: "unanswered", message: error.message };
    }
    hooks.onEnd(planned.name, statement, ending);
  }

  async #follow(run: StatementRun, behaviour: Behaviour): Promise<Ending> {
    const { clock, hooks } = this.#options;
    const rows: unknown[] = [];
    let polls = 0;
    let previous: string | undefined;
    for (;;) {
      const over = run.state !== "READY" && run.state !== "RUNNING";
      if (!over && behaviour.kind === "vanishes" && polls > behaviour.afterPolls) {
        return { kind: "vanished" };
      }
      if (behaviour.kind === "cancels" && polls > behaviour.afterPolls) {
        await run.cancel();
        if (!over) {
          return { kind: "canceled" };
        }
      }
      const current = run.results?.nextUri;
      if (!(await run.advance())) {
        break;
      }
      hooks.onPoll();
      polls++;
      rows.push(...run.rows);
      if (behaviour.kind === "retries" && previous !== undefined && run.results?.nextUri !== undefined) {
        // One answer has been taken since: that token is in the past.
        await this.#probe(previous, [410]);
      }
      previous = current;
      if (behaviour.kind === "slow") {
        await sleep(clock, "user-pause", behaviour.pauseNanos / nanosPerMs);
      }
    }
    const { error } = run;
    if (error !== undefined) {
      return { kind: "outcome", outcome: { kind: "error", errorName: error.errorName, message: error.message } };
    }
    return { kind: "outcome", outcome: { kind: "rows", rows, shape: shapeOf(run) } };
  }

  async #probe(uri: string, allowed: readonly number[]): Promise<void> {
    const { planned, network, hooks } = this.#options;
    try {
      const response = await network.request(
        { method: "GET", url: uri, headers: {}, body: new Uint8Array(0) },
        { timeoutMs: 30_000, label: "old-token" },
      );
      hooks.onProbe(planned.name, `an old token, ${uri.replace(/^.*\/v1/, "/v1").replace(/\?.*/, "")}`, response.status, [...allowed, 503]);
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
    }
  }

  #chosen(): { queryId: string; slug: string } {
    this.#number++;
    const name = this.#options.planned.name.replaceAll(/[^a-z0-9]/g, "0");
    return {
      queryId: `20260101_000000_${String(this.#number).padStart(5, "0")}_${name.padStart(5, "x").slice(-5)}`,
      slug: `x${name}${this.#number}`,
    };
  }

  /** The client's network: everything it is answered is observed; submissions by PUT and, for some, polls are sent twice. */
  #network(): Network {
    const { network, hooks, planned } = this.#options;
    const ask = async (request: HttpRequest, options: RequestOptions): Promise<HttpResponse> => {
      const response = await network.request(request, options);
      hooks.onAnswer(planned.name, request, response);
      return response;
    };
    return {
      selfUri: network.selfUri,
      serve: () => network.serve(() => Promise.reject(new Error("a user serves nothing"))),
      close: () => network.close(),
      request: async (asked, options) => {
        const sized = asked.method === "GET" && planned.targetResultSize !== undefined;
        const request = sized ? { ...asked, url: withParameter(asked.url, `targetResultSize=${planned.targetResultSize}`) } : asked;
        const response = await ask(request, options);
        const again = request.method === "PUT" || (this.#twice && request.method === "GET");
        if (again && response.status === 200) {
          try {
            const second = await ask(request, { ...options, label: `${options.label}-again` });
            hooks.onProbe(planned.name, `the same request again, ${request.method}`, second.status, [200, 503]);
          } catch (error) {
            if (!(error instanceof NetworkError)) {
              throw error;
            }
          }
        }
        return response;
      },
    };
  }
}

/** Columns with their types, and what was written if anything was. */
function shapeOf({ columns, results }: StatementRun): string {
  const written = results?.updateType === undefined ? "" : `; ${results.updateType} ${String(results.updateCount ?? "")}`;
  return `${(columns ?? []).map(({ name, type }) => `${name} ${type}`).join(", ")}${written}`;
}

function withParameter(url: string, parameter: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${parameter}`;
}
