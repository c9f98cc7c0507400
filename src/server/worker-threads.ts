/**
 * Starts worker nodes on threads of this process and ends them. Each is a node of its own: own address, event loop and memory. Every two nodes of the process,
 * the one on the main thread among them, have a channel for their requests.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { EdgeLimits } from "./edge/edge.ts";
import type { RecordingConfiguration } from "./configuration.ts";

/** What a thread is told at its start. */
export interface ThreadStart {
  readonly nodeId: string;
  readonly host: string;
  /** Name under which other nodes reach it; empty when that is the host. */
  readonly externalHost: string;
  readonly environmentName: string;
  /** Engine properties by their Presto names. */
  readonly properties: Readonly<Record<string, string>>;
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
  /** The other end is another node's. */
  | { readonly kind: "meet"; readonly port: MessagePort }
  | { readonly kind: "close" }
  /** Keep a copy of the recording: on demand, or when the ring may lose an incident. */
  | { readonly kind: "keep" | "keep-incident" };

export type FromThread =
  | { readonly kind: "listening"; readonly uri: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "ended" };

export class WorkerThreads {
  readonly #threads: { readonly start: ThreadStart; readonly worker: Worker; ended: Promise<void> }[] = [];
  readonly #entry: URL;
  readonly #onDeath: (nodeId: string, message: string) => void;
  readonly #ports: MessagePort[] = [];
  #closing = false;

  /** `onDeath` is called when a thread ends that nobody asked to. */
  constructor(entry: URL, onDeath: (nodeId: string, message: string) => void) {
    this.#entry = entry;
    this.#onDeath = onDeath;
  }

  start(start: ThreadStart): void {
    const worker = new Worker(this.#entry, {
      workerData: start,
      stdout: false,
      stderr: false,
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    let failure = "";
    worker.on("error", (error) => {
      failure = error instanceof Error ? error.message : String(error);
    });
    worker.on("message", (message: FromThread) => {
      if (message.kind === "failed") {
        failure = message.message;
      }
    });
    const ended = new Promise<void>((resolve) => {
      worker.on("exit", (code) => {
        if (!this.#closing) {
          this.#onDeath(start.nodeId, failure === "" ? `exit code ${code}` : failure);
        }
        resolve();
      });
    });
    for (const other of this.#threads) {
      const { port1, port2 } = new MessageChannel();
      introduce(other.worker, port1);
      introduce(worker, port2);
    }
    const { port1, port2 } = new MessageChannel();
    introduce(worker, port1);
    this.#ports.push(port2);
    this.#threads.push({ start, worker, ended });
  }

  /** To each thread, for the node on the main thread. */
  get ports(): readonly MessagePort[] {
    return this.#ports;
  }

  send(message: ToThread): void {
    this.#closing ||= message.kind === "close";
    for (const { worker } of this.#threads) {
      worker.postMessage(message);
    }
  }

  /** Resolves when every thread has ended by itself. */
  async ended(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.ended));
  }

  async terminate(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#threads.map((thread) => thread.worker.terminate()));
  }
}

function introduce(worker: Worker, port: MessagePort): void {
  const message: ToThread = { kind: "meet", port };
  worker.postMessage(message, [port]);
}
