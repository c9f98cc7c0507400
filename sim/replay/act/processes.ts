/**
 * A cluster of real processes: a coordinator that runs no tasks, and workers, each behind a proxy and each with a recording.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AccessConfiguration } from "../../../src/security/access-configuration.ts";
import type { RunPlan } from "../../plan.ts";
import { vault } from "../../workload/grants.ts";
import { type ClockConditions, type DiskConditions, preloadUrl, type ProcessConditions } from "./preload.ts";
import { Proxy, type Weather } from "./proxy.ts";

const memory = "64MB";

interface Place {
  readonly name: string;
  readonly role: "coordinator" | "worker";
  readonly proxy: Proxy;
  process: ChildProcess | undefined;
  /** Kept when the process restarts. */
  conditions: ProcessConditions;
  ended: Promise<void>;
  errors: string;
}

export interface ProcessesOptions {
  readonly plan: RunPlan;
  readonly recordFolder: string;
  readonly weather: Weather;
  readonly onNote: (text: string) => void;
}

/** The folder of package.json; works from a source file and from a bundle. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    if (folder === dirname(folder)) {
      throw new Error("no package.json in any folder above this script");
    }
    folder = dirname(folder);
  }
  return folder;
}

/** In the project they are built first; the installed package has nothing else. */
function builtPrograms(): string {
  const root = projectRoot();
  const build = join(root, "build.mjs");
  if (!existsSync(build)) {
    return join(root, "dist/package");
  }
  const built = spawnSync(process.execPath, [build], { stdio: ["ignore", "ignore", "inherit"] });
  if (built.status !== 0) {
    throw new Error("the programs could not be built");
  }
  return join(root, "dist");
}

export class Processes {
  readonly #options: ProcessesOptions;
  readonly #folder: string;
  /** Folder of the built programs. */
  #programs = "";
  readonly #places = new Map<string, Place>();
  #stopping = false;
  readonly #killAll = (): void => {
    for (const { process: child } of this.#places.values()) {
      child?.kill("SIGKILL");
    }
  };

  private constructor(options: ProcessesOptions) {
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), "orrery-act-"));
    process.once("exit", this.#killAll);
  }

  static async start(options: ProcessesOptions): Promise<Processes> {
    const processes = new Processes(options);
    processes.#programs = builtPrograms();
    processes.#configure();
    const nodes = [options.plan.coordinator, ...options.plan.workers];
    for (const [index, { name, clockOffsetMs, clockDriftPpm }] of nodes.entries()) {
      const conditions = { disk: {}, clock: { offsetMs: clockOffsetMs, driftPpm: clockDriftPpm } };
      const proxy = await Proxy.start(name, `127.0.0.${index + 2}`, options.weather);
      const role = index === 0 ? "coordinator" : "worker";
      processes.#places.set(name, { name, role, proxy, process: undefined, conditions, ended: Promise.resolve(), errors: "" });
    }
    for (const { name } of nodes) {
      await processes.#spawn(processes.#place(name));
    }
    return processes;
  }

  /** Coordinator URI for clients. It bypasses the proxy unless the plan rejects requests to the coordinator. */
  get clientUri(): string {
    const { coordinator, faults } = this.#options.plan;
    const { proxy } = this.#place(coordinator.name);
    return faults.some((fault) => fault.kind === "overload-503" && fault.node === coordinator.name)
      ? proxy.facts.uri
      : `http://127.0.0.1:${proxy.port}`;
  }

  /** Sends SIGKILL: unwritten data is lost and connections end. */
  async kill(name: string): Promise<void> {
    const place = this.#place(name);
    place.process?.kill("SIGKILL");
    await place.proxy.close();
    await place.ended;
  }

  async restart(name: string): Promise<void> {
    const place = this.#place(name);
    if (this.#stopping || place.process !== undefined) {
      return;
    }
    await place.proxy.open();
    await this.#spawn(place);
  }

  freeze(name: string): void {
    this.#place(name).process?.kill("SIGSTOP");
  }

  thaw(name: string): void {
    this.#place(name).process?.kill("SIGCONT");
  }

  /** Shuts the process down gracefully. */
  async terminate(name: string): Promise<void> {
    const place = this.#place(name);
    place.process?.kill("SIGTERM");
    await place.ended;
    await place.proxy.close();
  }

  /** Returns a function that restores the disk. Of two changes of one kind, the last one applies. */
  afflictDisk(name: string, change: DiskConditions): () => void {
    const place = this.#place(name);
    this.#tell(place, { ...place.conditions, disk: { ...place.conditions.disk, ...change } });
    return () => {
      const left = Object.entries(place.conditions.disk).filter(([kind]) => !(kind in change));
      this.#tell(place, { ...place.conditions, disk: Object.fromEntries(left) });
    };
  }

  /** Adds to the clock's error; the returned function subtracts it again. */
  turnClock(name: string, by: ClockConditions): () => void {
    const place = this.#place(name);
    const turn = (sign: 1 | -1): void => {
      const { offsetMs, driftPpm } = place.conditions.clock;
      this.#tell(place, {
        ...place.conditions,
        clock: { offsetMs: offsetMs + sign * by.offsetMs, driftPpm: driftPpm + sign * by.driftPpm },
      });
    };
    turn(1);
    return () => turn(-1);
  }

  /** Stops every process in order, workers first, and removes their files except recordings. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const places = [...this.#places.values()];
    for (const { process: child } of places) {
      child?.kill("SIGCONT");
    }
    for (const role of ["worker", "coordinator"] as const) {
      const some = places.filter((place) => place.role === role);
      for (const { process: child } of some) {
        child?.kill("SIGTERM");
      }
      await Promise.all(some.map((place) => place.ended));
    }
    await Promise.all(places.map(({ proxy }) => proxy.close().catch(() => undefined)));
    process.off("exit", this.#killAll);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #configure(): void {
    const { plan } = this.#options;
    const etc = join(this.#folder, "etc");
    mkdirSync(join(etc, "catalog"), { recursive: true });
    const properties = {
      "node.memory": memory,
      "query.max-memory-per-node": "32MB",
      "shutdown.grace-period": "2s",
      "node-scheduler.include-coordinator": "false",
      ...plan.properties,
      ...(isRules(plan.access) ? { "access-control.name": "file", "security.config-file": join(etc, "rules.json") } : {}),
      ...(plan.userGroups === undefined ? {} : { "group-provider.name": "file", "file.group-file": join(etc, "user-groups.txt") }),
      ...(plan.resourceGroups === undefined
        ? {}
        : { "resource-groups.configuration-manager": "file", "resource-groups.config-file": join(etc, "groups.json") }),
    };
    if (plan.userGroups !== undefined) {
      writeFileSync(join(etc, "user-groups.txt"), plan.userGroups.map(({ group, users }) => `${group}:${users.join(",")}\n`).join(""));
    }
    if (plan.resourceGroups !== undefined) {
      writeFileSync(join(etc, "groups.json"), JSON.stringify(plan.resourceGroups));
    }
    if (isRules(plan.access)) {
      writeFileSync(join(etc, "rules.json"), JSON.stringify(plan.access));
    }
    const lines = (values: Readonly<Record<string, string>>): string =>
      Object.entries(values)
        .map(([name, value]) => `${name}=${value}\n`)
        .join("");
    writeFileSync(join(etc, "config.properties"), lines(properties));
    writeFileSync(
      join(etc, "catalog", "memory.properties"),
      lines({ "connector.name": "memory", ...(plan.replication === undefined ? {} : { "memory.replication": String(plan.replication) }) }),
    );
    if (plan.vault === true) {
      writeFileSync(join(etc, "catalog", `${vault.name}.properties`), lines(vault.properties));
    }
    writeFileSync(
      join(etc, "catalog", "tpch.properties"),
      lines({
        "connector.name": "tpch",
        "tpch.double-type-mapping": "DECIMAL",
        "tpch.splits-per-node": String(plan.splitsPerNode),
      }),
    );
  }

  #place(name: string): Place {
    const place = this.#places.get(name);
    if (place === undefined) {
      throw new Error(`no node is called ${name}`);
    }
    return place;
  }

  #tell(place: Place, conditions: ProcessConditions): void {
    place.conditions = conditions;
    place.process?.send({ conditions });
  }

  async #spawn(place: Place): Promise<void> {
    const { plan, recordFolder } = this.#options;
    const { name, role, proxy } = place;
    const host = new URL(proxy.facts.uri).hostname;
    const common = ["--host", "127.0.0.1", "--port", String(proxy.port), "--etc", join(this.#folder, "etc"), "--record", recordFolder];
    const coordinatorUri = this.#place(plan.coordinator.name).proxy.facts.uri;
    const args =
      role === "coordinator"
        ? ["server", ...common, "--workers", "0"]
        : ["worker", ...common, "--external-host", host, "--coordinator", coordinatorUri, "--node-id", name];
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([variable]) => !variable.startsWith("ORRERY_") && !variable.startsWith("NODE_")),
    );
    const [program, ...rest] = args as [string, ...string[]];
    const spillFolder = join(this.#folder, "spill");
    mkdirSync(spillFolder, { recursive: true });
    const child = spawn(process.execPath, ["--import", preloadUrl(place.conditions), join(this.#programs, `${program}.js`), ...rest], {
      env: {
        ...environment,
        ORRERY_NODE_ID: name,
        ORRERY_NODE_SPILL_DIR: spillFolder,
        ...(role === "coordinator" ? { ORRERY_HTTP_SERVER_EXTERNAL_HOST: host } : {}),
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    place.process = child;
    place.ended = new Promise((resolve) => {
      child.once("exit", () => {
        place.process = undefined;
        resolve();
      });
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      place.errors = (place.errors + text).slice(-4000);
    });
    await new Promise<void>((resolve, reject) => {
      let output = "";
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("listens on")) {
          resolve();
        }
      });
      void place.ended.then(() => reject(new Error(`${name} ended before it listened: ${output}${place.errors}`)));
    });
    this.#options.onNote(`${name} runs as process ${child.pid}`);
  }
}

/** The rights of authenticated users without rules cannot be acted: the clients of a plan have no credentials. */
function isRules(access: AccessConfiguration | undefined): boolean {
  return access !== undefined && access !== "default";
}
