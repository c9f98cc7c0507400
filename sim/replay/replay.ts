/**
 * Replays every node of a tape: the `createNode` of production receives the inputs in merged order, and every output is compared with the
 * recording. A message from another node of the tape has the content that that node sends in the replay, not the recorded content.
 */
import type { NodeConfig } from "../../src/config.ts";
import { connectorFactories } from "../../src/connectors/registry.ts";
import type { KernelModuleCache } from "../../src/codegen/runtime.ts";
import { createNode, type OrreryNode } from "../../src/node.ts";
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import { type Content, type InputEntry, isInput, type ReadEntry, type RecordedEntry } from "../../src/recording/entries.ts";
import { hashBytes } from "../../src/recording/hash.ts";
import { MemoryRecording } from "../../src/recording/memory.ts";
import { type RecordedNode, recordNode } from "../../src/recording/ports.ts";
import type { RecordingReader } from "../../src/recording/reader.ts";
import { Scrubber } from "../../src/recording/scrub.ts";
import type { ResourceGroupsDocument } from "../../src/protocol/documents/resource-groups.ts";
import type { AccessConfiguration } from "../../src/security/access-configuration.ts";
import type { UserGroupsDocument } from "../../src/security/user-groups.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import { describeEntry } from "./describe.ts";
import { recordedConfig } from "./recorded-config.ts";
import { isSubmission, nextEntry, type Source, survey, type Survey } from "./survey.ts";
import { replayableRun, type Tape } from "./fixture.ts";
import { TapePorts } from "./tape-ports.ts";

/** Size of a block in bytes, enough for the entries of one step; a long step takes more blocks. */
const producedBlockBytes = 256 * 1024;

export interface ReplayDifference {
  readonly nodeId: string;
  /** Id of the recording. */
  readonly id: string;
  /** Ordinal of the input whose consequences differ, and of the entry within them. */
  readonly step: number;
  readonly index: number;
  readonly input: string;
  readonly recorded: string;
  readonly replayed: string;
}

export interface ReplayedFailure {
  readonly queryId: string;
  readonly errorName: string;
  readonly message: string;
}

export interface ReplayResult {
  readonly nodes: number;
  readonly inputs: number;
  /** Number of recorded outputs in replayed steps; `matched` counts the equal ones. */
  readonly outputs: number;
  readonly matched: number;
  readonly difference: ReplayDifference | undefined;
  /** Failures reported in responses of the replayed nodes. */
  readonly failures: readonly ReplayedFailure[];
  /** Nodes that were replayed only up to a scrubbed input, by node id. */
  readonly scrubbedAt: ReadonlyMap<string, number>;
  /** Nodes that could not be replayed, with the reason. */
  readonly skipped: readonly string[];
}

export interface ReplayOptions {
  /** Compiled kernels shared between replays of one process. */
  readonly modules?: KernelModuleCache;
  readonly onProgress?: (inputs: number, total: number) => void;
  /** Receives every input whose content the replay regenerates, so that a fixture can omit it. */
  readonly onRegenerated?: (node: number, step: number) => void;
  readonly surveyed?: Survey;
}

export async function replayTape(tape: Tape, options: ReplayOptions = {}): Promise<ReplayResult> {
  const surveyed = options.surveyed ?? survey(tape);
  const failures = new Map<string, ReplayedFailure>();
  const skipped: string[] = [];
  const nodes = tape.nodes.map((node, index): NodeReplay | undefined => {
    const run = replayableRun(node);
    if (run === undefined) {
      skipped.push(`${node.header.nodeId}: its start is not on the tape`);
      return undefined;
    }
    return new NodeReplay({
      id: node.header.id,
      nodeId: node.header.nodeId,
      config: recordedConfig(node.header),
      scrubbed: node.header.scrubbed,
      reader: run.read(),
      modules: options.modules,
      onAnswer: (request, response) => noteFailure(failures, request, response),
      onRegenerated: (step) => options.onRegenerated?.(index, step),
    });
  });
  let inputs = 0;
  let difference: ReplayDifference | undefined;
  const steps = nodes.map(() => 0);
  for (const place of surveyed.order) {
    const node = nodes[place];
    const step = steps[place] as number;
    steps[place] = step + 1;
    if (node === undefined || node.stopped) {
      continue;
    }
    const source = surveyed.nodes[place]?.inputs[step]?.source;
    difference = await node.step(source === undefined ? undefined : sentBy(nodes, source));
    if (difference !== undefined) {
      break;
    }
    inputs++;
    if (inputs % 512 === 0) {
      options.onProgress?.(inputs, surveyed.order.length);
    }
  }
  const present = nodes.flatMap((node) => node ?? []);
  const result: ReplayResult = {
    nodes: present.length,
    inputs,
    outputs: present.reduce((sum, node) => sum + node.outputs, 0),
    matched: present.reduce((sum, node) => sum + node.matched, 0),
    difference,
    failures: [...failures.values()],
    scrubbedAt: new Map(present.flatMap((node) => (node.scrubbedAt === undefined ? [] : [[node.nodeId, node.scrubbedAt] as const]))),
    skipped,
  };
  return result;
}

function sentBy(nodes: readonly (NodeReplay | undefined)[], source: Source): Uint8Array | undefined {
  const ports = nodes[source.node]?.ports;
  return source.kind === "request" ? ports?.sentBodies.get(source.id) : ports?.answerBodies.get(source.id);
}

function noteFailure(failures: Map<string, ReplayedFailure>, request: HttpRequest, response: HttpResponse): void {
  if (response.status !== 200 || !/^\/v1\/(?:statement|query)\b/.test(request.url) || response.body.length > 1024 * 1024) {
    return;
  }
  const text = decodeUtf8(response.body);
  if (!text.includes('"errorName"') && !text.includes('"errorCode"')) {
    return;
  }
  // A statement response, or a document of the query resource.
  const document = JSON.parse(text) as {
    readonly id?: string;
    readonly queryId?: string;
    readonly error?: { readonly errorName?: string; readonly message?: string };
    readonly errorCode?: { readonly name?: string };
    readonly failureInfo?: { readonly message?: string };
  };
  const queryId = document.id ?? document.queryId;
  const errorName = document.error?.errorName ?? document.errorCode?.name;
  if (queryId !== undefined && errorName !== undefined) {
    failures.set(queryId, { queryId, errorName, message: document.error?.message ?? document.failureInfo?.message ?? "" });
  }
}

/** Resolves when all continuations of an input have run. */
function workedOff(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

interface NodeReplayOptions {
  readonly id: string;
  readonly nodeId: string;
  readonly config: NodeConfig;
  readonly scrubbed: boolean;
  readonly reader: RecordingReader;
  readonly modules: KernelModuleCache | undefined;
  readonly onAnswer: (request: HttpRequest, response: HttpResponse) => void;
  readonly onRegenerated: (step: number) => void;
}

class NodeReplay {
  readonly nodeId: string;
  readonly ports = new TapePorts();
  outputs = 0;
  matched = 0;
  scrubbedAt: number | undefined;
  readonly #options: NodeReplayOptions;
  readonly #reader: RecordingReader;
  readonly #recorded: RecordedNode;
  readonly #produced = new MemoryRecording(producedBlockBytes);
  #node: OrreryNode | undefined;
  #next: RecordedEntry | undefined;
  #step = -1;
  /** Reason why the node could not be created. */
  #startFailure = "";

  constructor(options: NodeReplayOptions) {
    this.#options = options;
    this.nodeId = options.nodeId;
    this.#reader = options.reader;
    this.#recorded = recordNode(this.ports, {
      id: options.id,
      writer: this.#produced.writer,
      scrubber: new Scrubber({ literals: options.scrubbed }),
      after: (callback) => queueMicrotask(() => process.nextTick(callback)),
      onAnswer: options.onAnswer,
    });
    this.#next = nextEntry(this.#reader);
  }

  /** Whether the node has been replayed as far as possible. */
  get stopped(): boolean {
    return this.scrubbedAt !== undefined;
  }

  /** Replays one input and its consequences. `sent` is the content from a replayed sender, if there is one. */
  async step(sent: Uint8Array | undefined): Promise<ReplayDifference | undefined> {
    const input = this.#next;
    this.#step++;
    if (input === undefined || !isInput(input)) {
      throw new Error(`the recording of ${this.nodeId} has an output where its input #${this.#step} should be`);
    }
    const expected = this.#takeStep();
    if (isWithheld(input, this.#options.scrubbed) && sent === undefined) {
      this.scrubbedAt = this.#step;
      return undefined;
    }
    this.ports.expectReads(expected.filter(isRead));
    const problem = this.#deliver(input, sent);
    await workedOff();
    if (problem !== undefined) {
      return this.#difference(input, 0, describeEntry(input), problem);
    }
    if (this.#startFailure !== "") {
      return this.#difference(input, 0, describeEntry(input), `the node did not start: ${this.#startFailure}`);
    }
    return this.#compare(input, expected);
  }

  #deliver(input: InputEntry, sent: Uint8Array | undefined): string | undefined {
    if (input.kind !== "outside") {
      const own = input.kind === "stored" ? this.ports.peekOwn(input.id) : undefined;
      return this.ports.deliver(input, (recorded) => this.#contentOf(recorded, sent ?? own));
    }
    this.ports.expectInput(input.atNanos);
    const ask = (work: (node: OrreryNode) => Promise<void> | void): string | undefined => {
      const node = this.#node;
      if (node === undefined) {
        return "the node has not started";
      }
      void this.#recorded.outside(input.name, input.value, () => work(node));
      return undefined;
    };
    switch (input.name) {
      case "start": {
        const { factories, modules } = { factories: connectorFactories, modules: this.#options.modules };
        const options = modules === undefined ? { factories } : { factories, modules };
        void this.#recorded
          .outside("start", "", () => createNode(this.#options.config, this.#recorded.ports, options))
          .then(
            (node) => {
              this.#node = node;
            },
            (error: unknown) => {
              this.#startFailure = String(error);
            },
          );
        return undefined;
      }
      case "join":
        return ask((node) => node.join(input.value));
      case "access":
        return ask((node) => node.access.replace(JSON.parse(input.value) as AccessConfiguration));
      case "user-groups":
        return ask((node) => node.access.replaceGroups(JSON.parse(input.value) as UserGroupsDocument));
      case "resource-groups":
        return ask((node) => node.configuration?.replaceResourceGroups(JSON.parse(input.value) as ResourceGroupsDocument));
      case "shutdown":
        return ask((node) => node.shutdown({ graceMs: Number(input.value) }));
      case "close":
        return ask((node) => node.close());
      default:
        return `nothing is known of '${input.name}'`;
    }
  }

  #contentOf(recorded: Content, made: Uint8Array | undefined): Uint8Array {
    if (made !== undefined) {
      if (recorded.bytes !== undefined && made.length === recorded.length && hashBytes(made) === recorded.hash) {
        this.#options.onRegenerated(this.#step);
      }
      return made;
    }
    return recorded.bytes ?? new Uint8Array(recorded.length);
  }

  /** Takes all entries up to the next input. */
  #takeStep(): RecordedEntry[] {
    const entries: RecordedEntry[] = [];
    for (;;) {
      const entry = nextEntry(this.#reader);
      if (entry === undefined || isInput(entry)) {
        this.#next = entry;
        return entries;
      }
      if (entry.kind !== "query-failed") {
        entries.push(entry);
      }
    }
  }

  #compare(input: InputEntry, expected: readonly RecordedEntry[]): ReplayDifference | undefined {
    const isLast = this.#next === undefined;
    const produced: RecordedEntry[] = [];
    for (const entry of this.#produced.takeEntries()) {
      if (isInput(entry)) {
        if (entry.kind !== input.kind) {
          return this.#difference(input, 0, describeEntry(input), describeEntry(entry));
        }
      } else {
        produced.push(entry);
      }
    }
    this.outputs += expected.filter((entry) => !isRead(entry)).length;
    for (let index = 0; index < Math.max(expected.length, produced.length); index++) {
      const recorded = expected[index];
      const replayed = produced[index];
      // A truncated recording may end in the middle of a step.
      if (recorded === undefined && isLast) {
        break;
      }
      if (recorded === undefined || replayed === undefined || !same(recorded, replayed)) {
        return this.#difference(
          input,
          index,
          recorded === undefined ? "nothing more" : describeEntry(recorded),
          replayed === undefined ? "nothing more" : describeEntry(replayed),
        );
      }
      this.matched += isRead(recorded) ? 0 : 1;
    }
    return undefined;
  }

  #difference(input: InputEntry, index: number, recorded: string, replayed: string): ReplayDifference {
    const { id, nodeId } = this.#options;
    return { nodeId, id, step: this.#step, index, input: describeEntry(input), recorded, replayed };
  }
}

/**
 * Whether the input cannot be replayed: its content was omitted from the recording and cannot be regenerated, or it is a statement whose
 * literals were scrubbed, which would run differently.
 */
function isWithheld(input: InputEntry, scrubbed: boolean): boolean {
  const submits = scrubbed && input.kind === "arrived" && (input.method === "POST" || input.method === "PUT") && isSubmission(input.url);
  return submits || ("body" in input && input.body.hash === undefined);
}

function isRead(entry: RecordedEntry): entry is ReadEntry {
  return (
    entry.kind === "monotonic" ||
    entry.kind === "cpu" ||
    entry.kind === "wall" ||
    entry.kind === "drawn-number" ||
    entry.kind === "drawn-text"
  );
}

/** Entries are plain data with fields in a fixed order. */
function same(a: RecordedEntry, b: RecordedEntry): boolean {
  if (a.kind !== b.kind) {
    return false;
  }
  switch (a.kind) {
    case "monotonic":
    case "cpu":
      return a.nanos === (b as typeof a).nanos;
    case "turn":
      return a.id === (b as typeof a).id && a.workUnits === (b as typeof a).workUnits;
    default:
      return JSON.stringify(a) === JSON.stringify(b);
  }
}
