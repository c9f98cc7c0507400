/**
 * The situations in which the transports are compared. Each describes the observation over real sockets and, if the simulated network can
 * bring it about, the observation there. The descriptions are compared, so differences are found, not declared.
 */
import { type Headers, type HttpResponse, noBody } from "../../src/ports/network.ts";
import { addedHeaders, bodyBytesMax, handledTimes, ObservedHandler, ok, outcomeOf, placeOfB } from "./observation.ts";
import { eventually, type RawPeer, RealSide } from "./real-side.ts";
import { SimulatedSide } from "./simulated-side.ts";
import type { MessageFate } from "../world/fates.ts";

export interface Situation {
  readonly name: string;
  readonly real: () => Promise<string>;
  readonly simulated?: () => Promise<string>;
  /** Consequence of the difference for readers of a simulated run. */
  readonly remark?: string;
}

const noSuchHost = "http://no-such-host.invalid:8080/x";
const never: Promise<HttpResponse> = new Promise(() => undefined);
const request = "a>b ask #1 request";
const answer = "a>b ask #1 answer";

async function real<T>(tell: (side: RealSide) => Promise<T>): Promise<T> {
  const side = new RealSide();
  try {
    return await tell(side);
  } finally {
    await side.close();
  }
}

/**
 * A situation in which the sender times out after its request has arrived. The required time depends on the machine: if `tell` returns
 * undefined because the request had not arrived in time, the situation is repeated with twice the time-out.
 */
async function realInTime(tell: (side: RealSide, timeoutMs: number) => Promise<string | undefined>): Promise<string> {
  for (let timeoutMs = 250; timeoutMs < 120_000; timeoutMs *= 2) {
    const told = await real((side) => tell(side, timeoutMs));
    if (told !== undefined) {
      return told;
    }
  }
  return "the request never arrived";
}

async function simulated(tell: (side: SimulatedSide) => Promise<string>, fates: readonly MessageFate[] = []): Promise<string> {
  return tell(new SimulatedSide(fates));
}

/** A peer below HTTP has no handler, so only the sender's result is described. */
function peerTells(method: "GET" | "POST", peer: RawPeer): () => Promise<string> {
  return () =>
    real(async (side) => {
      const requests = await side.servePeer(peer);
      const outcome = await outcomeOf(side.ask(method));
      return `${outcome}, ${handledTimes(requests())}`;
    });
}

function fateTells(method: "GET" | "POST", fates: readonly MessageFate[]): () => Promise<string> {
  return () =>
    simulated(async (side) => {
      const handler = new ObservedHandler(() => Promise.resolve(ok()));
      await side.serve(handler);
      const outcome = await side.settle(outcomeOf(side.ask(method)));
      return `${outcome}, ${handler.describe()}`;
    }, fates);
}

/** Runs the same handler and request on both sides. */
function both(
  name: string,
  ask: { readonly method: "GET" | "POST" | "HEAD"; readonly headers?: Headers; readonly body?: Uint8Array; readonly path?: string },
  answered: () => HttpResponse,
  tell: (handler: ObservedHandler, outcome: string, response: HttpResponse | undefined) => string,
  remark?: string,
): Situation {
  const question = { headers: ask.headers ?? {}, body: ask.body ?? noBody, url: `${placeOfB}${ask.path ?? "/x"}` };
  const keep = (asked: Promise<HttpResponse>, kept: HttpResponse[]): Promise<HttpResponse> =>
    asked.then((response) => {
      kept.push(response);
      return response;
    });
  return {
    name,
    ...(remark === undefined ? {} : { remark }),
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => Promise.resolve(answered()));
        const kept: HttpResponse[] = [];
        await side.serve(handler);
        return tell(handler, await outcomeOf(keep(side.ask(ask.method, { request: question }), kept)), kept[0]);
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => Promise.resolve(answered()));
        const kept: HttpResponse[] = [];
        await side.serve(handler);
        return tell(handler, await side.settle(outcomeOf(keep(side.ask(ask.method, { request: question }), kept))), kept[0]);
      }),
  };
}

const outcomeAndRuns = (handler: ObservedHandler, outcome: string): string => `${outcome}, ${handler.describe()}`;

const arrivals: readonly Situation[] = [
  both("a request and its response", { method: "POST" }, () => ok("yes"), outcomeAndRuns),
  both(
    "a response with status 503",
    { method: "GET" },
    () => ({ status: 503, headers: { "retry-after": "1" }, body: noBody }),
    outcomeAndRuns,
  ),
  both(
    "a response with status 307",
    { method: "GET" },
    () => ({ status: 307, headers: { location: "http://b:8080/y" }, body: noBody }),
    outcomeAndRuns,
  ),
  both(
    "a body of a million bytes both ways",
    { method: "POST", body: new Uint8Array(1_000_000).fill(7) },
    () => ok(new Uint8Array(1_000_000).fill(9)),
    (handler, outcome, response) => `${outcome}, ${handler.bodies[0]?.length} bytes there, ${response?.body.length} back`,
  ),
  both(
    "a header that occurs twice",
    { method: "GET", headers: { "x-two": ["1", "2"] } },
    () => ok("", { "x-two": ["3", "4"] }),
    (handler, outcome, response) =>
      `${outcome}, ${JSON.stringify(handler.headers[0]?.["x-two"])} there, ${JSON.stringify(response?.headers["x-two"])} back`,
  ),
  both(
    "a header given as a list of one value",
    { method: "GET", headers: { "x-one": ["1"] } },
    () => ok("", { "x-one": ["3"] }),
    (handler, outcome, response) =>
      `${outcome}, ${JSON.stringify(handler.headers[0]?.["x-one"])} there, ${JSON.stringify(response?.headers["x-one"])} back`,
  ),
  both(
    "header names in capitals",
    { method: "GET", headers: { "X-Mixed-Case": "1" } },
    () => ok("", { "X-Mixed-Case": "2" }),
    (handler, outcome, response) =>
      `${outcome}, ${Object.keys(handler.headers[0] ?? {}).find((key) => /mixed/i.test(key))} there, ${Object.keys(response?.headers ?? {}).find((key) => /mixed/i.test(key))} back`,
  ),
  both(
    "a header value with spaces around it",
    { method: "GET", headers: { "x-spaces": " a " } },
    () => ok("", { "x-spaces": " b " }),
    (handler, outcome, response) =>
      `${outcome}, "${String(handler.headers[0]?.["x-spaces"])}" there, "${String(response?.headers["x-spaces"])}" back`,
  ),
  both(
    "a header value that HTTP cannot carry",
    { method: "GET", headers: { "x-bad": "line\nbreak" } },
    () => ok(),
    outcomeAndRuns,
    "A node that put such text into a header would fail on real sockets only.",
  ),
  both(
    "a response header value that HTTP cannot carry",
    { method: "GET" },
    () => ok("", { "x-bad": "line\nbreak" }),
    outcomeAndRuns,
    "A node that put such text into a response header would fail on real sockets only.",
  ),
  both(
    "headers that the transport adds to a request",
    { method: "POST", headers: { "x-own": "1" }, body: new Uint8Array(3) },
    () => ok(),
    (handler) => addedHeaders(handler.headers[0], { "x-own": "1" }),
    "No node reads them: links come from RequestContext.baseUri, lengths from the body.",
  ),
  both(
    "headers that the transport adds to a response",
    { method: "GET" },
    () => ok("yes", { "x-own": "1" }),
    (_handler, _outcome, response) => addedHeaders(response?.headers, { "x-own": "1" }),
    "Clients may read `date` and `connection`; nodes read neither.",
  ),
  both(
    "the address at which the peer received the request",
    { method: "GET" },
    () => ok(),
    (handler) => (handler.baseUris[0] ?? "").replace(/\/\/(127\.0\.0\.1:\d+|b:8080)$/, "//the requested address"),
  ),
  both(
    "HEAD of something with a body",
    { method: "HEAD" },
    () => ok("body"),
    (handler, outcome, response) => `${outcome}, ${handler.describe()}, ${response?.body.length} bytes back`,
  ),
  both(
    "204 with a body",
    { method: "GET" },
    () => ({ status: 204, headers: {}, body: new Uint8Array(5) }),
    (_handler, outcome, response) => `${outcome}, ${response?.body.length} bytes back`,
  ),
  both(
    "a path with an invalid encoding",
    { method: "GET", path: "/v1/%zz" },
    () => ok(),
    outcomeAndRuns,
    "Real requests of this kind never reach a node's routes.",
  ),
  both(
    "a request with a body larger than the node accepts",
    { method: "POST", body: new Uint8Array(bodyBytesMax + 1) },
    () => ok(),
    outcomeAndRuns,
    "Simulated statements are far smaller.",
  ),
  both(
    "headers of three million bytes",
    { method: "GET", headers: { "x-large": "x".repeat(3_000_000) } },
    () => ok(),
    outcomeAndRuns,
    "Sessions with that much prepared text are rejected before a node sees them.",
  ),
];

const failures: readonly Situation[] = [
  {
    name: "no process listens at the address",
    real: () =>
      real(async (side) => {
        await side.serveNobody();
        return `${await outcomeOf(side.ask("POST"))}, never handled`;
      }),
    simulated: () => simulated(async (side) => `${await side.settle(outcomeOf(side.ask("POST")))}, never handled`),
  },
  {
    name: "no such host",
    real: () => real((side) => outcomeOf(side.ask("POST", { request: { url: noSuchHost } }))),
    simulated: () => simulated((side) => side.settle(outcomeOf(side.ask("POST", { request: { url: noSuchHost } })))),
  },
  {
    name: "an invalid address",
    real: () => real((side) => outcomeOf(side.ask("GET", { request: { url: "no address" } }))),
    simulated: () => simulated((side) => side.settle(outcomeOf(side.ask("GET", { request: { url: "no address" } })))),
  },
  {
    name: "the connection is reset before the request is read (POST)",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serveResets();
        return `${await outcomeOf(side.ask("POST"))}, ${handler.describe()}`;
      }),
    simulated: fateTells("POST", [{ message: request, kind: "reset" }]),
  },
  {
    name: "the connection is reset after the request was read (POST)",
    real: peerTells("POST", (socket) => socket.resetAndDestroy()),
    simulated: fateTells("POST", [{ message: answer, kind: "reset" }]),
  },
  {
    name: "the connection breaks once (GET, which is retried)",
    real: peerTells("GET", (socket, number) => {
      if (number === 0) {
        socket.destroy();
      } else {
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      }
    }),
    simulated: fateTells("GET", [{ message: request, kind: "duplicated" }]),
  },
  {
    name: "the connection ends in the middle of the body",
    real: peerTells("POST", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it")),
    simulated: fateTells("POST", [{ message: answer, kind: "truncated" }]),
  },
  {
    name: "the connection is reset in the middle of the body",
    real: peerTells("POST", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it", () => socket.resetAndDestroy());
    }),
    simulated: fateTells("POST", [{ message: answer, kind: "truncated" }]),
  },
  {
    name: "a response that is not HTTP",
    real: peerTells("POST", (socket) => socket.end("what?\r\n\r\n")),
    remark: "The peer is not a node. A simulated node never receives PROTOCOL_ERROR from a well-formed address.",
  },
  {
    name: "the connection is accepted and there is no response",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.servePeer(() => undefined);
        return `${await outcomeOf(side.ask("POST", { timeoutMs: 250 }))}, ${handler.describe()}`;
      }),
    simulated: fateTells("POST", [{ message: request, kind: "never-answered" }]),
  },
  {
    name: "half of a response arrives and then nothing",
    real: () =>
      realInTime(async (side, timeoutMs) => {
        const requests = await side.servePeer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it"));
        const outcome = await outcomeOf(side.ask("POST", { timeoutMs }));
        return requests() === 0 ? undefined : `${outcome}, ${handledTimes(requests())}`;
      }),
    simulated: async () => (await fateTells("POST", [{ message: answer, kind: "lost" }])()).replace(", told that the sender is gone", ""),
  },
  {
    name: "the request is lost",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => Promise.resolve(ok()));
        const relay = await side.serveThroughRelay(handler);
        relay.freeze();
        return `${await outcomeOf(side.ask("POST", { timeoutMs: 250 }))}, ${handler.describe()}`;
      }),
    simulated: fateTells("POST", [{ message: request, kind: "lost" }]),
  },
];

const departures: readonly Situation[] = [
  {
    name: "the sender times out while the handler waits",
    real: () =>
      realInTime(async (side, timeoutMs) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        const outcome = await outcomeOf(side.ask("POST", { timeoutMs }));
        if (handler.runs === 0) {
          return undefined;
        }
        await eventually(() => handler.toldOfAbort);
        return `${outcome}, ${handler.describe()}`;
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        return `${await side.settle(outcomeOf(side.ask("POST", { timeoutMs: 1_500 })))}, ${handler.describe()}`;
      }),
  },
  {
    name: "the sender aborts while the handler waits",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        let abort: () => void = () => undefined;
        const outcome = outcomeOf(side.ask("POST", { onAbortable: (given) => void (abort = given) }));
        await eventually(() => handler.runs > 0);
        abort();
        const told = await outcome;
        await eventually(() => handler.toldOfAbort);
        return `${told}, ${handler.describe()}`;
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        const outcome = outcomeOf(side.ask("POST", { onAbortable: (abort) => side.after(50, abort) }));
        return `${await side.settle(outcome)}, ${handler.describe()}`;
      }),
  },
  {
    name: "the sender's node ends while the handler waits",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        void outcomeOf(side.ask("POST"));
        await eventually(() => handler.runs > 0);
        await side.a.close();
        await eventually(() => handler.toldOfAbort);
        return handler.describe();
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        await side.a.serve(() => never);
        side.after(50, () => {
          side.world.endIncarnation(side.sender);
          side.network.crash("a");
        });
        await side.settle(outcomeOf(side.ask("POST")));
        return handler.describe();
      }),
  },
  {
    name: "the sender vanishes silently (half-open connection)",
    real: () =>
      realInTime(async (side, timeoutMs) => {
        const handler = new ObservedHandler(() => never);
        const relay = await side.serveThroughRelay(handler);
        let isOver = false;
        const outcome = outcomeOf(side.ask("POST", { timeoutMs })).finally(() => (isOver = true));
        await eventually(() => handler.runs > 0 || isOver);
        relay.freeze();
        return isOver ? undefined : `${await outcome}, ${handler.describe()}`;
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        side.after(50, () => {
          side.network.cut("a", "b");
          side.network.cut("b", "a");
        });
        return `${await side.settle(outcomeOf(side.ask("POST", { timeoutMs: 3_000 })))}, ${handler.describe()}`;
      }),
  },
  {
    name: "the receiver's node ends while the handler waits",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        const outcome = outcomeOf(side.ask("POST"));
        await eventually(() => handler.runs > 0);
        await side.b.close();
        return `${await outcome}, handled ${handler.runs === 1 ? "once" : handler.runs}`;
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => never);
        await side.serve(handler);
        side.after(50, () => {
          side.world.endIncarnation(side.receiver);
          side.network.crash("b");
        });
        return `${await side.settle(outcomeOf(side.ask("POST")))}, handled ${handler.runs === 1 ? "once" : handler.runs}`;
      }),
  },
  {
    name: "a handler that rejects",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => Promise.reject(new Error("bug")));
        await side.serve(handler);
        return `${await outcomeOf(side.ask("POST"))}, ${handler.describe()}`;
      }),
    simulated: () =>
      simulated(async (side) => {
        const handler = new ObservedHandler(() => Promise.reject(new Error("bug")));
        await side.serve(handler);
        try {
          return `${await side.settle(outcomeOf(side.ask("POST")))}, ${handler.describe()}`;
        } catch {
          return "the run fails";
        }
      }),
    remark: "Intended: in the simulator a handler that rejects is a bug of the engine and ends the run.",
  },
  {
    name: "a node sends a request to itself",
    real: () =>
      real(async (side) => {
        const handler = new ObservedHandler(() => Promise.resolve(ok()));
        await side.serve(handler);
        return `${await outcomeOf(side.b.request({ method: "GET", url: `${side.b.selfUri}/x`, headers: {}, body: noBody }, { timeoutMs: 5_000, label: "self" }))}, ${handler.describe()}`;
      }),
    simulated: () =>
      simulated(
        async (side) => {
          const handler = new ObservedHandler(() => Promise.resolve(ok()));
          await side.serve(handler);
          const asked = side.b.request(
            { method: "GET", url: "http://b:8080/x", headers: {}, body: noBody },
            { timeoutMs: 5_000, label: "self" },
          );
          return `${await side.settle(outcomeOf(asked))}, ${handler.describe()}`;
        },
        [{ message: "b>b self #1 request", kind: "lost" }],
      ),
    remark: "The simulated link of a node to itself can lose messages; the real one is a function call.",
  },
  {
    name: "the later of two requests is handled first",
    real: () =>
      real(async (side) => {
        const order: string[] = [];
        const handler = new ObservedHandler((_context, _run, asked) => {
          order.push(asked.url);
          return Promise.resolve(ok());
        });
        await side.serve(handler);
        const finishFirst = await side.askInHalves("/first");
        const second = await outcomeOf(side.ask("POST", { request: { url: `${placeOfB}/second` } }));
        const first = await finishFirst();
        return `${order.join(" ")}, ${second} and ${first.split(" ")[1]}`;
      }),
    simulated: () =>
      simulated(
        async (side) => {
          const order: string[] = [];
          const handler = new ObservedHandler((_context, _run, asked) => {
            order.push(asked.url);
            return Promise.resolve(ok());
          });
          await side.serve(handler);
          const [first, second] = ["/first", "/second"].map((path) => outcomeOf(side.ask("POST", { request: { url: placeOfB + path } })));
          const outcomes = await side.settle(Promise.all([second, first]).then((both) => both.join(" and ")));
          return `${order.join(" ")}, ${outcomes}`;
        },
        [{ message: request, kind: "delayed", extraNanos: 50_000_000 }],
      ),
  },
];

export const situations: readonly Situation[] = [...arrivals, ...failures, ...departures];
