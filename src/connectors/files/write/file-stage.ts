/** Where the sink of one task puts its files before they are visible. Operations come one after the other. */
import type { Storage } from "../../../ports/storage.ts";

/** Plain JSON. */
export interface StagedUpload {
  readonly id: string;
  /** Tags of the parts in their order. */
  readonly tags: readonly string[];
}

export interface FileStage {
  /** No other sink has the path. */
  pathOf(partition: string, name: string): string;
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Nothing is lost after it resolves. */
  end(path: string): Promise<StagedUpload | undefined>;
  /** Ends what is under way, as far as it can. Called before `abort`. */
  stop?(): void;
  /** Removes what the sink has put here. */
  abort(): Promise<void>;
}

/** Files of a folder that no other sink has. */
export function folderStage(storage: Storage, folder: string): FileStage {
  return {
    pathOf: (_partition, name) => `${folder}/${name}`,
    append: (path, bytes) => storage.append(path, bytes),
    end: async (path) => {
      await storage.sync(path);
      return undefined;
    },
    abort: () => storage.remove(folder),
  };
}
