/**
 * A node crashes without warning and restarts with synced data only, with all data, with torn files, or with an empty disk.
 */
import {
  type CrashedDisk,
  drawNode,
  type FaultDefinition,
  type FaultStage,
  nodeOnly,
  type MachineTarget,
  type OneNode,
  type MachineFault,
} from "./fault.ts";

interface Crash extends OneNode {
  /** `synced` if absent. */
  readonly disk?: Exclude<CrashedDisk, "wiped">;
}

function die(node: string, disk: CrashedDisk, { target }: FaultStage<MachineTarget>): () => void {
  target.crash(node, disk);
  return () => target.restart(node);
}

export const crash: MachineFault<Crash> = {
  oneIn: 2,
  draw: (stream, cluster) => ({ ...drawNode(stream, cluster), disk: stream.pick(["synced", "kept", "torn"] as const) }),
  describe: ({ node, disk }) => `${node}${disk === undefined || disk === "synced" ? "" : ` (disk ${disk})`}`,
  places: nodeOnly,
  strike: ({ node, disk = "synced" }, stage) => die(node, disk, stage),
};

/** All queries of the coordinator are lost: its process has died, or its machine with what was not synced. */
export const coordinatorCrash: FaultDefinition<Crash> = {
  oneIn: 8,
  countMax: 1,
  draw: (stream) => ({ node: "c", disk: stream.pick(["kept", "synced", "torn"] as const) }),
  describe: ({ node, disk }) => `${node}${disk === undefined || disk === "kept" ? "" : ` (disk ${disk})`}`,
  places: nodeOnly,
  strike: ({ node, disk = "kept" }, stage) => die(node, disk, stage),
};

/** The machine is replaced: same name and address, empty disk. */
export const wipedRestart: MachineFault<OneNode> = {
  oneIn: 6,
  countMax: 1,
  draw: drawNode,
  describe: ({ node }) => node,
  places: nodeOnly,
  strike: ({ node }, stage) => die(node, "wiped", stage),
};
