/**
 * The environments that must not change a run: `verify` repeats a seed in each. Each differs in one respect; mixtures follow.
 */
import { tmpdir } from "node:os";
import { StreamTree } from "../world/streams.ts";

export interface Surroundings {
  /** Description of the difference. */
  readonly name: string;
  /** Node executable, if not the one that runs this program. */
  readonly node?: string;
  /** Flags of V8. */
  readonly flags?: readonly string[];
  /** Sets variables or, if undefined, removes them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The environment contains only `environment`. */
  readonly bare?: boolean;
  readonly folder?: string;
  /** Runs another seed first in the same process. */
  readonly warm?: boolean;
  /** Keeps every core busy with other computations. */
  readonly busy?: boolean;
}

/** The environment with which the others are compared. */
export const plainSurroundings: Surroundings = { name: "plain: UTC, no locale, no flags" };

const differences: readonly Surroundings[] = [
  { name: "another process only" },
  {
    name: "time zone Pacific/Chatham, Turkish",
    environment: { TZ: "Pacific/Chatham", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", LANGUAGE: "tr" },
  },
  { name: "hash seed and random seed", flags: ["--hash-seed=4217", "--random-seed=99"] },
  {
    name: "small heap, frequent garbage collection",
    flags: ["--max-old-space-size=192", "--max-semi-space-size=1", "--gc-interval=20000"],
  },
  { name: "large heap, rare garbage collection", flags: ["--max-old-space-size=2048", "--max-semi-space-size=64"] },
  { name: "small stack", flags: ["--stack-size=600"] },
  { name: "JavaScript without an optimising compiler", flags: ["--no-opt", "--always-sparkplug"] },
  { name: "kernels optimised at once", flags: ["--no-liftoff", "--no-wasm-tier-up"] },
  { name: "kernels never optimised", flags: ["--liftoff-only"] },
  { name: "a run of another seed before it", warm: true },
  {
    name: "another folder and a bare environment",
    bare: true,
    folder: tmpdir(),
    environment: { HOME: "/nonexistent", USER: "somebody", NODE_ENV: "production", TZ: "America/St_Johns" },
  },
  { name: "every core busy", busy: true },
];

/** Conditions that cannot be varied, with the reason. */
export const notVaried: readonly string[] = ["--jitless: it disables WebAssembly, to which the kernels are compiled"];

/** Every single difference, then other versions of Node, then mixtures of several drawn from the seed; `runs` environments in total. */
export function hostileSurroundings(options: {
  readonly nodes: readonly { readonly path: string; readonly version: string }[];
  readonly runs: number | undefined;
}): readonly Surroundings[] {
  const nodes = options.nodes.map(({ path, version }): Surroundings => ({ name: `Node ${version}`, node: path }));
  // If only a few runs are requested, other versions come first, because they differ more than any flag.
  const [again, zone, ...others] = differences as [Surroundings, Surroundings, ...Surroundings[]];
  const singles = [again, zone, ...nodes, ...others];
  const runs = options.runs ?? singles.length;
  const mixed = Array.from({ length: Math.max(0, runs - singles.length) }, (_, index) => mix(index + 1, nodes));
  return [...singles.slice(0, runs), ...mixed];
}

function mix(number: number, nodes: readonly Surroundings[]): Surroundings {
  const stream = StreamTree.root(`surroundings/${number}`).stream("mix");
  const parts = stream.shuffle(differences.slice(1), "order").slice(0, stream.between(2, 4, "how many"));
  const node = nodes.length > 0 && stream.chance(1, 2, "another Node") ? stream.pick(nodes, "which Node") : undefined;
  const all = node === undefined ? parts : [...parts, node];
  return {
    ...Object.assign({}, ...all),
    name: `mixture ${number}: ${all.map(({ name }) => name).join("; ")}`,
    flags: compatible(all.flatMap(({ flags }) => flags ?? [])),
    environment: Object.assign({}, ...all.map(({ environment }) => environment ?? {})) as Record<string, string>,
  };
}

/** Of contradictory flags, the first one is kept. */
function compatible(flags: readonly string[]): readonly string[] {
  const kept = new Map<string, string>();
  const tiers = new Set(["--no-liftoff", "--no-wasm-tier-up", "--liftoff-only"]);
  for (const flag of flags) {
    const name = flag.split("=")[0] ?? flag;
    const contradicts =
      tiers.has(name) && [...kept.keys()].some((known) => tiers.has(known) && (known === "--liftoff-only" || name === "--liftoff-only"));
    if (!kept.has(name) && !contradicts) {
      kept.set(name, flag);
    }
  }
  return [...kept.values()];
}
