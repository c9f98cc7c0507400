/** The header of a recording that this process makes. */
import { engineVersion, type NodeConfig } from "../../config.ts";
import { type RecordingHeader, recordingVersion } from "../../recording/entries.ts";
import { scrubAccess, scrubConfig } from "../../recording/scrub.ts";

export interface RecordingShape {
  readonly id: string;
  readonly config: NodeConfig;
  readonly scrubbed: boolean;
  readonly blockBytes: number;
  readonly blocks: number;
}

export function recordingHeader({ id, config, scrubbed, blockBytes, blocks }: RecordingShape): RecordingHeader {
  const headBlocks = Math.ceil(blocks / 4);
  return {
    orreryRecording: recordingVersion,
    id,
    nodeId: config.nodeId,
    config: scrubConfig(scrubbed && config.access !== undefined ? { ...config, access: scrubAccess(config.access) } : config),
    wallMillis: Date.now(),
    monotonicNanos: Math.round(performance.now() * 1e6),
    engineVersion,
    platform: `node ${process.version} ${process.platform} ${process.arch}`,
    scrubbed,
    blockBytes,
    headBlocks,
    ringBlocks: blocks - headBlocks,
  };
}

/** A promise continuation may call process.nextTick, and such ticks run when no continuation is left. */
export function afterContinuations(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
