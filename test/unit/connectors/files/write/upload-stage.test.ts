/** Uploads of a sink that is given up: none is left, also one that was being begun. */
import { expect, it } from "vitest";
import { UploadStage } from "../../../../../src/connectors/files/write/store/upload-stage.ts";
import type { ObjectStorage } from "../../../../../src/connectors/shared/object-store/object-storage.ts";
import type { ObjectWriter, Upload } from "../../../../../src/connectors/shared/object-store/object-store.ts";
import type { MemoryContext } from "../../../../../src/memory/memory.ts";
import { ManualClock } from "../../../../support/manual-clock.ts";

it("gives up an upload that begins while the others are given up", async () => {
  const begun: Upload[] = [];
  const abandoned: string[] = [];
  let answer: (() => void) | undefined;
  const refused = (): Promise<never> => Promise.reject(new Error("not asked for"));
  const writer: ObjectWriter = {
    put: refused,
    remove: refused,
    part: refused,
    complete: refused,
    unfinished: refused,
    begin: (key) =>
      new Promise((resolve) => {
        answer = () => {
          const upload = { key, id: `u${begun.length}` };
          begun.push(upload);
          resolve(upload);
        };
      }),
    abandon: ({ id }) => {
      abandoned.push(id);
      return Promise.resolve();
    },
  };
  const storage = { until: () => ({ writer }) } as unknown as ObjectStorage;
  let reserved = 0;
  const memory = {
    reserve: (bytes: number) => {
      reserved += bytes;
    },
    release: (bytes: number) => {
      reserved -= bytes;
    },
  } as unknown as MemoryContext;
  const stage = new UploadStage({
    storage,
    grace: { clock: new ManualClock(), graceMs: 1 },
    folder: "out/t/w",
    token: "s",
    partBytes: 1,
    memory,
  });
  const first = stage.append("a", new Uint8Array(10));
  answer?.();
  await first;
  const second = stage.append("b", new Uint8Array(10));
  await stage.abort();
  answer?.();
  await second;
  expect(begun.map(({ id }) => id)).toEqual(["u0", "u1"]);
  expect(abandoned).toEqual(["u0", "u1"]);
  // The bytes of the first are those of the sink, which frees them; nothing is taken for an upload that is given up.
  expect(reserved).toBe(10);
});
