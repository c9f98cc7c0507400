/**
 * A coordinator, or an active one and one on stand-by behind one address, and three workers in processes of their own, which can be
 * killed, stopped and started again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { type Program, startProgram } from "../../test/support/programs/server-process.ts";
import { SharedAddress } from "./shared-address.ts";
import { pause } from "./statements.ts";

export const workerNames = ["worker-1", "worker-2", "worker-3"] as const;

const completeMs = 120_000;
const pollMs = 100;

export interface ProcessOptions {
  readonly policy: "NONE" | "QUERY" | "TASK";
  /** The coordinator keeps a journal, so that its queries survive it. */
  readonly journal: boolean;
  /** A second coordinator waits. */
  readonly standby: boolean;
  /** Further properties of all nodes. */
  readonly environment?: Readonly<Record<string, string>>;
}

export class Processes {
  readonly #workers = new Map<string, Program>();
  readonly #environment: Record<string, string>;
  readonly #folder = mkdtempSync(join(tmpdir(), "orrery-kills-"));
  readonly #port: number;
  readonly #address: SharedAddress | undefined;
  #coordinator: Program | undefined;
  #standby: Program | undefined;

  private constructor({ policy, journal, environment = {}, standby }: ProcessOptions, port: number) {
    this.#port = port;
    this.#address = standby ? new SharedAddress(port) : undefined;
    this.#environment = {
      ORRERY_NODE_SCHEDULER_INCLUDE_COORDINATOR: "false",
      ORRERY_RETRY_POLICY: policy,
      ...environment,
      ORRERY_NODE_MEMORY: "768MB",
      ORRERY_QUERY_MAX_MEMORY_PER_NODE: "512MB",
      ...(standby && { ORRERY_COORDINATOR_STANDBY_ENABLED: "true" }),
      ...(journal && { ORRERY_QUERY_HISTORY_DIRECTORY: this.#folder, ORRERY_QUERY_HISTORY_ENABLED: "true" }),
    };
    process.once("exit", this.#removeFolder);
  }

  static async start(options: ProcessOptions): Promise<Processes> {
    const processes = new Processes(options, await freePort());
    try {
      await processes.startCoordinator();
      await processes.startStandby();
      for (const name of workerNames) {
        processes.startWorker(name);
      }
      await processes.complete();
    } catch (error) {
      await processes.stop();
      throw error;
    }
    return processes;
  }

  /** What the coordinator has logged. */
  get log(): string {
    return `${this.#coordinator?.output() ?? ""}${this.#coordinator?.errors() ?? ""}`;
  }

  get uri(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** At the same address as before. */
  async startCoordinator(): Promise<void> {
    const port = this.#address === undefined ? this.#port : await freePort();
    this.#coordinator = this.#startServer(port);
    await this.#coordinator.waitFor(/listens on (http:\/\/\S+);/);
    this.#address?.leadTo(port);
  }

  /** Waits for the lease; once it has it, the address leads to it. */
  async startStandby(): Promise<void> {
    if (this.#address === undefined) {
      return;
    }
    const port = await freePort();
    const standby = this.#startServer(port);
    this.#standby = standby;
    await standby.waitFor(/stands by on/);
    void standby.waitFor(/listens on (http:\/\/\S+);/).then(
      () => this.#address?.leadTo(port),
      () => undefined,
    );
  }

  #startServer(port: number): Program {
    const args = ["--workers", "0", "--host", "127.0.0.1", "--port", String(port)];
    return startProgram("server", args, { environment: this.#environment });
  }

  startWorker(name: string): void {
    const args = ["--coordinator", this.uri, "--node-id", name];
    this.#workers.set(name, startProgram("worker", args, { environment: this.#environment }));
  }

  async killWorker(name: string): Promise<void> {
    await end(this.#workers.get(name), "SIGKILL");
  }

  /** An orderly shutdown: resolves when the worker has ended. */
  async shutDownWorker(name: string): Promise<void> {
    await end(this.#workers.get(name), "SIGTERM");
  }

  signalWorker(name: string, signal: "SIGSTOP" | "SIGCONT"): void {
    this.#workers.get(name)?.kill(signal);
  }

  /** One on stand-by is the next that is killed. */
  async killCoordinator(): Promise<void> {
    await end(this.#coordinator, "SIGKILL");
    this.#coordinator = this.#standby ?? this.#coordinator;
    this.#standby = undefined;
  }

  /** Resolves when all workers are used. */
  async complete(): Promise<void> {
    const until = performance.now() + completeMs;
    for (;;) {
      const active = await this.#activeWorkers();
      if (active === workerNames.length) {
        return;
      }
      if (performance.now() > until) {
        throw new Error(`${active} of ${workerNames.length} workers are active after ${completeMs} ms`);
      }
      await pause(pollMs);
    }
  }

  async #activeWorkers(): Promise<number> {
    try {
      const answer = await request(`${this.uri}/v1/cluster`);
      const { activeWorkers } = (await answer.body.json()) as { readonly activeWorkers: number };
      return activeWorkers;
    } catch {
      return 0;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#workers.values(), this.#coordinator, this.#standby].map((program) => end(program, "SIGKILL")));
    this.#address?.close();
    this.#removeFolder();
    process.off("exit", this.#removeFolder);
  }

  readonly #removeFolder = (): void => rmSync(this.#folder, { recursive: true, force: true });
}

async function end(program: Program | undefined, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  program?.kill(signal);
  await program?.ended;
}

/** The coordinator needs the same port in all its lives. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") {
          reject(new Error("no free port"));
        } else {
          resolve(address.port);
        }
      });
    });
  });
}
