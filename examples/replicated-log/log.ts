/**
 * A log on three nodes. The primary writes an entry to its disk, sends it to the backups, and answers the client when one of them has it on
 * its disk too: then a majority has it.
 */
import { callNode, NetworkError, type NodePorts, type NodeProgram, serveCalls, sleep, type Storage } from "orrery/sim";

/** Entries by position: of a node all of its log, of the client those that were acknowledged. */
export type Log = (string | undefined)[];

/** Planted on purpose: a backup appends whatever comes, or answers before its disk has it. */
export type Bug = "no-gap-check" | "answers-before-sync";

const primary = "n1";
const backups = ["n2", "n3"];
export const replicas: readonly string[] = [primary, ...backups];
export const file = "log";

async function load(storage: Storage): Promise<Log> {
  const { sizeBytes } = await storage.stat(file).catch(() => ({ sizeBytes: 0 }));
  const bytes = sizeBytes === 0 ? new Uint8Array(0) : await storage.read(file, 0, sizeBytes);
  // A crash may have torn the last line.
  const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  await storage.write(file, whole);
  await storage.sync(file);
  return new TextDecoder().decode(whole).split("\n").slice(0, -1);
}

export function replica(bug?: Bug): NodeProgram<Log> {
  return async ({ network, clock, storage }: NodePorts) => {
    const log = await load(storage);
    let last: Promise<unknown> = Promise.resolve();
    /** One after the other: the disk has the entries in the order of the log. */
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(work);
      last = turn;
      return turn;
    };
    const store = async (entries: Log, isSynced: boolean): Promise<number> => {
      await storage.append(file, new TextEncoder().encode(entries.map((entry) => `${entry}\n`).join("")));
      if (isSynced) {
        await storage.sync(file);
      }
      return log.push(...entries);
    };
    const replicate = async (to: string, end: number): Promise<void> => {
      for (let from = end - 1; from < end; ) {
        try {
          from = (await callNode(network, to, { name: "store", body: { from, entries: log.slice(from, end) }, timeoutMs: 100 })) as number;
        } catch (error) {
          if (!(error instanceof NetworkError)) {
            throw error;
          }
          await sleep(clock, "retry", 50);
        }
      }
    };
    await serveCalls(network, {
      append: async (entry) => {
        const end = await inTurn(() => store([entry as string], true));
        await Promise.race(backups.map((to) => replicate(to, end)));
        return end - 1;
      },
      store: (body) =>
        inTurn(async () => {
          const { from, entries } = body as { from: number; entries: Log };
          if (bug === "no-gap-check") {
            return store(entries, true);
          }
          // What is missing in between must come first; what is there already is not written again.
          return from > log.length ? log.length : store(entries.slice(log.length - from), bug !== "answers-before-sync");
        }),
    });
    return log;
  };
}

/** Appends until this many entries have been acknowledged. */
export function client(count: number): NodeProgram<Log> {
  return ({ network, clock }: NodePorts) => {
    const acknowledged: Log = [];
    const work = async (): Promise<void> => {
      for (let number = 1, answered = 0; answered < count; number++) {
        const entry = `entry ${number}`;
        try {
          acknowledged[(await callNode(network, primary, { name: "append", body: entry, timeoutMs: 500 })) as number] = entry;
          answered++;
        } catch (error) {
          if (!(error instanceof NetworkError)) {
            throw error;
          }
        }
        await sleep(clock, "think", 20);
      }
    };
    void work();
    return acknowledged;
  };
}
