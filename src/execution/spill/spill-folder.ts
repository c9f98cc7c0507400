/**
 * Where a node's tasks spill: `spill/<life>` of its own storage, so that what a former life left can be cleared away while this one writes. A file that cannot be removed
 * costs space, not correctness; a disk that recovers gets it back.
 */
import { type Clock, sleep } from "../../ports/clock.ts";
import { folderOf, type Storage, StorageError } from "../../ports/storage.ts";

const spillFolder = "spill";
/** What the disk refused is tried again after so long, then after twice as long, and so on. */
const againMs = 1_000;
const attemptsMax = 11;

/** The storage that a life of a node gives its tasks. */
export function spillStorage(storage: Storage, incarnation: string): Storage {
  return folderOf(storage, `${spillFolder}/${incarnation}`);
}

export function removeUntilGone(storage: Storage, clock: Clock, path: string): Promise<void> {
  return untilDone(clock, () => storage.remove(path));
}

/** Clears away what lives before this one spilled: it is of no use to anybody. */
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
