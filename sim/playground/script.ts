/**
 * What a person does to the cluster of the playground, with the simulated times: all that a run of it depends on. Plain data; an address
 * holds it as text.
 */

/** Cluster of a run, before anybody does anything. */
export interface PlaygroundCluster {
  /** The same seed gives the same latencies, and the same ids. */
  readonly seed: string;
  readonly workers: number;
}

export type Deed =
  /** Statements of a client, separated by semicolons. The first one that fails is the last one that runs. */
  | { readonly kind: "sql"; readonly sql: string }
  /** Cancels the statement that this client runs. */
  | { readonly kind: "cancel"; readonly client: string }
  | { readonly kind: "kill" | "restart"; readonly node: string }
  /** Both directions of a link. `join` ends what was done to it. */
  | { readonly kind: "cut" | "slow" | "join"; readonly from: string; readonly to: string };

export type Act = Deed & { readonly atNanos: number };

export interface Script {
  readonly cluster: PlaygroundCluster;
  /** Ascending times. */
  readonly acts: readonly Act[];
}

export const defaultCluster: PlaygroundCluster = { seed: "7", workers: 3 };
/** Time by which all workers have announced themselves. */
export const readyNanos = 1_500_000_000;
export const workersMax = 6;
const actsMax = 500;
const seedLengthMax = 64;
const nanosMax: number = Number.MAX_SAFE_INTEGER;

export const coordinatorName = "c";

export function workerNames({ workers }: PlaygroundCluster): readonly string[] {
  return Array.from({ length: workers }, (_, index) => `w${index + 1}`);
}

export function nodeNames(cluster: PlaygroundCluster): readonly string[] {
  return [coordinatorName, ...workerNames(cluster)];
}

/** What an address holds besides the script. */
export interface Shared {
  readonly script: Script;
  /** Simulated time that the run is shown at; undefined for the time at which the cluster is ready. */
  readonly atNanos: number | undefined;
  /** Fingerprint of the run at that time, by the build that wrote the address; empty if none. */
  readonly fingerprint: string;
}

/** Words of a deed as an address holds them, without its kind: `w1`, `c~w1`, the SQL. */
function wordsOf(act: Deed): string {
  switch (act.kind) {
    case "sql":
      return act.sql;
    case "cancel":
      return act.client;
    case "kill":
    case "restart":
      return act.node;
    case "cut":
    case "slow":
    case "join":
      return `${act.from}~${act.to}`;
  }
}

/** For people: `kill w1`, `cut c and w1`. */
export function describeDeed(act: Deed): string {
  switch (act.kind) {
    case "sql":
      return act.sql;
    case "cancel":
      return `cancel the statement of ${act.client}`;
    case "cut":
    case "slow":
    case "join":
      return `${act.kind} ${act.from} and ${act.to}`;
    case "kill":
    case "restart":
      return `${act.kind} ${act.node}`;
  }
}

/** The fragment of an address: `seed=7&workers=3&act=1500000000.sql.SELECT+1`. */
export function toAddress({ script, atNanos, fingerprint }: Shared): string {
  const parameters = new URLSearchParams({ seed: script.cluster.seed, workers: String(script.cluster.workers) });
  for (const act of script.acts) {
    parameters.append("act", `${act.atNanos}.${act.kind}.${wordsOf(act)}`);
  }
  if (atNanos !== undefined) {
    parameters.append("at", String(atNanos));
  }
  if (fingerprint !== "") {
    parameters.append("fingerprint", fingerprint);
  }
  return parameters.toString();
}

/** Throws with the reason if the text is no address of a run. */
export function fromAddress(text: string): Shared {
  const parameters = new URLSearchParams(text.replace(/^#/, ""));
  const cluster = readCluster(parameters);
  const acts = parameters.getAll("act").map((act) => readAct(act, cluster));
  if (acts.length > actsMax) {
    throw new Error(`the address holds ${acts.length} acts, more than ${actsMax}`);
  }
  for (const [index, act] of acts.entries()) {
    const before = acts[index - 1];
    if (before !== undefined && act.atNanos < before.atNanos) {
      throw new Error(`the address holds an act at ${act.atNanos} after one at ${before.atNanos}`);
    }
  }
  const at = parameters.get("at");
  return {
    script: { cluster, acts },
    atNanos: at === null ? undefined : readNanos(at),
    fingerprint: parameters.get("fingerprint") ?? "",
  };
}

function readCluster(parameters: URLSearchParams): PlaygroundCluster {
  const seed = parameters.get("seed") ?? defaultCluster.seed;
  if (seed === "" || seed.length > seedLengthMax) {
    throw new Error(`the seed has ${seed.length} characters instead of 1 to ${seedLengthMax}`);
  }
  const workers = parameters.get("workers") ?? String(defaultCluster.workers);
  if (!/^\d$/.test(workers) || Number(workers) < 1 || Number(workers) > workersMax) {
    throw new Error(`'${workers}' is no number of workers from 1 to ${workersMax}`);
  }
  return { seed, workers: Number(workers) };
}

function readNanos(text: string): number {
  const nanos = Number(text);
  if (!/^\d+$/.test(text) || nanos > nanosMax) {
    throw new Error(`'${text}' is no time in nanoseconds`);
  }
  return nanos;
}

function readAct(text: string, cluster: PlaygroundCluster): Act {
  const [, time = "", kind = "", words = ""] = /^(\d+)\.([a-z]+)\.([^]*)$/.exec(text) ?? [];
  if (kind === "") {
    throw new Error(`'${text}' is no act`);
  }
  const atNanos = readNanos(time);
  const node = (name: string): string => {
    if (!nodeNames(cluster).includes(name)) {
      throw new Error(`'${text}' names no node of this cluster`);
    }
    return name;
  };
  switch (kind) {
    case "sql":
      return { kind, atNanos, sql: words };
    case "cancel":
      return { kind, atNanos, client: words };
    case "kill":
    case "restart":
      return { kind, atNanos, node: node(words) };
    case "cut":
    case "slow":
    case "join": {
      const [from = "", to = ""] = words.split("~");
      if (from === to) {
        throw new Error(`'${text}' names no link of this cluster`);
      }
      return { kind, atNanos, from: node(from), to: node(to) };
    }
    default:
      throw new Error(`'${kind}' is no kind of act`);
  }
}
