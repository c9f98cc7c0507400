/** Threads that say what a worker's thread says, without its engine. */
import { describe, expect, it } from "vitest";
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
});
