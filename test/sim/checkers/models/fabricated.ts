/** Feeds fabricated sequences to a model, in which each test plants a violation. */
import { Facts } from "../../../../sim/checkers/facts.ts";
import type { Judged, Model, ModelKind } from "../../../../sim/checkers/models/model.ts";
import { Models } from "../../../../sim/checkers/models/models.ts";
import { observed } from "../../../../sim/checkers/protocol/wire.ts";
import type { PlannedStatement, RunPlan } from "../../../../sim/plan.ts";
import type { Ending } from "../../../../sim/user.ts";
import { calmLink } from "../../../../sim/world/fates.ts";
import { nanosPerMs } from "../../../../sim/world/world.ts";
import type { Headers, HttpMethod } from "../../../../src/ports/network.ts";
import { encodeUtf8 } from "../../../../src/types/utf8.ts";

const plan: RunPlan = {
  seed: "fabricated",
  coordinator: { name: "c", clockOffsetMs: 0, clockDriftPpm: 0 },
  workers: [
    { name: "w1", clockOffsetMs: 0, clockDriftPpm: 0 },
    { name: "w2", clockOffsetMs: 0, clockDriftPpm: 0 },
  ],
  link: calmLink,
  properties: {},
  schema: "tiny",
  splitsPerNode: 1,
  nanosPerWorkUnit: 40,
  users: [],
  faults: [],
  healNanos: 0,
  livenessNanos: 0,
};

export interface FabricatedAnswer {
  readonly from?: string;
  readonly to?: string;
  readonly method?: HttpMethod;
  readonly status?: number;
  readonly sentHeaders?: Headers;
  readonly sent?: string;
  readonly headers?: Headers;
  /** Text, or what is sent as JSON. */
  readonly body?: unknown;
  /** Time at which the request arrived, if it was not answered at once. */
  readonly arrivedMs?: number;
}

/** One model in a world in which only the test acts. Times are milliseconds. */
export class FabricatedRun {
  /** Sentences of the violations. */
  readonly said: string[] = [];
  /** Number of rules that held. */
  held = 0;
  readonly facts = new Facts();
  readonly #models: Models;
  #nowMs = 0;

  constructor(kind: ModelKind, changed: Partial<RunPlan> = {}, context: Partial<Judged> = {}) {
    const verdict = {
      violate: (_: string, oracle: string, sentence: string) => this.said.push(`${oracle}: ${sentence}`),
      held: () => {
        this.held++;
      },
    };
    const now = (): number => this.#nowMs * nanosPerMs;
    this.#models = new Models(
      verdict,
      {
        plan: { ...plan, ...changed },
        facts: this.facts,
        nowNanos: now,
        localNanos: now,
        files: () => [],
        fileBytes: () => undefined,
        node: () => undefined,
        troubled: () => this.facts.anyTrouble(),
        ...context,
      },
      [kind],
    );
    for (const place of ["c", "w1", "w2"]) {
      this.note(0, place, "start", "life 1");
    }
  }

  note(ms: number, place: string, kind: string, detail: string): this {
    this.#nowMs = ms;
    this.facts.note(place, kind, detail, ms * nanosPerMs);
    this.#models.note(place, kind, detail);
    return this;
  }

  answer(ms: number, url: string, said: FabricatedAnswer = {}): this {
    this.#nowMs = ms;
    const {
      from = "u1",
      to = "c",
      method = "GET",
      status = 200,
      sentHeaders = {},
      sent = "",
      headers = {},
      body = "",
      arrivedMs = ms,
    } = said;
    const request = { method, url, headers: sentHeaders, body: encodeUtf8(sent) };
    const response = { status, headers, body: encodeUtf8(typeof body === "string" ? body : JSON.stringify(body)) };
    const nowNanos = ms * nanosPerMs;
    this.#models.observe(observed({ from, to, request, response, arrivedNanos: arrivedMs * nanosPerMs }, { nowNanos, event: ms }));
    return this;
  }

  /** A response as the user `u1` receives it. */
  client(ms: number, url: string, { status = 200, headers = {}, method = "GET" }: FabricatedAnswer): this {
    this.#nowMs = ms;
    const request = { method, url: `http://c:8080${url}`, headers: {}, body: encodeUtf8("") };
    this.#models.observeClient("u1", request, { status, headers, body: encodeUtf8("") });
    return this;
  }

  transition(ms: number, kind: string, id: string, change: string, place = "c"): this {
    this.#nowMs = ms;
    const [from = "", to = ""] = change.split(" -> ");
    this.#models.observeTransition(place, 1, { kind, id, from, to });
    return this;
  }

  ended(ms: number, user: string, statement: PlannedStatement, ending: Ending): this {
    this.#nowMs = ms;
    this.#models.endStatement(user, statement, ending);
    return this;
  }

  look(ms: number): this {
    this.#nowMs = ms;
    this.#models.look();
    return this;
  }

  end(ms: number): this {
    this.#nowMs = ms;
    this.#models.end();
    return this;
  }
}

/** A model that reports everything it receives. */
export function recorder(name: string, log: string[]): ModelKind {
  return {
    invariant: { name, sentence: "Nothing happens.", kind: "safety", checkedIn: "nowhere" },
    create: ({ check }): Model => ({
      notes: ["crash"],
      note: ({ place, kind, detail }) => log.push(`${place} ${kind} ${detail}`),
      observe: ({ path, nowNanos }) => check(path !== "/bad", () => `${path} at ${nowNanos / nanosPerMs} ms`),
      observeTransition: ({ kind, id, to }) => log.push(`${kind} ${id} ${to}`),
      look: () => log.push("look"),
      end: () => log.push("end"),
    }),
  };
}
