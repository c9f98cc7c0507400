/**
 * Growing crowds on one server: how many statements a second end well, who is turned away and how, and how soon the server is back to
 * normal. Every client asks the next statement when the last one has ended; one that is turned away waits as long as Retry-After says.
 */
import { Agent, request } from "undici";
import { startServer } from "../../test/support/programs/server-process.ts";
import { quantile, say, table } from "../figures.ts";

const crowds = [1, 8, 64, 256, 1000];
/** A crowd comes at once, so what ends in its first seconds is not counted. */
const rampMs = 5_000;
const lastsMs = 10_000;
const backMsMax = 30_000;
const answerMsMax = 60_000;
/** Back to normal: an answer within this many medians of the quiet server, and within some milliseconds in any case. */
const normalTimes = 2;
const normalMsMin = 10;
const sql = "SELECT orderpriority, count(*) FROM tpch.tiny.orders GROUP BY orderpriority";

interface Answer {
  readonly nextUri?: string;
  readonly error?: { readonly errorName: string };
}

interface Phase {
  readonly counts: () => boolean;
  readonly isOver: () => boolean;
}

interface Tally {
  /** Milliseconds that each statement took which ended while it counted. */
  readonly ended: number[];
  readonly errors: Map<string, number>;
  turnedAway: number;
  withoutRetryAfter: number;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function count(errors: Map<string, number>, name: string): void {
  errors.set(name, (errors.get(name) ?? 0) + 1);
}

/** Undefined if the server has turned the request away, after the pause that it asks for. */
async function ask(method: "GET" | "POST", url: string, dispatcher: Agent, tally: Tally): Promise<Answer | undefined> {
  const body = method === "POST" ? sql : null;
  const headers = { "x-engine-user": "crowd" };
  const answer = await request(url, { method, headers, body, dispatcher, headersTimeout: answerMsMax, bodyTimeout: answerMsMax });
  const text = await answer.body.text();
  if (answer.statusCode === 200) {
    return JSON.parse(text) as Answer;
  }
  if (answer.statusCode !== 503 && answer.statusCode !== 429) {
    throw new Error(`status ${answer.statusCode}`);
  }
  tally.turnedAway++;
  const seconds = Number(answer.headers["retry-after"]);
  if (!(seconds > 0)) {
    tally.withoutRetryAfter++;
  }
  await pause((seconds > 0 ? seconds : 1) * 1_000);
  return undefined;
}

/** One statement from its begin to its end, with the requests that are repeated on the way. */
async function statement(uri: string, dispatcher: Agent, tally: Tally, { counts, isOver }: Phase): Promise<void> {
  const began = performance.now();
  let url: string | undefined = `${uri}/v1/statement`;
  let error: string | undefined;
  while (url !== undefined) {
    const answer: Answer | undefined = await ask(url.endsWith("/v1/statement") ? "POST" : "GET", url, dispatcher, tally);
    if (answer === undefined) {
      if (isOver()) {
        return;
      }
      continue;
    }
    url = answer.nextUri;
    error = answer.error?.errorName;
  }
  if (error !== undefined) {
    count(tally.errors, error);
  } else if (counts()) {
    tally.ended.push(performance.now() - began);
  }
}

async function crowd(uri: string, clients: number, ms: number): Promise<Tally> {
  const tally: Tally = { ended: [], errors: new Map(), turnedAway: 0, withoutRetryAfter: 0 };
  const dispatcher = new Agent({ connections: clients });
  const from = performance.now() + rampMs;
  const isOver = (): boolean => performance.now() > from + ms;
  const phase: Phase = { isOver, counts: () => performance.now() >= from && !isOver() };
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver()) {
        await statement(uri, dispatcher, tally, phase).catch((error: unknown) => count(tally.errors, String(error)));
      }
    }),
  );
  await dispatcher.close();
  return tally;
}

/** Milliseconds from now until a client is served as on a quiet server. */
async function backToNormal(uri: string, normalMs: number): Promise<number> {
  const began = performance.now();
  const dispatcher = new Agent({ connections: 1 });
  const tally: Tally = { ended: [], errors: new Map(), turnedAway: 0, withoutRetryAfter: 0 };
  for (;;) {
    const now = performance.now();
    await statement(uri, dispatcher, tally, { counts: () => true, isOver: () => false });
    const ended = performance.now();
    if (ended - now <= normalMs || ended - began > backMsMax) {
      await dispatcher.close();
      return now - began;
    }
  }
}

function row(clients: number, tally: Tally, best: number, back: number): readonly string[] {
  const perSecond = (tally.ended.length / lastsMs) * 1_000;
  const errors = [...tally.errors].map(([name, times]) => `${name} ${times}`).join(", ");
  const ended = tally.ended.length === 0 ? [Number.NaN] : tally.ended;
  return [
    String(clients),
    perSecond.toFixed(0),
    `${((perSecond / best) * 100).toFixed(0)} %`,
    quantile(ended, 0.5).toFixed(0),
    quantile(ended, 0.99).toFixed(0),
    `${tally.turnedAway}${tally.withoutRetryAfter === 0 ? "" : ` (${tally.withoutRetryAfter} without Retry-After)`}`,
    errors === "" ? "0" : errors,
    back.toFixed(0),
  ];
}

export async function measureCrowds(): Promise<void> {
  say(`crowds on a coordinator with two workers, ${lastsMs / 1_000} s each; the clients are one more process on the same cores`);
  const server = await startServer(["--workers", "2"]);
  try {
    await crowd(server.uri, 8, 0);
    const measured: { readonly clients: number; readonly tally: Tally; readonly back: number }[] = [];
    let normalMs = normalMsMin;
    for (const clients of crowds) {
      const tally = await crowd(server.uri, clients, lastsMs);
      if (clients === 1) {
        normalMs = Math.max(normalMsMin, normalTimes * quantile(tally.ended, 0.5));
      }
      measured.push({ clients, tally, back: await backToNormal(server.uri, normalMs) });
    }
    const best = Math.max(...measured.map(({ tally }) => (tally.ended.length / lastsMs) * 1_000));
    const lines = measured.map(({ clients, tally, back }) => row(clients, tally, best, back));
    say(table([["clients", "statements/s", "of the best", "p50 ms", "p99 ms", "503", "errors", "normal after ms"], ...lines]));
  } finally {
    server.kill("SIGKILL");
    await server.ended;
  }
}
