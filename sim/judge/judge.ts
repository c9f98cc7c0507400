/** Judges a client: one run of its program in each situation, by what it printed and by what it did on the wire. */
import { ChaosDoor, type RequestEnding } from "../../src/chaos/door.ts";
import { isChaosPath } from "../../src/chaos/resource.ts";
import type { ChaosTarget } from "../../src/chaos/target.ts";
import type { HttpRequest } from "../../src/ports/network.ts";
import { JsonSyntaxError, type JsonValue } from "../../src/protocol/json.ts";
import type { RunPlan } from "../plan.ts";
import { HttpDoor } from "../serve/http-door.ts";
import { calmPlan } from "../serve/serve.ts";
import { ServedCluster } from "../serve/served-cluster.ts";
import { SharedState } from "../shared.ts";
import { cannotCode, type ClientRun, runClient } from "./client-process.ts";
import { type Violation, violationsOf } from "./model.ts";
import { difference, readRows } from "./output.ts";
import { ScriptedServer } from "./script.ts";
import type { Situation } from "./situation.ts";
import { Tape, type TapeEntry } from "./tape.ts";

export type Verdict = "pass" | "fail" | "cannot";

export interface Judgement {
  readonly situation: Situation;
  readonly verdict: Verdict;
  readonly violations: readonly Violation[];
  readonly tape: readonly TapeEntry[];
  readonly run: ClientRun;
  readonly ms: number;
}

export interface JudgeOptions {
  readonly command: readonly string[];
  readonly situations: readonly Situation[];
  readonly seed: string;
  readonly onJudged?: (judgement: Judgement, done: number) => void;
  /** Whether no further situation shall begin. */
  readonly isStopped?: () => boolean;
}

export async function judge(options: JudgeOptions): Promise<readonly Judgement[]> {
  const shared = new SharedState();
  const judgements: Judgement[] = [];
  for (const situation of options.situations) {
    if (options.isStopped?.() === true) {
      break;
    }
    const judgement = await judgeOne(situation, { ...options, shared });
    judgements.push(judgement);
    options.onJudged?.(judgement, judgements.length);
  }
  return judgements;
}

interface OneOptions {
  readonly command: readonly string[];
  readonly seed: string;
  readonly shared: SharedState;
}

async function judgeOne(situation: Situation, { command, seed, shared }: OneOptions): Promise<Judgement> {
  const startedMs = performance.now();
  const tape = new Tape();
  const place = situation.script === undefined ? await clusterFor(situation, seed, shared) : scriptFor(situation.script);
  let interrupt: () => void = () => undefined;
  const door = new HttpDoor({
    host: "127.0.0.1",
    port: 0,
    handler: async (request, onLeave) => {
      if (isChaosPath(request.url)) {
        return { kind: "silent" };
      }
      const entry = tape.begin(request);
      onLeave(() => {
        entry.leftMs = tape.nowMs();
      });
      const ending = await place.answer(request, { onLeave, onExecuted: () => entry.executed++ });
      tape.end(entry, ending);
      if (situation.action === "interrupt" && (entry.document?.rows ?? 0) > 0) {
        interrupt();
      }
      return ending;
    },
  });
  await door.listen();
  try {
    const run = await runClient({
      command,
      environment: environmentOf(situation, door.uri),
      patienceMs: situation.patienceMs ?? patienceMsUsual,
      onInterruptible: (send) => {
        interrupt = send;
      },
    });
    const violations = violationsFor(situation, run, tape);
    const verdict: Verdict = run.code === cannotCode ? "cannot" : violations.length === 0 ? "pass" : "fail";
    const entries = tape.entries.map((entry) => ({ ...entry }));
    return {
      situation,
      verdict,
      violations: verdict === "cannot" ? [] : violations,
      tape: entries,
      run,
      ms: performance.now() - startedMs,
    };
  } finally {
    await door.close();
    await place.close();
  }
}

const patienceMsUsual = 30_000;

interface Place {
  answer(
    request: HttpRequest,
    on: { readonly onLeave: (callback: () => void) => void; readonly onExecuted: () => void },
  ): Promise<RequestEnding>;
  close(): Promise<void>;
}

async function clusterFor({ points, rules, speed = 1 }: Situation, seed: string, shared: SharedState): Promise<Place> {
  const plan: RunPlan = { ...calmPlan(seed, 2), nanosPerWorkUnit: 40, ...(points === undefined ? {} : { points }) };
  let failure: unknown;
  const cluster = new ServedCluster({
    plan,
    speed,
    shared,
    onFailure: (error) => {
      failure ??= error;
    },
  });
  await cluster.start();
  const chaos = new ChaosDoor(cluster);
  chaos.add(rules ?? []);
  return {
    answer: (request, { onExecuted, onLeave }) =>
      chaos.answer(request, () => {
        onExecuted();
        return cluster.request(request, onLeave);
      }),
    close: async () => {
      await cluster.stop();
      if (failure !== undefined) {
        throw new Error("the simulated cluster failed", { cause: failure });
      }
    },
  };
}

function scriptFor(script: NonNullable<Situation["script"]>): Place {
  const server = new ScriptedServer(script, realPause);
  return {
    answer: (request, { onExecuted }) => {
      onExecuted();
      return server.answer(request);
    },
    close: () => Promise.resolve(),
  };
}

const realPause: ChaosTarget["pause"] = (delayMs) =>
  new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });

/** The contract with the client's program. */
function environmentOf({ action = "read", setup = [], sql }: Situation, uri: string): Readonly<Record<string, string>> {
  const { hostname, port } = new URL(uri);
  return {
    ORRERY_URL: uri,
    ORRERY_HOST: hostname,
    ORRERY_PORT: port,
    ORRERY_USER: "judge",
    ORRERY_CATALOG: "tpch",
    ORRERY_SCHEMA: "tiny",
    ORRERY_SQL: sql,
    ORRERY_SETUP: JSON.stringify(setup),
    ORRERY_ACTION: action,
  };
}

function violationsFor(situation: Situation, run: ClientRun, tape: Tape): readonly Violation[] {
  const looked = situation.look?.(tape);
  return [
    ...(run.hung ? [{ rule: "hangs", sentence: `The client had not ended after ${situation.patienceMs ?? patienceMsUsual} ms` }] : []),
    ...(run.hung ? [] : reported(situation, run)),
    ...(looked === undefined ? [] : [{ rule: "session", sentence: looked }]),
    ...violationsOf(tape, situation.extraRules ?? []),
    ...(tape.of("submit").length === 0 ? [{ rule: "sends-nothing", sentence: "The client sent no statement" }] : []),
  ];
}

function reported({ anyOrder, expect }: Situation, run: ClientRun): readonly Violation[] {
  const succeeded = run.code === 0;
  const firstError = run.errors.trim().split("\n")[0] ?? "";
  switch (expect.kind) {
    case "stopped":
      return [];
    case "failure":
      return succeeded ? [{ rule: "hides-failure", sentence: "The statement failed, and the client ended with success" }] : [];
    case "rows":
    case "rows-or-failure":
      if (!succeeded) {
        return expect.kind === "rows-or-failure"
          ? []
          : [{ rule: "gives-up", sentence: `The client failed (${run.code}): ${firstError.slice(0, 300)}` }];
      }
      return wrongRows(expect.rows, run.output, anyOrder === true);
  }
}

function wrongRows(expected: Parameters<typeof difference>[1], output: string, anyOrder: boolean): readonly Violation[] {
  try {
    const rows = readRows(output);
    const wrong = difference(anyOrder ? byFirstNumber(rows) : rows, expected);
    return wrong === undefined ? [] : [{ rule: "wrong-rows", sentence: wrong }];
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return [{ rule: "wrong-rows", sentence: `The output is not JSON: ${error.message}` }];
    }
    throw error;
  }
}

/** The expected rows are in the order of their first column, a number. */
function byFirstNumber(rows: readonly (readonly JsonValue[])[]): readonly (readonly JsonValue[])[] {
  return rows.toSorted(([a = null], [b = null]) => Number(a) - Number(b));
}
