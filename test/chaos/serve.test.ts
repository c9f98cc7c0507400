/** `sim serve`: its program, its time, and its faults by seed and scenario; and the server without --chaos. */
import { describe, expect, it } from "vitest";
import { scenarios } from "../../scenarios/index.ts";
import type { RunPlan } from "../../sim/plan.ts";
import { calmPlan, serve, type Served } from "../../sim/serve/serve.ts";
import { planOf } from "../../sim/subject.ts";
import { runProgram, startProgram, startServer, stopServer } from "../support/programs/server-process.ts";
import { ask, type Seen } from "./worlds.ts";

function textOf(seen: Seen): string {
  if (seen.kind !== "answer") {
    throw new Error(`no answer: ${seen.kind}`);
  }
  return seen.text;
}

async function served(plan: RunPlan, speed: number): Promise<Served> {
  return serve({
    plan,
    speed,
    host: "127.0.0.1",
    port: 0,
    onFailure: (error) => {
      throw error;
    },
  });
}

interface Answered {
  readonly nextUri?: string;
  readonly error?: { readonly errorName: string };
}

/** Every answer of a statement, as the cluster sends it when its time moves only for the client. */
async function transcript(seed: string): Promise<readonly string[]> {
  const { close, uri } = await served(calmPlan(seed, 2), 0);
  const step = async (request: Promise<Seen>): Promise<Seen> => {
    let answered = false;
    void request.then(() => {
      answered = true;
    });
    while (!answered) {
      await ask(`${uri}/v1/chaos/advance`, { body: JSON.stringify({ seconds: 2, untilAnswered: true }) });
    }
    return request;
  };
  try {
    await ask(`${uri}/v1/chaos`, { body: '{"fault":"delay","delayMs":700,"percent":50}' });
    const texts: string[] = [];
    let next: string | undefined = `${uri}/v1/statement`;
    while (next !== undefined) {
      const isFirst = texts.length === 0;
      const text = textOf(await step(ask(next, isFirst ? { body: "SELECT name FROM tpch.tiny.nation" } : {})));
      texts.push(text.replaceAll(uri, ""));
      next = (JSON.parse(text) as Answered).nextUri;
    }
    return texts;
  } finally {
    await close();
  }
}

describe("time", () => {
  it("passes only when it is advanced, and then the same requests have the same answers, to the byte", async () => {
    const [first, second, other] = [await transcript("7"), await transcript("7"), await transcript("8")];
    expect(first.length).toBeGreaterThan(1);
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it("does not pass by itself at speed 0", async () => {
    const { close, uri } = await served(calmPlan("7", 1), 0);
    try {
      const seconds = async (): Promise<number> => (JSON.parse(textOf(await ask(`${uri}/v1/chaos`))) as { seconds: number }).seconds;
      expect(await seconds()).toBe(0);
      expect(JSON.parse(textOf(await ask(`${uri}/v1/chaos/advance`, { body: '{"seconds": 2.5}' })))).toEqual({ seconds: 2.5, open: 0 });
      expect(await seconds()).toBe(2.5);
      expect(await ask(`${uri}/v1/chaos/advance`, { body: '{"seconds": -1}' })).toMatchObject({ status: 400 });
    } finally {
      await close();
    }
  });
});

describe("faults of a scenario", () => {
  it("come again and again", async () => {
    const faults: string[] = [];
    const { close, uri } = await serve({
      plan: planOf({ kind: "scenario", name: "overload-503", seed: "7" }, scenarios),
      speed: 0,
      host: "127.0.0.1",
      port: 0,
      onFault: ({ atNanos, kind }) => faults.push(`${kind} ${Math.round(atNanos / 1e9)}`),
      onFailure: (error) => {
        throw error;
      },
    });
    try {
      // The first of the two waits for work of a worker, the second is the coordinator's.
      await ask(`${uri}/v1/chaos/advance`, { body: '{"seconds": 45}' });
      expect(faults).toEqual(["overload-503 4", "overload-503 24", "overload-503 44"]);
    } finally {
      await close();
    }
  });
});

describe("the programs", () => {
  it("serve until they are told to stop", async () => {
    const program = startProgram("sim", ["serve", "--port", "0", "--seed", "7", "--calm", "--workers", "2"]);
    const [, uri = ""] = await program.waitFor(/listens on (http:\S+)/);
    expect(await ask(`${uri}/v1/statement`, { body: "SELECT 1" })).toMatchObject({ status: 200 });
    program.kill("SIGINT");
    expect(await program.ended).toBe(0);
  });

  it("refuse what they do not know", async () => {
    expect(await runProgram("sim", ["serve", "--scenario", "nothing"])).toMatchObject({ code: 2, errors: /Unknown scenario 'nothing'/ });
    expect(await runProgram("sim", ["serve", "--speed", "fast"])).toMatchObject({ code: 2, errors: /from 0 to 1000/ });
    expect(await runProgram("sim", ["serve", "--port", "99999"])).toMatchObject({ code: 2 });
  });

  it("have no chaos without the flag, whatever the configuration says", async () => {
    const server = await startServer(["--workers", "0"], { environment: { ORRERY_CHAOS: "1" } }).catch((error: unknown) => error as Error);
    if (server instanceof Error) {
      // A property of this name does not exist.
      expect(server.message).toMatch(/chaos/i);
      return;
    }
    try {
      expect(await ask(`${server.uri}/v1/chaos`)).toMatchObject({ status: 404 });
      expect(await ask(`${server.uri}/v1/chaos`, { body: '{"fault":"overloaded"}' })).toMatchObject({ status: 404 });
      const answer = await ask(`${server.uri}/v1/statement`, { body: "SELECT 1", headers: { "x-orrery-chaos": "overloaded" } });
      expect(answer).toMatchObject({ status: 200 });
      expect(server.errors()).not.toMatch(/chaos/);
    } finally {
      await stopServer(server);
    }
  });

  it("warn when chaos is on", async () => {
    const server = await startServer(["--workers", "0", "--chaos"]);
    expect(server.errors()).toMatch(/WARNING: started with --chaos/);
    const { paths } = JSON.parse(textOf(await ask(`${server.uri}/v1/openapi.json`))) as { paths: Record<string, unknown> };
    expect(Object.keys(paths).filter((path) => path.startsWith("/v1/chaos"))).toEqual(["/v1/chaos", "/v1/chaos/{id}", "/v1/chaos/advance"]);
    expect(await ask(`${server.uri}/v1/chaos`, { body: '{"fault":"worker-killed"}' })).toMatchObject({
      status: 400,
      text: "worker-killed: no worker runs in this process",
    });
    expect(await stopServer(server)).toBe(0);
  });
});
