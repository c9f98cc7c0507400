/**
 * Threads that speak the worker thread's protocol, without its engine.
 */
import { once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpResponse, noBody } from "../../../src/ports/network.ts";
import { InProcessTransport } from "../../../src/server/transport/in-process.ts";
import { type ThreadStart, WorkerThreads } from "../../../src/server/threads/worker-threads.ts";

function script(body: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from "node:worker_threads";${body}`)}`);
}

function start(nodeId: string): ThreadStart {
  return {
    nodeId,
    host: "127.0.0.1",
    externalHost: "",
    environmentName: "test",
    properties: {},
    secret: "0123456789abcdef",
    catalogs: [],
    memoryBytes: 0,
    limits: {},
    allowedHosts: [],
    logLevel: "silent",
    recording: undefined,
    tls: undefined,
    isClosedToUsers: false,
    spillFolder: "",
  };
}

interface Opened {
  readonly threads: WorkerThreads;
  readonly ports: MessagePort[];
  /** One sentence for each death so far. */
  readonly died: string[];
  readonly folders: string[];
  /** Resolves after this many deaths. */
  deaths(count: number): Promise<void>;
}

const opened: WorkerThreads[] = [];

afterEach(async () => {
  for (const threads of opened.splice(0)) {
    await threads.terminate();
  }
});

function open(body: string): Opened {
  const died: string[] = [];
  const folders: string[] = [];
  const ports: MessagePort[] = [];
  const watchers = new Set<() => void>();
  const threads = new WorkerThreads({
    entry: script(body),
    onChannel: (port) => ports.push(port),
    onDeath: ({ nodeId, message, againMs }) => {
      died.push(`${nodeId}: ${message}${againMs === undefined ? "" : `, again in ${againMs} ms`}`);
      watchers.forEach((watch) => watch());
    },
    onFolder: (path) => folders.push(path),
    againMsMin: 1,
    againMsMax: 4,
  });
  opened.push(threads);
  return {
    threads,
    ports,
    died,
    folders,
    deaths: (count) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (died.length >= count) {
            resolve();
          }
        };
        watchers.add(watch);
        watch();
      }),
  };
}

describe("worker threads", () => {
  it("end by themselves on request, which is not reported as a death", async () => {
    const { threads, died } = open(`parentPort.on("message", (message) => { if (message.kind === "close") process.exit(0); });`);
    threads.start(start("worker-1"));
    threads.start(start("worker-2"));
    threads.send({ kind: "join", coordinatorUri: "http://127.0.0.1:1" });
    threads.send({ kind: "close" });
    await threads.ended();
    expect(died).toEqual([]);
  });

  it("tell why they could not start, or died of a bug, or just ended, and are started again after a while that grows", async () => {
    for (const [body, why] of [
      [
        `parentPort.postMessage({ kind: "failed", message: "no memory for " + workerData.nodeId }); process.exit(1);`,
        "no memory for worker-1",
      ],
      [`throw new Error("a broken invariant");`, "a broken invariant"],
      [`process.exit(7);`, "exit code 7"],
    ] as const) {
      const { threads, died, deaths } = open(body);
      threads.start(start("worker-1"));
      await deaths(4);
      expect(died.slice(0, 4)).toEqual([1, 2, 4, 4].map((ms) => `worker-1: ${why}, again in ${ms} ms`));
      await threads.terminate();
    }
  });

  it("are not started again when they were told to leave", async () => {
    const { threads, died, folders } = open(`
      parentPort.postMessage({ kind: "listening", uri: "http://worker-1", folder: "/its/own" });
      parentPort.postMessage({ kind: "ended" });
      process.exit(0);`);
    threads.start(start("worker-1"));
    await threads.ended();
    expect(died).toEqual(["worker-1: it was told to leave"]);
    // The thread has removed its own directory.
    expect(folders).toEqual([]);
  });

  it("are told again where to join, and what a dead one left is told of", async () => {
    const { threads, died, folders, deaths } = open(`
      parentPort.postMessage({ kind: "listening", uri: "http://" + workerData.nodeId, folder: "/of/" + workerData.nodeId });
      parentPort.on("message", ({ kind, coordinatorUri }) => { if (kind === "join") throw new Error("joined " + coordinatorUri); });`);
    threads.start(start("worker-1"));
    threads.send({ kind: "join", coordinatorUri: "http://home" });
    await deaths(3);
    expect(died.slice(0, 2)).toEqual(["worker-1: joined http://home, again in 1 ms", "worker-1: joined http://home, again in 2 ms"]);
    expect(folders.slice(0, 2)).toEqual(["/of/worker-1", "/of/worker-1"]);
  });

  it("can be ended without being asked", async () => {
    const { threads, died } = open(`setInterval(() => undefined, 1000);`);
    threads.start(start("worker-1"));
    await threads.terminate();
    expect(died).toEqual([]);
  });

  it("connect to each other and the main thread, and requests to a thread that ends are reset", async () => {
    // Each thread announces itself on every channel that it gets. It answers requests with its number of channels, or exits.
    const { threads, ports, deaths } = open(`
      let met = 0;
      parentPort.on("message", ({ kind, port }) => {
        if (kind !== "connect") return;
        met++;
        port.on("message", (messages) => {
          for (const message of messages) {
            if (message.kind !== "request") continue;
            if (message.url === "/end") process.exit(0);
            port.postMessage([{ kind: "answer", id: message.id, status: 200 + met, headers: {}, body: new Uint8Array(0) }]);
          }
        });
        port.postMessage([{ kind: "here", uri: "http://" + workerData.nodeId }]);
      });`);
    const names = ["worker-1", "worker-2", "worker-3"];
    for (const name of names) {
      threads.start(start(name));
    }
    expect(ports).toHaveLength(3);
    const inProcess = new InProcessTransport();
    const heard = ports.map((port) => once(port, "message"));
    for (const port of ports) {
      inProcess.connect(port);
    }
    await Promise.all(heard);
    const ask = (name: string, path: string): Promise<HttpResponse> | undefined =>
      inProcess.request({ method: "GET", url: `http://${name}${path}`, headers: {}, body: noBody }, { timeoutMs: 20_000, label: "test" });
    for (const name of names) {
      // Two siblings and the main thread. The order in which they connect is not determined, so the test polls until all are connected.
      let status: number | undefined;
      for (let count = 0; count < 1000 && status !== 203; count++) {
        status = (await ask(name, "/count"))?.status;
      }
      expect(status, name).toBe(203);
    }
    await expect(ask("worker-2", "/end")).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
    expect(ask("worker-2", "/count")).toBeUndefined();
    // The other threads continue; they may already be connected to the replacement.
    expect([203, 204]).toContain((await ask("worker-1", "/count"))?.status);
    expect(ask("elsewhere", "/count")).toBeUndefined();
    // The replacement connects to all running threads.
    await deaths(1);
    while (ports.length < 4) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const port = ports[3] as MessagePort;
    const here = once(port, "message");
    inProcess.connect(port);
    await here;
    for (const [name, met] of [
      ["worker-2", 203],
      ["worker-1", 204],
      ["worker-3", 204],
    ] as const) {
      let status: number | undefined;
      for (let count = 0; count < 1000 && status !== met; count++) {
        status = (await ask(name, "/count"))?.status;
      }
      expect(status, name).toBe(met);
    }
    inProcess.close();
  });
});
