/**
 * No host state reaches a simulated world: every route to time, entropy, host and other threads is tried inside an event, and must be
 * caught there and only there.
 */
import { execFileSync } from "node:child_process";
import { hostname } from "node:os";
import { getRandomValues, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { gzip, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drawRun } from "../../../sim/draw/draw.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { TrapError, Traps } from "../../../sim/world/traps.ts";
import { World } from "../../../sim/world/world.ts";
import { runPlan } from "../../../sim/run.ts";

let traps: Traps;

beforeEach(() => {
  traps = new Traps();
});

afterEach(() => {
  traps.release();
});

const forever = { untilNanos: Number.MAX_SAFE_INTEGER, eventsMax: 100, done: (): boolean => false };

/** The world's verdict on an event that calls `act`. */
async function inEvent(act: () => unknown): Promise<unknown> {
  const world = new World({ streams: StreamTree.root("traps"), traps });
  world.at(5, "before", () => undefined);
  world.at(10, "try it", () => {
    act();
  });
  return world.run(forever).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const event = new Event("made outside");
const formatter = new Intl.DateTimeFormat("de");
const collator = new Intl.Collator("de");
const reference = new WeakRef({});
const registry = new FinalizationRegistry(() => undefined);
const file = new File([], "name");
const shared = new Int32Array(new SharedArrayBuffer(4));
const OtherDate = new Date(0).constructor as DateConstructor;
// Node 22 and later.
const globals = globalThis as unknown as { readonly navigator?: { readonly hardwareConcurrency: number } };

const routes: readonly (readonly [name: string, act: () => unknown])[] = [
  ["Date.now", () => Date.now()],
  ["new Date()", () => new Date()],
  ["Date()", () => (Date as unknown as () => string)()],
  ["new Date()", () => Reflect.construct(Date, [])],
  ["new Date()", () => Reflect.construct(Object, [], Date) && new (class extends Date {})()],
  ["new Date()", () => new (new Date(0).constructor as DateConstructor)()],
  ["new Date(year, month, ...)", () => new Date(2020, 1, 1)],
  ["new Date(text)", () => new Date("2020-01-01 00:00")],
  ["Date.prototype.getTimezoneOffset", () => new Date(0).getTimezoneOffset()],
  ["Date.prototype.getHours", () => new Date(0).getHours()],
  ["Date.prototype.toString", () => `${new Date(0)}`],
  ["Intl.DateTimeFormat", () => new Intl.DateTimeFormat().format()],
  ["Intl.DateTimeFormat.prototype.format", () => formatter.format()],
  ["Intl.Collator.prototype.compare", () => ["a", "b"].sort(collator.compare)],
  ["Intl.NumberFormat", () => new Intl.NumberFormat()],
  ["performance.now", () => performance.now()],
  ["performance.timeOrigin", () => performance.timeOrigin],
  ["performance.mark", () => performance.mark("m")],
  ["process.hrtime", () => process.hrtime()],
  ["process.hrtime.bigint", () => process.hrtime.bigint()],
  ["process.uptime", () => process.uptime()],
  ["process.cpuUsage", () => process.cpuUsage()],
  ["process.resourceUsage", () => process.resourceUsage()],
  ["process.memoryUsage", () => process.memoryUsage()],
  ["process.memoryUsage.rss", () => process.memoryUsage.rss()],
  ["process.pid", () => process.pid],
  ["process.ppid", () => process.ppid],
  ["process.env", () => process.env["HOME"]],
  ["process.argv", () => process.argv],
  ["process.version", () => process.version],
  ["process.platform", () => process.platform],
  ["process.cwd", () => process.cwd()],
  ["process.exit", () => process.exit(0)],
  ["process.getBuiltinModule", () => process.getBuiltinModule("node:os")],
  ["Event.prototype.timeStamp", () => event.timeStamp],
  ["File.prototype.lastModified", () => file.lastModified],
  ["Math.random", () => Math.random()],
  ["crypto.randomUUID", () => crypto.randomUUID()],
  ["crypto.getRandomValues", () => crypto.getRandomValues(new Uint8Array(4))],
  ["crypto.subtle.digest", () => crypto.subtle.digest("SHA-256", new Uint8Array(1))],
  ["node:crypto.randomUUID", () => randomUUID()],
  ["node:crypto.randomBytes", () => randomBytes(4)],
  ["crypto.getRandomValues", () => getRandomValues(new Uint8Array(4))],
  ["setTimeout", () => setTimeout(() => undefined, 0)],
  ["setInterval", () => setInterval(() => undefined, 1)],
  ["setImmediate", () => setImmediate(() => undefined)],
  ["process.nextTick", () => process.nextTick(() => undefined)],
  ["node:timers/promises.setTimeout", () => sleep(0)],
  ["AbortSignal.timeout", () => AbortSignal.timeout(1)],
  ["fetch", () => fetch("http://localhost")],
  ["WeakRef", () => new WeakRef({})],
  ["WeakRef.prototype.deref", () => reference.deref()],
  ["FinalizationRegistry", () => new FinalizationRegistry(() => undefined)],
  ["FinalizationRegistry.prototype.register", () => registry.register({}, 1)],
  ["String.prototype.localeCompare", () => "a".localeCompare("b")],
  ["String.prototype.toLocaleLowerCase", () => "I".toLocaleLowerCase()],
  ["Number.prototype.toLocaleString", () => (1234).toLocaleString()],
  ["BigInt.prototype.toLocaleString", () => 1n.toLocaleString()],
  ["Array.prototype.toLocaleString", () => [1].toLocaleString()],
  ["TypedArray.prototype.toLocaleString", () => new Uint8Array(1).toLocaleString()],
  ["Date.prototype.toLocaleDateString", () => new Date(0).toLocaleDateString()],
  ["Atomics.wait", () => Atomics.wait(shared, 0, 0, 1)],
  ["MessageChannel", () => new MessageChannel()],
  ["BroadcastChannel", () => new BroadcastChannel("b")],
  ["Blob.prototype.arrayBuffer", () => new Blob(["x"]).arrayBuffer()],
  [
    "WebAssembly.compile",
    () => (globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): unknown } }).WebAssembly.compile(new Uint8Array(8)),
  ],
  ["node:worker_threads.Worker", () => new Worker("0", { eval: true })],
  ["node:zlib.gzip", () => gzip("x", () => undefined)],
  ["node:child_process.execFileSync", () => execFileSync("true")],
  ["node:fs.readFileSync", () => readFileSync("package.json")],
  ["node:fs/promises.readFile", () => readFile("package.json")],
  ["node:os.hostname", () => hostname()],
];

describe("a route to the real world", () => {
  it.each(routes)("%s is caught, with the event that took it and what to take instead", async (name, act) => {
    const error = await inEvent(act);
    expect(error).toBeInstanceOf(TrapError);
    expect((error as TrapError).route.name).toBe(name);
    expect((error as TrapError).message).toMatch(
      /^event 2 \(try it on world at 0\.000000 s\) used .*: .*(port|engine|host|compare|free|turns)/,
    );
  });

  it("is caught by whatever name: every one of the list throws its own name", async () => {
    // Checked on the patched objects, so that every route in the list really is patched.
    const names = new Set(traps.routes.map(({ name }) => name));
    expect(names.size).toBeGreaterThan(400);
    for (const [name] of routes) {
      expect(names).toContain(name);
    }
  });

  it.runIf(globals.navigator !== undefined)("navigator tells nothing of the host where it exists", async () => {
    const error = await inEvent(() => globals.navigator?.hardwareConcurrency);
    expect((error as TrapError).route.name).toBe("navigator.hardwareConcurrency");
  });

  it("is caught in what the event's promises do later, and also when the error is swallowed", async () => {
    const error = await inEvent(() => {
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => Math.random())
        .catch(() => undefined);
    });
    expect((error as TrapError).route.name).toBe("Math.random");
    const swallowed = await inEvent(() => {
      try {
        Date.now();
      } catch {
        return;
      }
    });
    expect((swallowed as TrapError).route.name).toBe("Date.now");
  });
});

describe("what an event may do", () => {
  it.each<readonly [string, () => unknown]>([
    ["dates from a number, in UTC", () => new Date(1_000).toISOString() + Date.UTC(2020, 1) + new Date(0).getTime()],
    ["microtasks", () => queueMicrotask(() => undefined)],
    ["copies", () => structuredClone({ a: [1] })],
    ["work that ends in its call", () => gzipSync("x")],
    ["other mathematics", () => Math.max(1, 2)],
    ["sorting by code units", () => ["b", "a"].sort()],
    ["encoding text", () => new TextDecoder().decode(new TextEncoder().encode("x"))],
  ])("%s", async (_, act) => {
    expect(await inEvent(act)).toBeUndefined();
  });
});

describe("the host", () => {
  it("keeps its clock, timers and entropy between events, in what a trace is written with, and afterwards", async () => {
    const seen: number[] = [];
    const world = new World({
      streams: StreamTree.root("host"),
      traps,
      trace: () => void seen.push(Date.now()),
      checkpoints: { everyEvents: 1, reached: () => void seen.push(performance.now()) },
    });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    for (let index = 0; index < 20; index++) {
      world.at(index, "note", () => world.note("w1", "timer", "x"));
    }
    await world.run({
      ...forever,
      done: () => {
        seen.push(Math.random());
        return false;
      },
    });
    clearInterval(timer);
    expect(seen.length).toBeGreaterThanOrEqual(20 + 20 + 21);
    expect(ticks).toBeGreaterThanOrEqual(0);
    expect(world.failure).toBeUndefined();
  });

  it("is as it was when the last run that wants traps is over", async () => {
    const patched = { date: Date, random: Math.random, uuid: randomUUID, now: performance.now };
    const second = new Traps();
    second.release();
    second.release();
    expect(Date).toBe(patched.date);
    traps.release();
    expect(Date).not.toBe(patched.date);
    expect(Date).toBe(OtherDate);
    expect(new Date().constructor).toBe(Date);
    expect(Math.random).not.toBe(patched.random);
    expect(performance.now).not.toBe(patched.now);
    expect(randomUUID).not.toBe(patched.uuid);
    expect(Object.getOwnPropertyDescriptor(process, "pid")).toHaveProperty("value");
  });

  it("has dates like any other while they are patched", () => {
    expect(new Date()).toBeInstanceOf(Date);
    expect(new Date(0).constructor).toBe(Date);
    expect(Date.length).toBe(7);
    expect(typeof Date()).toBe("string");
    expect(Date.parse("1970-01-01T00:00:01Z")).toBe(1_000);
    process.title = String(process.title);
    expect(process.pid).toBeGreaterThan(0);
  });
});

it("a node that reads the real clock is a violation of its own kind", async () => {
  const plan = drawRun("1");
  const { violations } = await runPlan(plan, {
    sabotage: (handler) => (request, context) => {
      if (request.url.startsWith("/v1/statement")) {
        Date.now();
      }
      return handler(request, context);
    },
  });
  expect(violations[0]).toMatchObject({ kind: "nondeterminism", oracle: "traps" });
  expect(violations[0]?.sentence).toMatch(/^event \d+ \(.* on c at .* s\) used Date\.now: real time; time comes from the Clock port$/);
});
