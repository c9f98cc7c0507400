/**
 * The exchange with failures between workers: every page in order, exactly once, or a clear error. A lost producer never looks like the end
 * of its data.
 */
import { describe, expect, it } from "vitest";
import { ExchangeClient } from "../../src/execution/exchange/exchange.ts";
import { RemoteError } from "../../src/execution/exchange/exchange-source.ts";
import { createNodeMemory } from "../../src/memory/allocator.ts";
import { frameRowCount } from "../../sim/checkers/protocol/frames.ts";
import { encodePage, sealed } from "../../src/page/serde.ts";
import { joinFrames } from "../support/frames.ts";
import { noPoints } from "../../src/ports/points.ts";
import { pagesMediaType } from "../../src/protocol/documents/task.ts";
import { HastyClock } from "../unit/client/scripted.ts";
import { type Answer, type Arrived, answer, closeTransports, overSockets, type Transport } from "./answers.ts";

closeTransports();

const memory = createNodeMemory({ sizeBytes: 65536 * 16 });
const pageRows = [3, 1, 4, 1, 5, 9, 2, 6];
const perAnswer = 2;

/** Pages are identified by their number of rows. */
function answerOf(token: number, instanceId = "one"): { readonly headers: Record<string, string>; readonly body: Uint8Array } {
  const end = Math.min(pageRows.length, token + perAnswer);
  return {
    headers: {
      "content-type": pagesMediaType,
      "x-engine-task-instance-id": instanceId,
      "x-engine-page-sequence-id": String(token),
      "x-engine-page-end-sequence-id": String(end),
      "x-engine-buffer-complete": String(end === pageRows.length),
    },
    body: joinFrames(
      pageRows.slice(token, end).map((rows) => sealed(encodePage(memory.linear, { positionCount: rows, selection: 0, columns: [] }))),
    ),
  };
}

type Fail = (arrived: Arrived, token: number, reads: number) => Answer | undefined;

interface Outcome {
  readonly rows: readonly number[];
  readonly error?: unknown;
  readonly transport: Transport;
  readonly clock: HastyClock;
}

/** Reads a producer to its end, or to the error that poll throws. */
async function read(fail: Fail): Promise<Outcome> {
  let reads = 0;
  const transport = await overSockets((arrived) => {
    if (arrived.method === "DELETE") {
      return fail(arrived, -1, reads) ?? answer(204);
    }
    const token = Number(arrived.url.split("/").at(-1));
    const right = answerOf(token);
    return fail(arrived, token, reads++) ?? answer(200, right.body, right.headers);
  });
  const clock = new HastyClock();
  const context = memory.root.child("exchange");
  const client = new ExchangeClient({
    clock,
    points: noPoints,
    network: transport.network,
    limits: {
      outputBufferBytesMax: 1000,
      exchangeBufferBytesMax: 1_000_000,
      exchangeResponseBytesMax: 500_000,
      exchangeErrorDurationMs: 1000,
      sliceNanosMax: 1e6,
      sliceWorkUnitsMax: 1000,
    },
    memory: context,
  });
  client.addSource(`${transport.uri}/v1/task/q.1.0/results/0`, 1);
  client.setNoMoreSources();
  const rows: number[] = [];
  try {
    for (;;) {
      const polled = client.poll(0);
      if (polled.kind === "frame") {
        rows.push(frameRowCount(polled.frame.bytes));
      } else if (polled.kind === "wait") {
        await client.blocked();
      } else {
        // The producer is notified.
        while (client.info().clients[0]?.state !== "closed") {
          await new Promise(setImmediate);
        }
        return { rows, transport, clock };
      }
    }
  } catch (error) {
    return { rows, error, transport, clock };
  } finally {
    client.close();
    expect(client.heldBytes).toBe(0);
  }
}

function cut(token: number): Answer {
  return { kind: "cut", ...answerOf(token) };
}

/** Transient failures: the exchange requests the same pages again. */
const passing: Readonly<Record<string, (token: number) => Answer>> = {
  "503 with Retry-After": () => answer(503, "Server is overloaded, try again", { "retry-after": "1" }),
  "503 without": () => answer(503),
  reset: () => ({ kind: "reset" }),
  "a body cut short": cut,
  "no answer within the deadline": () => ({ kind: "silence" }),
  "the answer to the request before": (token) => {
    const earlier = answerOf(Math.max(0, token - perAnswer));
    return answer(200, earlier.body, earlier.headers);
  },
};

/** Permanent failures: a retry would not help. */
const final: Readonly<Record<string, (token: number) => Answer>> = {
  "an empty 200": () => answer(200),
  "an empty 200 with the right headers": (token) => answer(200, "", answerOf(token).headers),
  "a page of a proxy": () => answer(200, "<html>", { "content-type": "text/html" }),
  "the right bytes under another type": (token) =>
    answer(200, answerOf(token).body, { ...answerOf(token).headers, "content-type": "application/json" }),
  "frames that end too early": (token) => answer(200, answerOf(token).body.slice(0, -3), answerOf(token).headers),
  "fewer frames than announced": (token) => {
    const { headers, body } = answerOf(token);
    return answer(200, body, { ...headers, "x-engine-page-end-sequence-id": String(token + perAnswer + 1) });
  },
  "no numbers": (token) => answer(200, answerOf(token).body, { ...answerOf(token).headers, "x-engine-page-sequence-id": "many" }),
  "a task that is gone": () => answer(404, "Task not found"),
  "429": () => answer(429),
  "500": () => answer(500, "boom"),
  "502 of a proxy": () => answer(502, "<html>"),
  "504 of a proxy": () => answer(504, "<html>"),
  "204 without headers": () => answer(204),
};

describe("an exchange over real sockets", () => {
  it("reads every page once and tells the producer at the end", async () => {
    const { rows, error, transport } = await read(() => undefined);
    expect(error).toBeUndefined();
    expect(rows).toEqual(pageRows);
    expect(transport.arrived.map(({ method }) => method)).toEqual(["GET", "GET", "GET", "GET", "DELETE"]);
  });

  it.each(Object.entries(passing))("%s, at any request, once: every page arrives once", async (_trouble, make) => {
    for (const position of [0, 1, 2, 3]) {
      const { rows, error } = await read((_arrived, token, reads) => (token >= 0 && reads === position ? make(token) : undefined));
      expect(error).toBeUndefined();
      expect(rows).toEqual(pageRows);
    }
  });

  it.each(Object.entries(passing).slice(0, 5))("%s for ever: a clear error, and no end of data", async (_trouble, make) => {
    const { rows, error, transport } = await read((_arrived, token, reads) => (token >= 0 && reads >= 2 ? make(token) : undefined));
    expect(rows).toEqual(pageRows.slice(0, 2 * perAnswer));
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({ errorName: "PAGE_TRANSPORT_TIMEOUT", remoteHost: transport.uri });
    expect((error as Error).message).toContain("Encountered too many errors talking to a worker node");
  });

  it.each(Object.entries(final))("%s, at any request: a clear error, and no end of data", async (_trouble, make) => {
    for (const position of [0, 1, 2, 3]) {
      const { rows, error } = await read((_arrived, token, reads) => (token >= 0 && reads === position ? make(token) : undefined));
      expect(error).toMatchObject({
        errorName: "PAGE_TRANSPORT_ERROR",
        message: expect.stringMatching(/Error fetching http.*\/results\/0\//),
      });
      expect(rows).toEqual(pageRows.slice(0, position * perAnswer));
    }
  });

  it("a task that was started anew is another task: its pages do not follow", async () => {
    const { rows, error } = await read((_arrived, token, reads) =>
      token >= 0 && reads >= 2 ? answer(200, answerOf(token, "two").body, answerOf(token, "two").headers) : undefined,
    );
    expect(error).toMatchObject({ errorName: "REMOTE_TASK_MISMATCH" });
    expect(rows).toEqual(pageRows.slice(0, 2 * perAnswer));
  });

  it("the rows are complete whatever becomes of the last message", async () => {
    for (const last of [answer(503), answer(404), { kind: "reset" } as const, answer(204)]) {
      let deletes = 0;
      const { rows, error } = await read((arrived) => (arrived.method === "DELETE" && deletes++ === 0 ? last : undefined));
      expect(error).toBeUndefined();
      expect(rows).toEqual(pageRows);
    }
  });
});
