/**
 * In-process networks that are connected: requests between them use a message port and behave as over HTTP.
 */
import fc from "fast-check";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type HttpRequest, type HttpResponse, noBody, type RequestHandler } from "../../../src/ports/network.ts";
import type { RealNetwork } from "../../../src/server/transport/network.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { closedAfterEach, kindOf, patient } from "../../support/real-networks.ts";

const bodyBytesMax = 1000;
const { open } = closedAfterEach();

function introduce(one: RealNetwork, other: RealNetwork): MessageChannel {
  const channel = new MessageChannel();
  one.connect(channel.port1);
  other.connect(channel.port2);
  return channel;
}

/** True if a request came over HTTP, whose clients send a Host header. */
function isHttp({ headers: named }: HttpRequest): boolean {
  return "host" in named;
}

/** Two connected nodes; the first has received the other's address through the channel. */
async function pair(
  handler: RequestHandler,
): Promise<{ readonly from: RealNetwork; readonly to: RealNetwork; readonly channel: MessageChannel }> {
  const [from, to] = [open({ bodyBytesMax }), open({ bodyBytesMax })];
  let arrived: HttpRequest | undefined;
  await from.serve(() => Promise.resolve({ status: 404, headers: {}, body: noBody }));
  await to.serve((request, context) => {
    arrived = request;
    return request.url === "/first" ? Promise.resolve({ status: 204, headers: {}, body: noBody }) : handler(request, context);
  });
  const channel = introduce(from, to);
  for (let count = 0; count < 1000 && (arrived === undefined || isHttp(arrived)); count++) {
    await from.request({ method: "GET", url: `${to.selfUri}/first`, headers: {}, body: noBody }, patient);
  }
  expect(arrived !== undefined && !isHttp(arrived)).toBe(true);
  return { from, to, channel };
}

/** Number of messages that the port has heard since, each with all that it carries. */
function heardBy(port: MessagePort): { messages: number; carried: number } {
  const heard = { messages: 0, carried: 0 };
  port.on("message", (message: readonly unknown[]) => {
    heard.messages++;
    heard.carried += message.length;
  });
  return heard;
}

const headers = fc.dictionary(
  fc.stringMatching(/^x-[a-z]{1,8}$/),
  fc.oneof(fc.stringMatching(/^[!-~]{1,20}$/), fc.array(fc.stringMatching(/^[!-~]{1,20}$/), { minLength: 2, maxLength: 3 })),
  { noNullPrototype: true },
);
const bytes = fc.uint8Array({ maxLength: bodyBytesMax });

/** Parts that count how often they are released; `shared` says which lie in shared memory. */
function lentParts(shared: readonly boolean[]) {
  const releases = shared.map(() => 0);
  const lent = shared.map((isShared, index) => {
    const part = new Uint8Array(isShared ? new SharedArrayBuffer(8) : new ArrayBuffer(8)).fill(index + 1);
    return { bytes: part, release: () => void (releases[index] = (releases[index] as number) + 1) };
  });
  return { lent, releases };
}

/** Resolves when the condition holds; the test's time-out ends a wait in vain. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("bytes that a node lends to another of its process", () => {
  const takesLent = { ...patient, takesLent: true };
  const get = (uri: string) => ({ method: "GET" as const, url: `${uri}/pages`, headers: {}, body: noBody });

  it("are the lender's own, and return when they are released", async () => {
    const { lent, releases } = lentParts([true, false, true]);
    const { from, to } = await pair((_request, context) =>
      Promise.resolve({ status: 200, headers: {}, body: noBody, ...(context.takesLent === true ? { lent } : {}) }),
    );
    const { lent: got = [] } = await from.request(get(to.selfUri), takesLent);
    expect(got.map(({ bytes: part }) => [...part])).toEqual(lent.map(({ bytes: part }) => [...part]));
    // What the message copied is returned at once. The rest is the same memory on both sides.
    expect(releases).toEqual([0, 1, 0]);
    lent[0]?.bytes.fill(9);
    expect(got[0]?.bytes[0]).toBe(9);
    got[1]?.release();
    got[2]?.release();
    await until(() => releases[2] === 1);
    expect(releases).toEqual([0, 1, 1]);
    got[0]?.release();
    await until(() => releases[0] === 1);
    expect(releases).toEqual([1, 1, 1]);
  });

  it("are not lent to a requester that did not ask for it", async () => {
    const takers: unknown[] = [];
    const { from, to } = await pair((_request, context) => {
      takers.push(context.takesLent);
      return Promise.resolve({ status: 200, headers: {}, body: noBody });
    });
    await from.request(get(to.selfUri), patient);
    expect(takers).toEqual([false]);
  });

  it("return when the requester has given up before the answer", async () => {
    const { lent, releases } = lentParts([true, true]);
    let answer: (() => void) | undefined;
    const { from, to } = await pair(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 200, headers: {}, body: noBody, lent });
        }),
    );
    let abort: () => void = () => undefined;
    const asked = from.request(get(to.selfUri), {
      ...takesLent,
      onAbortable: (given) => {
        abort = given;
      },
    });
    await until(() => answer !== undefined);
    abort();
    expect(await kindOf(asked)).toBe("ABORTED");
    answer?.();
    await until(() => releases.every((count) => count === 1));
    expect(releases).toEqual([1, 1]);
  });

  it("return when the requester's thread ends", async () => {
    const { lent, releases } = lentParts([true, true]);
    const { from, to } = await pair(() => Promise.resolve({ status: 200, headers: {}, body: noBody, lent }));
    const { lent: got = [] } = await from.request(get(to.selfUri), takesLent);
    expect(got).toHaveLength(2);
    got[0]?.release();
    await from.close();
    await until(() => releases.every((count) => count === 1));
    expect(releases).toEqual([1, 1]);
  });

  it("are copied when more are out than there are flags", async () => {
    const { lent, releases } = lentParts(Array.from({ length: 4100 }, () => true));
    const { from, to } = await pair(() => Promise.resolve({ status: 200, headers: {}, body: noBody, lent }));
    const { lent: got = [] } = await from.request(get(to.selfUri), takesLent);
    expect(got).toHaveLength(4100);
    expect(releases.filter((count) => count === 1)).toHaveLength(4);
    for (const part of got) {
      part.release();
    }
    await until(() => releases.every((count) => count === 1));
    expect(new Set(releases)).toEqual(new Set([1]));
  });
});

describe("nodes of one process that met", () => {
  it("give each other requests and answers to the byte, and keep their own", async () => {
    let arrived: HttpRequest | undefined;
    let answer: HttpResponse = { status: 200, headers: {}, body: noBody };
    const { from, to } = await pair((request) => {
      arrived = request;
      return Promise.resolve(answer);
    });
    const method = fc.constantFrom("GET" as const, "POST" as const, "PUT" as const, "DELETE" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.record({ method, path: fc.stringMatching(/^\/[!-~]{0,30}$/), headers, body: bytes }),
        fc.record({ status: fc.integer({ min: 200, max: 599 }), headers, body: bytes }),
        async ({ path, ...request }, response) => {
          // A view into a larger buffer, like most bodies.
          const whole = new Uint8Array(response.body.length + 7);
          whole.set(response.body, 3);
          answer = { ...response, body: whole.subarray(3, 3 + response.body.length) };
          const sent = { ...request, url: `${to.selfUri}${path}`, body: request.body.slice() };
          const got = await from.request(sent, patient);
          expect(arrived).toEqual({ ...request, url: path });
          expect(got).toEqual(response);
          expect(sent.body).toEqual(request.body);
          expect(answer.body).toEqual(response.body);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("ask each other many things at once, and each gets its own answer", async () => {
    const waiting: (() => void)[] = [];
    const { from, to } = await pair(
      (request) =>
        new Promise((resolve) => {
          waiting.push(() => resolve({ status: 200, headers: {}, body: request.body }));
          if (waiting.length === 100) {
            waiting.reverse().forEach((answer) => answer());
          }
        }),
    );
    const asked = Array.from({ length: 100 }, (_, index) =>
      from.request({ method: "POST", url: `${to.selfUri}/x`, headers: {}, body: Uint8Array.of(index) }, patient),
    );
    expect((await Promise.all(asked)).map(({ body }) => body[0])).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it("send what is asked in one go as one message, and the answers that are ready at once likewise", async () => {
    const { from, to, channel } = await pair((request) => Promise.resolve().then(() => ({ status: 200, headers: {}, body: request.body })));
    const [requests, answers] = [heardBy(channel.port2), heardBy(channel.port1)];
    const ask = async (index: number): Promise<number | undefined> => {
      // Some ask a few promises later than others.
      for (let count = 0; count < index; count++) {
        await Promise.resolve();
      }
      const { body } = await from.request({ method: "POST", url: `${to.selfUri}/x`, headers: {}, body: Uint8Array.of(index) }, patient);
      return body[0];
    };
    expect(await Promise.all([0, 1, 2, 3].map(ask))).toEqual([0, 1, 2, 3]);
    expect([requests, answers]).toEqual([
      { messages: 1, carried: 4 },
      { messages: 1, carried: 4 },
    ]);
  });

  it("return all that was lent when the lender closes before the message is sent", async () => {
    const { lent, releases } = lentParts([false, true]);
    const closing: Promise<void>[] = [];
    const { from, to } = await pair(async () => {
      const answer = { status: 200, headers: {}, body: noBody, lent };
      // The answer is on its way to the port by then.
      for (let count = 0; count < 10; count++) {
        await Promise.resolve();
      }
      void Promise.resolve().then(async () => {
        await Promise.resolve();
        closing.push(to.close());
      });
      return answer;
    });
    const asked = from.request({ method: "GET", url: `${to.selfUri}/pages`, headers: {}, body: noBody }, { ...patient, takesLent: true });
    await asked.catch(() => undefined);
    await until(() => releases.every((count) => count === 1));
    await Promise.all(closing);
    expect(releases).toEqual([1, 1]);
  });

  it("refuse a body that is too large as HTTP does", async () => {
    const { from, to } = await pair(() => Promise.reject(new Error("never asked")));
    const body = new Uint8Array(bodyBytesMax + 1);
    const answer = await from.request({ method: "POST", url: `${to.selfUri}/x`, headers: {}, body }, patient);
    expect(answer.status).toBe(413);
    expect(decodeUtf8(answer.body)).toBe("Request body is larger than 1000 bytes");
  });

  it("answer a plain 500 when the handler rejects", async () => {
    const { from, to } = await pair(() => Promise.reject(new Error("secret")));
    const answer = await from.request({ method: "GET", url: `${to.selfUri}/x`, headers: {}, body: noBody }, patient);
    expect(answer).toEqual({ status: 500, headers: { "content-type": "text/plain" }, body: noBody });
  });

  it.each([
    { how: "its time runs out", kind: "TIMEOUT", timeoutMs: 1, aborts: false },
    { how: "it is given up", kind: "ABORTED", timeoutMs: 20_000, aborts: true },
  ])("tell who answers that nobody waits any more when $how, once, and only of that request", async ({ kind, timeoutMs, aborts }) => {
    const told: string[] = [];
    let onRemoteFilter: () => void = () => undefined;
    const isTold = new Promise<void>((resolve) => {
      onRemoteFilter = resolve;
    });
    let finish: () => void = () => undefined;
    const { from, to } = await pair(
      ({ url }, context) =>
        new Promise((resolve) => {
          context.onAbort(() => {
            told.push(`${url} ${context.isAborted()}`);
            onRemoteFilter();
          });
          if (url === "/other") {
            finish = () => resolve({ status: 200, headers: {}, body: noBody });
          }
        }),
    );
    const other = from.request({ method: "GET", url: `${to.selfUri}/other`, headers: {}, body: noBody }, patient);
    let abort: () => void = () => undefined;
    const answer = from.request(
      { method: "GET", url: `${to.selfUri}/x`, headers: {}, body: noBody },
      { timeoutMs, label: "test", onAbortable: (call) => (abort = call) },
    );
    if (aborts) {
      abort();
      abort();
    }
    expect(await kindOf(answer)).toBe(kind);
    await isTold;
    finish();
    expect((await other).status).toBe(200);
    expect(told).toEqual(["/x true"]);
  });

  it("reset what is under way when one closes, on both ends, and are as far apart as others afterwards", async () => {
    let arrive: () => void = () => undefined;
    let abort: () => void = () => undefined;
    const hasArrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const isAborted = new Promise<void>((resolve) => {
      abort = resolve;
    });
    const { from, to } = await pair((_request, context) => {
      context.onAbort(abort);
      arrive();
      return new Promise(() => undefined);
    });
    const ask = (): Promise<HttpResponse> => from.request({ method: "GET", url: `${to.selfUri}/x`, headers: {}, body: noBody }, patient);
    const answer = ask();
    await hasArrived;
    await to.close();
    expect(await kindOf(answer)).toBe("CONNECTION_RESET");
    await isAborted;
    expect(await kindOf(ask())).toBe("CONNECTION_REFUSED");
  });
});
