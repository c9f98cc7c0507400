/**
 * Replays one recorded task on a fresh node with a different clock, random numbers, slices and bounds. Its sources' pages are served from
 * the record in different portions, by places that do nothing else. Reports the first difference.
 */
import { nodeConfig } from "../../../src/config.ts";
import { testingCatalog } from "../../workload/features/testing-functions.ts";
import { createNode, type OrreryNode } from "../../../src/node.ts";
import { type KnobName, knobs, knobsOf, type KnobValues } from "../../../src/ports/knobs.ts";
import type { HttpRequest, HttpResponse, Network } from "../../../src/ports/network.ts";
import { joinBytes, sameBytes } from "../../../src/types/bytes.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { pagesMediaType } from "../../../src/protocol/documents/task.ts";
import { SimulatedClock } from "../../world/clock.ts";
import { calmDisk, SimulatedDisk } from "../../world/disk.ts";
import { calmLink } from "../../world/fates.ts";
import { SimulatedNetwork } from "../../world/network.ts";
import { type Stream, StreamTree } from "../../world/streams.ts";
import { drain, Incarnation, nanosPerSecond, World } from "../../world/world.ts";
import type { RunPlan } from "../../plan.ts";
import { nodeMemoryBytes, type SharedState } from "../../shared.ts";
import type { RecordedBuffer, RecordedTask } from "./data-plane.ts";
import { splitFrames } from "../protocol/frames.ts";
import { headerOf } from "../protocol/wire.ts";

const place = "again";
const reader = "reader";
/** Simulated time limit, longer than any recorded task takes. */
const patienceNanos = 300 * nanosPerSecond;
const eventsMax = 400_000;
const interpretedBytesMax = 96 * 1024;
/** Minimum splits per node for the interpreter; a task then reads a few thousand rows of a table. */
const interpretedSplitsMin = 4;
const upstreamDelayNanosMax = 5_000_000;
const upstreamWaitNanos = 2 * nanosPerSecond;
/** A point that always fires is part of the run's definition; other points only change the timing. */
const always = 1000;

export interface TaskReplay {
  readonly task: RecordedTask;
  readonly sources: ReadonlyMap<string, RecordedBuffer>;
  readonly plan: RunPlan;
  readonly shared: SharedState;
}

/** Returns undefined if every recorded page was reproduced; otherwise the difference, as the end of a sentence. */
export async function replayTask(replay: TaskReplay): Promise<string | undefined> {
  const { task, plan, shared } = replay;
  const streams = StreamTree.root(`again/${plan.seed}/${task.taskId}`);
  const world = new World({ streams });
  const network = new SimulatedNetwork(world, () => calmLink);
  serveSources(replay, world, network, streams.stream("portions"));
  const wasmMemory = shared.takeMemory();
  const incarnation = new Incarnation(place, 1);
  const disk = new SimulatedDisk(world, { stream: streams.stream("disk"), conditions: calmDisk });
  const quiet = (): void => undefined;
  const starting = createNode(
    nodeConfig(
      {
        nodeId: place,
        role: "worker",
        catalogs: [
          testingCatalog,
          {
            name: "tpch",
            properties: {
              "connector.name": "tpch",
              "tpch.double-type-mapping": "DECIMAL",
              "tpch.splits-per-node": String(plan.splitsPerNode),
            },
          },
        ],
      },
      {
        ...plan.properties,
        "node.kernel-backend": isSmall(replay) && streams.stream("backend").chance(1, 2) ? "interpreter" : "wasm",
        "node.memory": `${nodeMemoryBytes}B`,
        "query.max-memory-per-node": "60MB",
        // No coordinator asks for the task, and thousands of tiny pages take their time.
        "task.client.timeout": "1h",
        // A task that fails while nobody asks is still known afterwards.
        "task.info.max-age": "1h",
        "sink.max-buffer-size": streams.stream("bounds").pick(["16kB", "300kB", "32MB"]),
        "task.max-slice-rows": streams.stream("slices").pick(["100", "777", "5000"]),
      },
    ),
    {
      clock: new SimulatedClock(world, incarnation, {
        offsetMs: () => 86_400_000,
        driftPpm: () => 100,
        nanosPerWorkUnit: 7,
        slowness: () => 1,
      }),
      network: network.attach(incarnation),
      random: streams.child("node").asRandom(),
      storage: disk.open(incarnation),
      openFolder: () => disk.open(incarnation),
      log: { info: quiet, warn: quiet, error: quiet },
      points: { fires: (point) => (plan.points?.[point] ?? 0) === always },
      knobs: knobsOf(outputKnobs(plan.knobs ?? {})),
    },
    { factories: shared.factories, modules: shared.modules, wasmMemory, instances: shared.instancesOf(wasmMemory) },
  );
  // Its ports respond only while the world runs.
  let started: OrreryNode | undefined;
  void starting.then((one) => {
    started = one;
  });
  await world.run({ untilNanos: patienceNanos, eventsMax, done: () => started !== undefined });
  const node = await starting;
  try {
    return await new Reading(replay, world, network.attach(new Incarnation(reader, 1)), node).difference();
  } finally {
    world.endIncarnation(incarnation);
    network.crash(place);
    await drain();
    shared.giveMemory(wasmMemory, node.memoryUse.highWaterBytes);
  }
}

/** The other knobs have their defaults here: a task gives the same bytes under any value of them. */
function outputKnobs(values: KnobValues): KnobValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => knobs[name as KnobName].effect === "output"));
}

/** Whether the pages and tables are small enough for the interpreter, whose kernels must produce the same bytes. */
function isSmall({ task, sources, plan }: TaskReplay): boolean {
  const bytes = [...sources.values()].reduce((sum, { frames }) => sum + frames.reduce((all, frame) => all + frame.length, 0), 0);
  return (!task.hasScans || plan.splitsPerNode >= interpretedSplitsMin) && bytes <= interpretedBytesMax;
}

/** Each host of a source serves the recorded pages in random portions. */
function serveSources({ sources }: TaskReplay, world: World, network: SimulatedNetwork, portions: Stream): void {
  const hosts = new Set([...sources.keys()].map((location) => /^http:\/\/([^:]+)/.exec(location)?.[1] ?? ""));
  for (const host of hosts) {
    void network.attach(new Incarnation(host, 1)).serve((request) => answerPages(host, request, { sources, world, portions }));
  }
}

function answerPages(
  host: string,
  request: HttpRequest,
  { sources, world, portions }: { readonly sources: TaskReplay["sources"]; readonly world: World; readonly portions: Stream },
): Promise<HttpResponse> {
  const [, path = "", tokenText = ""] = /^(\/v1\/task\/[^/]+\/results\/\d+)(?:\/(\d+))?/.exec(request.url) ?? [];
  const buffer = sources.get(`http://${host}:8080${path}`);
  if (request.method !== "GET" || buffer === undefined) {
    return Promise.resolve({ status: 204, headers: {}, body: new Uint8Array(0) });
  }
  const token = Number(tokenText);
  const frames = buffer.frames.slice(token, token + portions.between(1, 4));
  const end = token + frames.length;
  const complete = buffer.isWhole && end >= buffer.frames.length;
  const headers = {
    "x-engine-task-instance-id": `recorded${path.length}`,
    "x-engine-page-sequence-id": String(token),
    "x-engine-page-end-sequence-id": String(end),
    "x-engine-buffer-complete": String(complete),
  };
  if (frames.length > 0) {
    const answer: HttpResponse = { status: 200, headers: { ...headers, "content-type": pagesMediaType }, body: joinBytes(frames) };
    // Sources respond in a different order than in the recorded run.
    return new Promise((resolve) => world.at(world.nowNanos + portions.between(0, upstreamDelayNanosMax), "page", () => resolve(answer)));
  }
  const empty: HttpResponse = { status: 204, headers, body: new Uint8Array(0) };
  // The following pages are not recorded, so the consumer waits, as it did.
  return complete
    ? Promise.resolve(empty)
    : new Promise((resolve) => world.at(world.nowNanos + upstreamWaitNanos, "wait", () => resolve(empty)));
}

class Reading {
  readonly #replay: TaskReplay;
  readonly #world: World;
  readonly #network: Network;
  readonly #node: OrreryNode;
  #difference: string | undefined;
  #open = 0;

  constructor(replay: TaskReplay, world: World, network: Network, node: OrreryNode) {
    this.#replay = replay;
    this.#world = world;
    this.#network = network;
    this.#node = node;
  }

  async difference(): Promise<string | undefined> {
    const { task } = this.#replay;
    this.#open = 1;
    this.#start().catch((error: unknown) => {
      this.#difference ??= `is not created: ${String(error)}`;
      this.#open = 0;
    });
    await this.#world.run({ untilNanos: patienceNanos, eventsMax, done: () => this.#open === 0 || this.#difference !== undefined });
    if (this.#difference !== undefined || this.#open === 0) {
      return this.#difference;
    }
    // A failing task drops pages that were not fetched by then; only its recorded pages can be compared.
    const fails = this.#node.taskState(task.taskId) === "FAILED";
    const wasWhole = [...task.output.values()].some(({ isWhole }) => isWhole);
    if (fails) {
      return wasWhole ? `fails when it is run again: ${await this.#failure()}` : undefined;
    }
    return "does not give all of its pages when it is run again";
  }

  async #failure(): Promise<string> {
    const request = { method: "GET", url: `/v1/task/${this.#replay.task.taskId}/status`, headers: {}, body: new Uint8Array(0) } as const;
    const context = { remoteAddress: reader, baseUri: SimulatedNetwork.uriOf(place), isAborted: () => false, onAbort: () => undefined };
    const { body } = await this.#node.handle(request, context);
    return /"failures":\[.*?"message":"([^"]*)"/.exec(decodeUtf8(body))?.[1] ?? "";
  }

  async #start(): Promise<void> {
    const { task } = this.#replay;
    const headers = { "content-type": "application/json" };
    for (const body of [task.body, ...task.updates]) {
      const { status } = await this.#ask("POST", `/v1/task/${task.taskId}`, headers, body);
      if (status !== 200) {
        throw new Error(`status ${status}`);
      }
    }
    const buffers = Array.from({ length: task.bufferCount }, (_, bufferId) => bufferId);
    this.#open = buffers.length;
    await Promise.all(buffers.map((bufferId) => this.#read(bufferId)));
  }

  async #read(bufferId: number): Promise<void> {
    const { task } = this.#replay;
    const recorded = task.output.get(bufferId) ?? { incarnation: task.incarnation, frames: [], isWhole: false };
    let token = 0;
    for (;;) {
      if (!recorded.isWhole && token >= recorded.frames.length) {
        // More pages may come that were not recorded. Other buffers may need this one to be read further.
        break;
      }
      const { status, headers, body } = await this.#ask(
        "GET",
        `/v1/task/${task.taskId}/results/${bufferId}/${token}`,
        {},
        new Uint8Array(0),
      );
      if (status !== 200 && status !== 204) {
        return;
      }
      for (const frame of status === 200 ? splitFrames(body) : []) {
        this.#compare(bufferId, token, { frame, expected: recorded.frames[token], isWhole: recorded.isWhole });
        token++;
      }
      if (headerOf(headers, "x-engine-buffer-complete") === "true") {
        if (token < recorded.frames.length) {
          this.#difference ??= `gives ${token} pages to buffer ${bufferId} when it is run again, and gave ${recorded.frames.length}`;
        }
        break;
      }
    }
    this.#open--;
  }

  #compare(
    bufferId: number,
    token: number,
    pages: { readonly frame: Uint8Array; readonly expected: Uint8Array | undefined; readonly isWhole: boolean },
  ): void {
    const { frame, expected, isWhole } = pages;
    if (expected === undefined) {
      if (isWhole) {
        this.#difference ??= `gives page ${token} to buffer ${bufferId} when it is run again, and had no such page`;
      }
    } else if (!sameBytes(frame, expected)) {
      this.#difference ??= `gives other bytes as page ${token} of buffer ${bufferId} when it is run again`;
    }
  }

  #ask(method: "GET" | "POST", path: string, headers: HttpRequest["headers"], body: Uint8Array): Promise<HttpResponse> {
    return this.#network.request(
      { method, url: `${SimulatedNetwork.uriOf(place)}${path}`, headers, body },
      { timeoutMs: 60_000, label: "again" },
    );
  }
}
