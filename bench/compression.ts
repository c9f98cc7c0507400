/**
 * Cost of compressed responses on a loopback connection: a client that accepts gzip queries a server with compression and one without,
 * alternately.
 */
import { Agent, request } from "undici";
import { gunzipSync } from "node:zlib";
import { type RunningServer, startServer, stopServer } from "../test/support/programs/server-process.ts";
import { median, say } from "./figures.ts";

interface Case {
  readonly name: string;
  readonly sql: string;
  /** Repetitions per round. */
  readonly times: number;
}

/** Responses below the compression limit, slightly above it, and of a megabyte. */
const cases: readonly Case[] = [
  { name: "SELECT 1", sql: "SELECT 1", times: 100 },
  { name: "25 rows, 4 kB", sql: "SELECT * FROM nation", times: 60 },
  { name: "150 rows, 30 kB", sql: "SELECT * FROM customer LIMIT 150", times: 30 },
  { name: "15,000 rows, 2.6 MB", sql: "SELECT * FROM orders", times: 3 },
];

const warmUpRounds = 4;

interface Sent {
  /** Bytes of the bodies on the network. */
  bytes: number;
}

export async function measureCompression(runs: number): Promise<void> {
  const agent = new Agent({ connections: 4 });
  const on = await startServer(["--workers", "2"]);
  const off = await startServer(["--workers", "2"], { environment: { ORRERY_HTTP_SERVER_COMPRESSION_ENABLED: "false" } });
  const ratios = cases.map((): number[] => []);
  const sent = cases.map(() => [{ bytes: 0 }, { bytes: 0 }] as const);
  for (let run = -warmUpRounds; run < runs; run++) {
    for (const [index, one] of cases.entries()) {
      // The order of the sides alternates from round to round.
      const sides = run % 2 === 0 ? [on, off] : [off, on];
      const times = new Map<RunningServer, number>();
      for (const side of sides) {
        const started = performance.now();
        for (let turn = 0; turn < one.times; turn++) {
          await ask(agent, { uri: side.uri, sql: one.sql, sent: sent[index]?.[side === on ? 0 : 1] as Sent });
        }
        times.set(side, performance.now() - started);
      }
      if (run >= 0) {
        ratios[index]?.push((times.get(on) as number) / (times.get(off) as number));
      }
    }
  }
  await agent.close();
  await stopServer(on);
  await stopServer(off);
  for (const [index, { name }] of cases.entries()) {
    const of = ratios[index] as number[];
    const [compressed, plain] = sent[index] as readonly [Sent, Sent];
    say(
      `compression, ${name}: ${median(of).toFixed(3)} of the time (median of ${runs} interleaved rounds, ${Math.min(...of).toFixed(3)} to ${Math.max(...of).toFixed(3)}), ${(compressed.bytes / plain.bytes).toFixed(3)} of the bytes`,
    );
  }
}

/** Runs a statement to its end, as Trino's clients do. */
async function ask(agent: Agent, { uri, sql, sent }: { readonly uri: string; readonly sql: string; readonly sent: Sent }): Promise<void> {
  const headers = { "x-trino-user": "bench", "x-trino-catalog": "tpch", "x-trino-schema": "tiny", "accept-encoding": "gzip, deflate" };
  let next: string | undefined = `${uri}/v1/statement`;
  for (let first = true; next !== undefined; first = false) {
    const answer: Awaited<ReturnType<typeof request>> = await request(next, {
      method: first ? "POST" : "GET",
      dispatcher: agent,
      headers,
      ...(first ? { body: sql } : {}),
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    sent.bytes += body.length;
    const text = (answer.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
    const document = JSON.parse(text) as { readonly nextUri?: string; readonly error?: unknown };
    if (document.error !== undefined) {
      throw new Error(text);
    }
    next = document.nextUri;
  }
}
