/**
 * Storage for the spills of a node's tasks: `spill/<incarnation>` of the node's own storage. Files of an earlier incarnation can be removed
 * while this one writes. A file that cannot be removed costs space, not correctness; once the disk recovers, the space is reclaimed.
 */
import { type Clock, sleep } from "../../ports/clock.ts";
import { folderOf, type Storage, StorageError } from "../../ports/storage.ts";

const spillFolder = "spill";
/** Delay before a failed removal is retried, in milliseconds; it doubles with each retry. */
const againMs = 1_000;
const attemptsMax = 11;

/** The storage for the tasks of one incarnation of a node. */
export function spillStorage(storage: Storage, incarnation: string): Storage {
  return folderOf(storage, `${spillFolder}/${incarnation}`);
}

export function removeUntilGone(storage: Storage, clock: Clock, path: string): Promise<void> {
  return untilDone(clock, () => storage.remove(path));
}

/** Removes the spills of earlier incarnations, which nothing refers to any more. */
export async function removeFormerSpills(storage: Storage, clock: Clock, incarnation: string): Promise<void> {
  let former: readonly string[] = [];
  await untilDone(clock, async () => {
    former = (await storage.list(spillFolder)).map(({ name }) => name).filter((name) => name !== incarnation);
  });
  for (const name of former) {
    await removeUntilGone(storage, clock, `${spillFolder}/${name}`);
  }
}

async function untilDone(clock: Clock, work: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (error instanceof StorageError && error.kind === "NOT_FOUND") {
        return;
      }
      await sleep(clock, "spill-remove", againMs * 2 ** attempt);
    }
  }
}
