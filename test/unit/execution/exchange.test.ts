import { frameRowCount } from "../../../sim/checkers/protocol/frames.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExchangeClient } from "../../../src/execution/exchange/exchange.ts";
import { pagesDigestHeader, pagesMediaType } from "../../../src/protocol/documents/task.ts";
import { firstHeader } from "../../../src/protocol/http/headers.ts";
import { PagesDigest } from "../../../src/page/pages-digest.ts";
import { Frame } from "../../../src/page/frame.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { encodePage, sealed } from "../../../src/page/serde.ts";
import { joinFrames } from "../../support/frames.ts";
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import { noPoints } from "../../../src/ports/points.ts";
import { drain, refused, respond, ScriptedNetwork, settle, TestClock } from "./world.ts";

const memory = createNodeMemory({ sizeBytes: 65536 * 16 });

/** A frame identified by its number of rows. */
function numberedFrame(rows: number): Uint8Array {
  return sealed(encodePage(memory.linear, { positionCount: rows, selection: 0, columns: [] }));
}

/** A producer with its pages and the requests that fail. */
class Producer {
  readonly pages: readonly number[];
  readonly perRequest: number;
  failures: number;
  instanceId = "one";
  deleted = 0;
  /** The task is not there any more. */
  isGone = false;
  /** Of the pages that its reader had from a former run. */
  digest: string | undefined;

  constructor(options: { pages: readonly number[]; perRequest: number; failures: number }) {
    this.pages = options.pages;
    this.perRequest = options.perRequest;
    this.failures = options.failures;
  }

  async answer(request: HttpRequest): Promise<HttpResponse> {
    await Promise.resolve();
    if (this.failures > 0) {
      this.failures--;
      return this.failures % 2 === 0 ? respond(503) : refused();
    }
    if (request.method === "DELETE") {
      this.deleted++;
      return respond(204);
    }
    if (this.isGone) {
      return respond(404);
    }
    const token = Number(request.url.split("/").at(-1));
    this.digest ??= firstHeader(request.headers, pagesDigestHeader);
    const end = Math.min(this.pages.length, token + this.perRequest);
    const headers = {
      "x-engine-task-instance-id": this.instanceId,
      "x-engine-page-sequence-id": String(token),
      "x-engine-page-end-sequence-id": String(end),
      "x-engine-buffer-complete": String(end === this.pages.length),
      "content-type": pagesMediaType,
    };
    const frames = this.pages.slice(token, end).map(numberedFrame);
    return frames.length === 0 ? respond(204, headers) : respond(200, headers, joinFrames(frames));
  }
}

function open(producers: readonly Producer[], bufferBytes = 1000, awaitsSources = false, leavesTaken = false) {
  const clock = new TestClock();
  const network = new ScriptedNetwork((request) => (producers[Number(request.url.split("/")[5]?.slice(1))] as Producer).answer(request));
  const context = memory.root.child("exchange");
  const limits = {
    outputBufferBytesMax: 1000,
    exchangeBufferBytesMax: bufferBytes,
    exchangeResponseBytesMax: 500,
    exchangeErrorDurationMs: 5000,
    sliceNanosMax: 1e6,
    sliceWorkUnitsMax: 1000,
  };
  let received = 0;
  const onReceived = (): void => void received++;
  const leavesTakenBuffers = (): boolean => leavesTaken;
  const client = new ExchangeClient({
    clock,
    points: noPoints,
    network,
    limits,
    memory: context,
    onReceived,
    awaitsSources,
    leavesTakenBuffers,
  });
  for (const index of producers.keys()) {
    client.addSource(`http://host:80/v1/task/t${index}/results/0`, 1);
  }
  client.setNoMoreSources();
  return { clock, network, client, context, received: () => received };
}

/** Reads round-robin until all sources have ended. */
async function readAll(client: ExchangeClient, count: number): Promise<number[][]> {
  const received: number[][] = Array.from({ length: count }, () => []);
  const rotation = [...received.keys()];
  let turn = 0;
  while (rotation.length > 0) {
    const source = rotation[turn] as number;
    const polled = client.poll(source);
    if (polled.kind === "wait") {
      await client.blocked();
    } else if (polled.kind === "frame") {
      received[source]?.push(frameRowCount(polled.frame.bytes));
      turn = (turn + 1) % rotation.length;
    } else {
      rotation.splice(turn, 1);
      turn = turn >= rotation.length ? 0 : turn;
    }
  }
  return received;
}

describe("an exchange client", () => {
  it("brings every page once and in order, whatever fails on the way, and closes every buffer", async () => {
    const producer = fc.record({
      pages: fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 }),
      perRequest: fc.integer({ min: 1, max: 4 }),
      failures: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(producer, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 200 }), async (plans, bufferBytes) => {
        const producers = plans.map((plan) => new Producer(plan));
        const { clock, client, context, network, received: ends } = open(producers, bufferBytes);
        expect(ends()).toBe(0);
        const received = await settle(clock, readAll(client, producers.length));
        expect(received).toEqual(plans.map((plan) => plan.pages));
        expect(ends()).toBe(1);
        client.close();
        await drain(1000);
        while (clock.fireNext()) {
          await drain();
        }
        expect(producers.map(({ deleted }) => deleted)).toEqual(producers.map(() => 1));
        expect([clock.timers.size, network.inFlight, context.reservedBytes]).toEqual([0, 0, 0]);
        expect(client.info().clients.map(({ state }) => state)).toEqual(producers.map(() => "closed"));
        context.close();
      }),
      { numRuns: 50 },
    );
  });

  it("goes on at its page where a source was run again, and says which pages it has", async () => {
    const pages = fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pages, fc.integer({ min: 1, max: 4 }), fc.nat(12), async (all, perRequest, before) => {
        const [first, next, other] = [0, 1, 2].map(() => new Producer({ pages: all, perRequest, failures: 0 })) as [
          Producer,
          Producer,
          Producer,
        ];
        const { client, clock, context, network } = open([first, other], 1000, true);
        const [script, byName] = [
          network.script,
          new Map([
            ["t0", first],
            ["t1", other],
            ["t9", next],
          ]),
        ];
        network.script = (request) => byName.get(request.url.split("/")[5] ?? "")?.answer(request) ?? script(request);
        let answers = 0;
        const lost = first.answer.bind(first);
        first.answer = (request) => {
          first.isGone ||= answers++ === before;
          return lost(request);
        };
        const reading = settle(clock, readAll(client, 2));
        await drain(40);
        const had = client.info().clients[0]?.pagesReceived ?? 0;
        client.replaceSource("http://host:80/v1/task/t0/results/0", "http://host:80/v1/task/t9/results/0");
        expect(await reading).toEqual([all, all]);
        const digest = new PagesDigest();
        for (const rows of all.slice(0, had)) {
          digest.add(new Frame(numberedFrame(rows), { isForeign: true }));
        }
        expect(next.digest).toBe(had > 0 && had < all.length ? digest.text : undefined);
        client.close();
        await drain(200);
        expect([next.deleted, other.deleted]).toEqual([1, 1]);
        context.close();
      }),
      { numRuns: 100 },
    );
  });

  it("gives up after the error duration and says with whom", async () => {
    const { client, clock, context } = open([new Producer({ pages: [1], perRequest: 1, failures: 1000 })]);
    await expect(settle(clock, readAll(client, 1))).rejects.toMatchObject({
      errorName: "PAGE_TRANSPORT_TIMEOUT",
      remoteHost: "http://host:80",
    });
    client.close();
    context.close();
  });

  it("asks no more to close a buffer when that has failed for good", async () => {
    let closings = 0;
    const producer = new Producer({ pages: [1], perRequest: 1, failures: 0 });
    const { client, clock, context, network } = open([producer]);
    const script = network.script;
    network.script = (request) => {
      closings += Number(request.method === "DELETE");
      return request.method === "DELETE" ? Promise.resolve(respond(503)) : script(request);
    };
    await settle(clock, readAll(client, 1));
    await drain(1000);
    while (clock.fireNext()) {
      await drain();
    }
    expect(() => client.poll(0)).toThrow("Error closing remote buffer");
    const before = closings;
    client.close();
    await drain(1000);
    expect(before).toBeGreaterThanOrEqual(3);
    expect([closings, clock.timers.size, network.inFlight]).toEqual([before, 0, 0]);
    context.close();
  });

  it("takes another task under the same id for a mismatch, not for more data", async () => {
    const producer = new Producer({ pages: [1, 2], perRequest: 1, failures: 0 });
    const { client, clock, context, network } = open([producer], 1);
    const script = network.script;
    let answers = 0;
    network.script = (request) => {
      producer.instanceId = answers++ === 0 ? "one" : "two";
      return script(request);
    };
    await expect(settle(clock, readAll(client, 1))).rejects.toMatchObject({ errorName: "REMOTE_TASK_MISMATCH" });
    client.close();
    context.close();
  });

  it.each([
    ["another status", (): HttpResponse => respond(404)],
    ["another type", (): HttpResponse => respond(200, { "content-type": "text/html" })],
    ["no instance id", (): HttpResponse => respond(204, {})],
  ])("takes %s for a transport error", async (_name, answer) => {
    const { client, clock, context, network } = open([new Producer({ pages: [1], perRequest: 1, failures: 0 })], 1);
    network.script = () => Promise.resolve(answer());
    await expect(settle(clock, readAll(client, 1))).rejects.toMatchObject({ errorName: "PAGE_TRANSPORT_ERROR" });
    client.close();
    context.close();
  });

  it("closes a buffer that has given all its pages after a rest, or when its reader ends", async () => {
    for (const readerEnds of [false, true]) {
      const producer = new Producer({ pages: [1, 2], perRequest: 2, failures: 0 });
      const { client, clock, context } = open([producer]);
      const reading = readAll(client, 1);
      await drain(100);
      expect(await reading).toEqual([[1, 2]]);
      expect([producer.deleted, clock.timers.size, client.info().clients[0]?.state]).toEqual([0, 1, "completed"]);
      if (readerEnds) {
        client.close();
      } else {
        clock.fireNext();
      }
      await drain(100);
      expect([producer.deleted, clock.timers.size, client.info().clients[0]?.state]).toEqual([1, 0, "closed"]);
      client.close();
      await drain(100);
      expect(producer.deleted).toBe(1);
      context.close();
    }
  });

  it("leaves a buffer that has given all its pages to the coordinator, which deletes reader and producer, and closes the others", async () => {
    const [taken, unread] = [[1], [1, 2, 3]].map((pages) => new Producer({ pages, perRequest: 1, failures: 0 })) as [Producer, Producer];
    const { client, clock, context, network } = open([taken, unread], 1, false, true);
    while (client.poll(0).kind !== "end") {
      await drain(100);
    }
    client.close();
    await drain(100);
    expect([taken.deleted, unread.deleted]).toEqual([0, 1]);
    expect(client.info().clients.map(({ state }) => state)).toEqual(["closed", "closed"]);
    expect([clock.timers.size, network.inFlight]).toEqual([0, 0]);
    context.close();
  });

  it("tells the producer when it closes early", async () => {
    const producer = new Producer({ pages: [1, 2, 3], perRequest: 1, failures: 0 });
    const { client, context, network } = open([producer], 1);
    client.close();
    await drain();
    expect(producer.deleted).toBe(1);
    expect(network.inFlight).toBe(0);
    context.close();
  });
});
