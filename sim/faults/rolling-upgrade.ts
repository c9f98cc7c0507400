/**
 * A rolling upgrade: nodes drain one after the other and return as another build; later they go back in the same way. In between the
 * cluster has two builds, whose documents differ like those of neighbouring releases. The coordinator may be among the nodes: its queries
 * then end with it. While the builds report different versions, it uses only the workers of its own build.
 */
import type { DrawnCluster, FaultDefinition, NodeBuild } from "./fault.ts";

interface RollingUpgrade {
  /** In the order in which they change. */
  readonly nodes: readonly string[];
  /** Undefined if the builds report the same version. */
  readonly nodeVersion?: string;
  readonly documents: NodeBuild["documents"];
}

const ownBuild: NodeBuild = { nodeVersion: undefined, documents: "same" };

export const rollingUpgrade: FaultDefinition<RollingUpgrade> = {
  oneIn: 6,
  countMax: 1,
  lastsMs: [4_000, 20_000],
  draw: (stream, { workers }: DrawnCluster) => {
    const changing = workers.slice(0, stream.between(1, workers.length));
    const version = stream.chance(1, 3) ? { nodeVersion: stream.pick(["0.9", "99.1"]) } : {};
    const documents = stream.pick(["newer", "older"] as const);
    const nodes = stream.chance(1, 3, "coordinator too") ? changing.toSpliced(stream.between(0, changing.length), 0, "c") : changing;
    return { nodes, ...version, documents };
  },
  describe: ({ nodes, nodeVersion, documents }) =>
    `{${nodes.join(",")}} to ${nodeVersion === undefined ? "the same version" : `version ${nodeVersion}`} with ${documents} documents, and back`,
  places: ({ nodes }) => nodes.slice(0, 1),
  strike: ({ nodes, nodeVersion, documents, untilNanos }, { target, world }) => {
    const steps = [
      ...nodes.map((node) => ({ node, build: { nodeVersion, documents } })),
      ...nodes.map((node) => ({ node, build: ownBuild })),
    ];
    const begin = world.nowNanos;
    const stepNanos = Math.floor((untilNanos - begin) / steps.length);
    let down: string | undefined;
    const comeBack = (): void => {
      if (down !== undefined) {
        target.restart(down);
        down = undefined;
      }
    };
    steps.forEach(({ node, build }, index) => {
      world.at(begin + index * stepNanos, "upgrade", () => {
        comeBack();
        world.note("world", "upgrade", `${node} ${build.nodeVersion ?? "own version"} ${build.documents} documents`);
        target.install(node, build);
        target.drain(node, begin + index * stepNanos + Math.floor(stepNanos / 2));
        down = node;
      });
    });
    return comeBack;
  },
};
