/** Threads that say what a worker's thread says, without its engine. */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { type HttpResponse, noBody } from "../../../src/ports/network.ts";
import { Neighbours } from "../../../src/server/neighbours.ts";
import { type ThreadStart, WorkerThreads } from "../../../src/server/worker-threads.ts";

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
    catalogs: [],
    memoryBytes: 0,
    limits: {},
    allowedHosts: [],
    logLevel: "silent",
    recording: undefined,
    spillFolder: "",
  };
}

function open(body: string): { readonly threads: WorkerThreads; readonly deaths: Promise<string>; readonly died: string[] } {
  const died: string[] = [];
  let tell: (text: string) => void = () => undefined;
  const deaths = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const threads = new WorkerThreads(script(body), (nodeId, message) => {
    died.push(`${nodeId}: ${message}`);
    tell(died[0] as string);
  });
  return { threads, deaths, died };
}

describe("worker threads", () => {
  it("end by themselves when told to, and nobody calls it a death", async () => {
    const { threads, died } = open(`parentPort.on("message", (message) => { if (message.kind === "close") process.exit(0); });`);
    threads.start(start("worker-1"));
    threads.start(start("worker-2"));
    threads.send({ kind: "join", coordinatorUri: "http://127.0.0.1:1" });
    threads.send({ kind: "close" });
    await threads.ended();
    expect(died).toEqual([]);
  });

  it("tell why they could not start", async () => {
    const { threads, deaths } = open(
      `parentPort.postMessage({ kind: "failed", message: "no memory for " + workerData.nodeId }); process.exit(1);`,
    );
    threads.start(start("worker-1"));
    expect(await deaths).toBe("worker-1: no memory for worker-1");
    await threads.ended();
  });

  it("are told of when they die of a bug, or just end", async () => {
    const thrown = open(`throw new Error("a broken invariant");`);
    thrown.threads.start(start("worker-1"));
    expect(await thrown.deaths).toBe("worker-1: a broken invariant");
    const ended = open(`process.exit(7);`);
    ended.threads.start(start("worker-1"));
    expect(await ended.deaths).toBe("worker-1: exit code 7");
  });

  it("can be ended without being asked", async () => {
    const { threads, died } = open(`setInterval(() => undefined, 1000);`);
    threads.start(start("worker-1"));
    await threads.terminate();
    expect(died).toEqual([]);
  });

  it("meet each other and the main thread, and what is asked of one that ends is reset", async () => {
    // Each tells on every channel it gets; asked for anything, it answers with how many it has, or ends.
    const { threads } = open(`
      let met = 0;
      parentPort.on("message", ({ kind, port }) => {
        if (kind !== "meet") return;
        met++;
        port.on("message", (message) => {
          if (message.kind !== "request") return;
          if (message.url === "/end") process.exit(0);
          port.postMessage({ kind: "answer", id: message.id, status: 200 + met, headers: {}, body: new Uint8Array(0) });
        });
        port.postMessage({ kind: "here", uri: "http://" + workerData.nodeId });
      });`);
    const names = ["worker-1", "worker-2", "worker-3"];
    for (const name of names) {
      threads.start(start(name));
    }
    expect(threads.ports).toHaveLength(3);
    const neighbours = new Neighbours();
    const heard = threads.ports.map((port) => once(port, "message"));
    for (const port of threads.ports) {
      neighbours.meet(port);
    }
    await Promise.all(heard);
    const ask = (name: string, path: string): Promise<HttpResponse> | undefined =>
      neighbours.request({ method: "GET", url: `http://${name}${path}`, headers: {}, body: noBody }, { timeoutMs: 20_000, label: "test" });
    for (const name of names) {
      // Its two siblings and the main thread; which it hears of first is chance, so it is asked until it has met them all.
      let status: number | undefined;
      for (let count = 0; count < 1000 && status !== 203; count++) {
        status = (await ask(name, "/count"))?.status;
      }
      expect(status, name).toBe(203);
    }
    await expect(ask("worker-2", "/end")).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
    expect(ask("worker-2", "/count")).toBeUndefined();
    expect((await ask("worker-1", "/count"))?.status).toBe(203);
    expect(ask("elsewhere", "/count")).toBeUndefined();
    neighbours.close();
    await threads.terminate();
  });
});
