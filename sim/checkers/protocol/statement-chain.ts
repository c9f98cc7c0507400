/**
 * The `nextUri` chain as a client sees it, checked on the bytes that cross the network, independent of the client: tokens advance by one,
 * the same token gives the same bytes in one life of the coordinator, a query that has failed stays failed in the next, a FINISHED response
 * has no nextUri, data comes with columns, the first response of a statement is never a finished success, and nothing follows the end. Each
 * header family has a chain of its own. The chain of Presto and Trino starts as QUEUED and reports errors later; the chain of Trino ends
 * with a response without rows, the others with the last rows.
 */
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import { readBody } from "./bodies.ts";
import type { Circumstances } from "../results/results.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "statement-chain";

interface Chain {
  /** Body of the first response, by token. */
  readonly bodies: Map<number, { readonly text: string; readonly life: number }>;
  /** Response to the submission. */
  readonly first: string;
  readonly family: string;
  ended: boolean;
  highestToken: number;
  hadRows: boolean;
}

interface Document {
  readonly id?: unknown;
  readonly nextUri?: unknown;
  readonly columns?: unknown;
  readonly data?: unknown;
  readonly error?: { readonly errorName?: unknown };
  readonly stats?: Stats;
}

interface Stats {
  readonly state?: unknown;
  readonly totalSplits?: number;
  readonly queuedSplits?: number;
  readonly runningSplits?: number;
  readonly completedSplits?: number;
  readonly rootStage?: StageStats;
}

interface StageStats extends Stats {
  readonly stageId?: unknown;
  readonly done?: unknown;
  readonly subStages?: readonly StageStats[];
}

interface Answered {
  readonly text: string;
  readonly document: Document;
}

/** Header family of a request; a chain keeps the family of its submission. */
function familyOf({ headers }: HttpRequest): string {
  return /^x-(engine|presto|trino)-user$/m.exec(Object.keys(headers).join("\n"))?.[1] ?? "engine";
}

export class StatementChainOracle {
  readonly #verdict: Verdict;
  readonly #chains = new Map<string, Chain>();

  readonly #circumstances: Circumstances;

  constructor(verdict: Verdict, circumstances: Circumstances) {
    this.#verdict = verdict;
    this.#circumstances = circumstances;
  }

  /** Handles every answered request of every user. */
  observe(user: string, request: HttpRequest, response: HttpResponse): void {
    const path = request.url.replace(/^http:\/\/[^/]+/, "");
    if (!path.startsWith("/v1/statement") || response.status !== 200) {
      return;
    }
    const body = readBody(response.body);
    const text = body.text();
    const document = body.exactJson() as Document;
    if (request.method === "POST" || request.method === "PUT") {
      this.#first(user, request, { text, document });
    } else if (request.method === "GET") {
      this.#next(user, request, { path, text, document });
    }
  }

  #first(user: string, request: HttpRequest, { text, document }: Answered): void {
    const id = String(document.id);
    this.#check(document.stats?.state !== "FINISHED", `${user}: the first response of ${id} is already FINISHED`);
    this.#common(user, id, document);
    const family = familyOf(request);
    if (family !== "engine") {
      this.#check(
        document.stats?.state === "QUEUED" && document.nextUri !== undefined && document.columns === undefined,
        `${user}: the first response of ${id} to a client of ${family} is no query that is QUEUED and goes on`,
      );
    }
    const known = this.#chains.get(id);
    if (known === undefined) {
      const ended = document.nextUri === undefined;
      this.#chains.set(id, { bodies: new Map(), first: text, family, ended, highestToken: -1, hadRows: false });
    } else {
      this.#check(request.method === "PUT", `${user}: query id ${id} was given out twice`);
      const { facts, coordinator } = this.#circumstances.causes;
      // A restarted coordinator treats the repetition as a submission.
      this.#check(
        known.first === text || facts.livesOf(coordinator) > 1,
        `${user}: the submission of ${id} was answered with different bytes the second time`,
      );
    }
  }

  #next(user: string, request: HttpRequest, { path, text, document }: Answered & { readonly path: string }): void {
    const family = familyOf(request);
    const match = /^\/v1\/statement\/([^/?]+)\/(\d+)/.exec(path);
    const id = match?.[1] ?? "";
    const token = Number(match?.[2]);
    const unknown = { bodies: new Map(), first: "", family, ended: false, highestToken: -1, hadRows: false };
    const chain = this.#chains.get(id) ?? unknown;
    this.#chains.set(id, chain);
    this.#common(user, id, document);
    const { coordinator, facts } = this.#circumstances.causes;
    const life = facts.livesOf(coordinator);
    const known = chain.bodies.get(token);
    if (known?.life === life || known?.text === text) {
      this.#check(known.text === text, `${user}: token ${token} of ${id} was answered with different bytes the second time`);
      return;
    }
    if (known !== undefined) {
      this.#madeAnew(`${user}: token ${token} of ${id}`, JSON.parse(known.text) as Document, document);
      chain.bodies.set(token, { text, life });
      chain.ended = document.nextUri === undefined;
      return;
    }
    this.#check(!chain.ended || this.#mayForget, `${user}: ${id} answered token ${token} after its last response`);
    this.#check(token > chain.highestToken, `${user}: ${id} answered token ${token} for the first time after token ${chain.highestToken}`);
    chain.bodies.set(token, { text, life });
    chain.highestToken = token;
    chain.ended = document.nextUri === undefined;
    chain.hadRows ||= document.data !== undefined;
    this.#end(user, id, chain, document);
    if (typeof document.nextUri === "string") {
      const next = Number(/\/(\d+)(?:\?|$)/.exec(document.nextUri)?.[1]);
      this.#check(next === token + 1, `${user}: nextUri of ${id} leads from token ${token} to ${next}`);
    }
  }

  get #mayForget(): boolean {
    const { coordinator, facts } = this.#circumstances.causes;
    return facts.livesOf(coordinator) > 1 && (facts.mayForget(coordinator) || facts.struck("full-disk"));
  }

  /** Another life makes a document anew, with other counters. The journal has the failure that the client was told, if its disk has. */
  #madeAnew(who: string, before: Document, { error, stats }: Document): void {
    this.#check(
      before.stats?.state !== "FAILED" || before.error?.errorName === error?.errorName || this.#mayForget,
      `${who} was FAILED with ${String(before.error?.errorName)}, and is ${String(stats?.state)} in another life`,
    );
  }

  /** Checks where the rows of a successful query end: with the last response, or before it. */
  #end(user: string, id: string, { family, hadRows }: Chain, document: Document): void {
    if (document.nextUri !== undefined || document.stats?.state !== "FINISHED") {
      return;
    }
    if (family === "trino") {
      this.#check(document.data === undefined, `${user}: the last response of ${id} to a client of trino carries rows`);
    } else {
      this.#check(
        !hadRows || document.data !== undefined,
        `${user}: ${id} had rows, and its last response to a client of ${family} has none`,
      );
    }
  }

  #common(user: string, id: string, document: Document): void {
    const state = document.stats?.state;
    this.#check(state !== "FINISHED" || document.nextUri === undefined, `${user}: ${id} is FINISHED and has a nextUri`);
    // A lost response may have carried the last statistics of a task that is gone since; rows do not depend on it.
    if (state === "FINISHED" && !this.#circumstances.troubled()) {
      this.#counters(user, id, document.stats ?? {});
    }
    this.#check(state !== "FAILED" || document.error !== undefined, `${user}: ${id} is FAILED without an error`);
    this.#check(document.error === undefined || state === "FAILED", `${user}: ${id} carries an error in state ${String(state)}`);
    this.#check(document.data === undefined || document.columns !== undefined, `${user}: ${id} carries data without columns`);
    this.#check(!Array.isArray(document.data) || document.data.length > 0, `${user}: ${id} carries an empty data array`);
    this.#check(
      document.nextUri !== undefined || state === "FINISHED" || state === "FAILED",
      `${user}: ${id} ends its chain in state ${String(state)}`,
    );
  }

  /** An ended query has no waiting or running split, and its split counts are the sums of its stages. */
  #counters(user: string, id: string, stats: Stats): void {
    const stages: StageStats[] = stats.rootStage === undefined ? [] : [stats.rootStage];
    for (const stage of stages) {
      stages.push(...(stage.subStages ?? []));
    }
    // A query does not wait long for the last statistics of a stage whose rows it has; that stage is shown as ABORTED.
    if (stages.some((stage) => stage.state !== "FINISHED")) {
      return;
    }
    for (const { totalSplits, queuedSplits, runningSplits, completedSplits } of [stats, ...stages]) {
      this.#check(
        totalSplits === completedSplits && queuedSplits === 0 && runningSplits === 0,
        `${user}: ${id} is FINISHED with ${completedSplits} of ${totalSplits} splits completed, ${queuedSplits} queued, ${runningSplits} running`,
      );
    }
    const sum = stages.reduce((total, stage) => total + (stage.totalSplits ?? 0), 0);
    this.#check(stages.length === 0 || sum === stats.totalSplits, `${user}: ${id} counts ${stats.totalSplits} splits, its stages ${sum}`);
    this.#check(
      stages.every((stage) => stage.done === true),
      `${user}: ${id} is FINISHED although a stage is not done`,
    );
  }

  #check(holds: boolean, sentence: string): void {
    check(this.#verdict, "safety", oracle, holds, () => sentence);
  }
}
