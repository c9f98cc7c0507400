/** Catalogs of a node that leaves. */
import { expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/spi.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { Catalogs, type CatalogsOptions } from "../../../src/worker/catalogs.ts";
import { drain, TestClock } from "../execution/world.ts";

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Milliseconds until the node leaves. */
async function leaves(handOver: () => Promise<boolean>, graceMs = 700): Promise<number> {
  const clock = new TestClock();
  const connector = { metadata: {}, handOver } as unknown as Connector;
  const catalogs = new Catalogs({
    catalogs: [{ name: "memory", properties: { "connector.name": "fake" } }],
    factories: [{ name: "fake", create: () => connector }],
    ports: { clock, log: quiet } as Partial<Ports> as Ports,
    memory: { child: () => ({ close: () => undefined }) },
    access: () => undefined,
  } as unknown as CatalogsOptions);
  let left: number | undefined;
  void catalogs
    .handOver(() => Math.max(0, graceMs - clock.nanos / 1e6))
    .then(() => {
      left = clock.nanos / 1e6;
    });
  await drain();
  while (left === undefined && clock.fireNext()) {
    await drain();
  }
  expect(clock.timers.size).toBe(0);
  return left ?? Number.POSITIVE_INFINITY;
}

it("lets a node leave when its data is elsewhere, and in time whatever the coordinator does", async () => {
  let asked = 0;
  expect(await leaves(() => Promise.resolve(++asked === 3))).toBe(400);
  expect(await leaves(() => Promise.resolve(false))).toBe(700);
  expect(await leaves(() => Promise.reject(new Error("unreachable")))).toBe(700);
  expect(await leaves(() => new Promise(() => undefined))).toBe(700);
});

it("asks again if no answer comes, and takes a late one", async () => {
  let asked = 0;
  expect(await leaves(() => (asked++ === 0 ? new Promise(() => undefined) : Promise.resolve(true)), 10_000)).toBe(1200);
  // The first answer comes while the second request is on its way.
  let answer: (isOver: boolean) => void = () => undefined;
  asked = 0;
  const slow = (): Promise<boolean> => {
    if (asked++ > 0) {
      answer(true);
      return new Promise(() => undefined);
    }
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  expect(await leaves(slow, 10_000)).toBeLessThanOrEqual(2200);
});
