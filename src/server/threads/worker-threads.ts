/**
 * Starts worker nodes on threads of this process, restarts those that die, and ends them. Each thread is a node with its own address, event
 * loop and memory. Every two nodes of the process, including the one on the main thread, have a channel for their requests.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { messageOf } from "../../protocol/errors.ts";
import type { EdgeLimits } from "../edge/edge.ts";
import type { NodeScrape } from "../operations/observed-node.ts";
import type { RecordingConfiguration } from "../configuration.ts";
import type { TlsConfiguration } from "../security/tls.ts";

/** Start parameters of a thread. */
export interface ThreadStart {
  readonly nodeId: string;
  readonly host: string;
  /** Host name under which other nodes reach it; empty if it is `host`. */
  readonly externalHost: string;
  readonly environmentName: string;
  /** Engine properties with Presto's names. */
  readonly properties: Readonly<Record<string, string>>;
  /** Shared by the nodes of the cluster. */
  readonly secret: string;
  /** Undefined if nodes use plain HTTP between each other. */
  readonly tls: TlsConfiguration | undefined;
  /** Only nodes may read the thread's resources. */
  readonly isClosedToUsers: boolean;
  readonly catalogs: readonly { readonly name: string; readonly properties: Readonly<Record<string, string>> }[];
  readonly memoryBytes: number;
  readonly limits: Partial<EdgeLimits>;
  readonly allowedHosts: readonly string[];
  readonly logLevel: string;
  readonly spillFolder: string;
  readonly recording: RecordingConfiguration | undefined;
}

export type ToThread =
  | { readonly kind: "join"; readonly coordinatorUri: string }
  /** The channel to another node; the other end is that node's. */
  | { readonly kind: "connect"; readonly port: MessagePort }
  | { readonly kind: "close" }
  /** Asks for the node's metrics. */
  | { readonly kind: "measure"; readonly id: number }
  /** Copy the recording: on demand, or when the ring may overwrite an incident. */
  | { readonly kind: "keep" | "keep-incident" };

export type FromThread =
  | { readonly kind: "listening"; readonly uri: string; readonly folder: string; readonly systemThreadId: number | undefined }
  | { readonly kind: "failed"; readonly message: string }
  /** Answers the request of this id. */
  | { readonly kind: "measured"; readonly id: number; readonly metrics: NodeScrape["metrics"] }
  | { readonly kind: "ended" };

export interface WorkerThreadsOptions {
  /** The thread's program. */
  readonly entry: URL;
  /** Called for each started thread with the main thread's end of the channel to it. */
  readonly onChannel: (port: MessagePort) => void;
  /** A thread has ended without a request. It restarts after `againMs`, or never if it left gracefully. */
  readonly onDeath: (death: { readonly nodeId: string; readonly message: string; readonly againMs: number | undefined }) => void;
  /** A thread has started, for the first time or again. `systemThreadId` is undefined if the system does not tell it. */
  readonly onStarted?: (started: { readonly nodeId: string; readonly systemThreadId: number | undefined }) => void;
  /** A directory that a dead thread has left behind. */
  readonly onFolder: (path: string) => void;
  /** Minimum and maximum delay of a restart, in milliseconds; the delay grows with consecutive deaths. */
  readonly againMsMin?: number;
  readonly againMsMax?: number;
}

/**
 * Bound of a thread's young generation in MB. It grows to that only while queries run: V8 starts with a few MB. With less, short queries
 * spend a tenth of their CPU time on scavenges.
 */
export const youngGenerationMbMax = 96;
/** A thread that has run this long did not fail during its start, in milliseconds. */
const provenMs = 60_000;

/** The thread of one node, and its replacements after deaths. */
class NodeThread {
  readonly start: ThreadStart;
  readonly #options: WorkerThreadsOptions;
  readonly #onLaunch: (thread: NodeThread) => void;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Requests for metrics that the thread has not answered, by id. */
  readonly #measuring = new Map<number, (metrics: NodeScrape["metrics"]) => void>();
  #measureCount = 0;
  /** Consecutive deaths. */
  #deaths = 0;
  #closing = false;

  /** `onLaunch` is called for each started thread. */
  constructor(start: ThreadStart, options: WorkerThreadsOptions, onLaunch: (thread: NodeThread) => void) {
    this.start = start;
    this.#options = options;
    this.#onLaunch = onLaunch;
  }

  get isAlive(): boolean {
    return this.#worker !== undefined;
  }

  /** Resolves when the current thread has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  tell(message: ToThread, transfer: readonly MessagePort[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /** The node's metrics; undefined if the thread has none or does not answer within `waitMs`. */
  measure(waitMs: number): Promise<NodeScrape["metrics"]> {
    if (this.#worker === undefined) {
      return Promise.resolve(undefined);
    }
    const id = this.#measureCount++;
    return new Promise((resolve) => {
      const settle = (metrics: NodeScrape["metrics"]): void => {
        clearTimeout(timer);
        this.#measuring.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(() => settle(undefined), waitMs);
      this.#measuring.set(id, settle);
      this.tell({ kind: "measure", id });
    });
  }

  /** From now on, the end of the thread is expected. */
  close(): void {
    this.#closing = true;
    clearTimeout(this.#timer);
  }

  async terminate(): Promise<void> {
    this.close();
    await this.kill();
  }

  /** Ends the thread as a crash would; it starts again like after any death. */
  async kill(): Promise<void> {
    await this.#worker?.terminate();
  }

  launch(): void {
    try {
      this.#watch(
        new Worker(this.#options.entry, {
          workerData: this.start,
          stdout: false,
          stderr: false,
          resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMbMax },
        }),
      );
    } catch (error) {
      // The system cannot create another thread.
      this.#died(messageOf(error), 0);
      return;
    }
    this.#onLaunch(this);
  }

  #watch(worker: Worker): void {
    const began = performance.now();
    let failure: string | undefined;
    let hasLeft = false;
    let folder: string | undefined;
    worker.on("error", (error) => {
      failure = messageOf(error);
    });
    worker.on("message", (message: FromThread) => {
      switch (message.kind) {
        case "listening":
          folder = message.folder;
          this.#options.onStarted?.({ nodeId: this.start.nodeId, systemThreadId: message.systemThreadId });
          break;
        case "failed":
          failure = message.message;
          break;
        case "measured":
          this.#measuring.get(message.id)?.(message.metrics);
          break;
        case "ended":
          hasLeft = true;
          break;
      }
    });
    this.#worker = worker;
    this.#ended = new Promise<void>((resolve) => {
      worker.on("exit", (code) => {
        this.#worker = undefined;
        for (const settle of this.#measuring.values()) {
          settle(undefined);
        }
        if (!hasLeft && folder !== undefined) {
          this.#options.onFolder(folder);
        }
        if (!this.#closing && hasLeft) {
          this.#options.onDeath({ nodeId: this.start.nodeId, message: "it was told to leave", againMs: undefined });
        } else if (!this.#closing) {
          this.#died(failure ?? `exit code ${code}`, performance.now() - began);
        }
        resolve();
      });
    });
  }

  #died(message: string, livedMs: number): void {
    const { againMsMin = 500, againMsMax = 60_000, onDeath } = this.#options;
    this.#deaths = livedMs >= provenMs ? 1 : this.#deaths + 1;
    const againMs = Math.min(againMsMax, againMsMin * 2 ** (this.#deaths - 1));
    this.#timer = setTimeout(() => this.launch(), againMs);
    onDeath({ nodeId: this.start.nodeId, message, againMs });
  }
}

export class WorkerThreads {
  readonly #options: WorkerThreadsOptions;
  readonly #threads: NodeThread[] = [];
  #coordinatorUri: string | undefined;

  constructor(options: WorkerThreadsOptions) {
    this.#options = options;
  }

  start(start: ThreadStart): void {
    const thread = new NodeThread(start, this.#options, (launched) => this.#introduce(launched));
    this.#threads.push(thread);
    thread.launch();
  }

  send(message: Exclude<ToThread, { readonly kind: "connect" | "measure" }>): void {
    if (message.kind === "join") {
      this.#coordinatorUri = message.coordinatorUri;
    }
    for (const thread of this.#threads) {
      if (message.kind === "close") {
        thread.close();
      }
      thread.tell(message);
    }
  }

  get names(): readonly string[] {
    return this.#threads.map(({ start }) => start.nodeId);
  }

  /** Ends the thread of a node without warning. */
  kill(name: string): void {
    void this.#threads.find(({ start }) => start.nodeId === name)?.kill();
  }

  /** Metrics of all nodes on threads. A thread that does not answer within `waitMs` has none. */
  measure(waitMs: number): Promise<readonly NodeScrape[]> {
    return Promise.all(this.#threads.map(async (thread) => ({ nodeId: thread.start.nodeId, metrics: await thread.measure(waitMs) })));
  }

  /** Resolves when all threads have ended by themselves. */
  async ended(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.ended));
  }

  async terminate(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  /** Creates the channels to the node on the main thread and to all other running threads. */
  #introduce(thread: NodeThread): void {
    for (const other of this.#threads) {
      if (other !== thread && other.isAlive) {
        const { port1, port2 } = new MessageChannel();
        other.tell({ kind: "connect", port: port1 }, [port1]);
        thread.tell({ kind: "connect", port: port2 }, [port2]);
      }
    }
    const { port1, port2 } = new MessageChannel();
    thread.tell({ kind: "connect", port: port1 }, [port1]);
    this.#options.onChannel(port2);
    if (this.#coordinatorUri !== undefined) {
      thread.tell({ kind: "join", coordinatorUri: this.#coordinatorUri });
    }
  }
}
