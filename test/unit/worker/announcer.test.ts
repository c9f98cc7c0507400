import { describe, expect, it } from "vitest";
import { type HttpRequest, type HttpResponse, NetworkError, type Network } from "../../../src/ports/network.ts";
import { emptyResponse } from "../../../src/protocol/http/http.ts";
import { Announcer } from "../../../src/worker/announcer.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";
import { countingRandom, portsOf } from "./fakes.ts";

interface Waiting {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: Error) => void;
}

/** A worker whose coordinator keeps each wait until the test ends it, and answers announcements with these statuses, then with 202. */
function worker(statuses: number[] = []) {
  const clock = new ManualClock();
  const sent: string[] = [];
  const waits: Waiting[] = [];
  const network: Network = {
    selfUri: "http://worker-1:1",
    serve: () => Promise.resolve(),
    close: () => Promise.resolve(),
    request: ({ method, headers }: HttpRequest) => {
      sent.push(`${clock.monotonicNanos() / 1e6} ${method}${headers["x-engine-max-wait"] === undefined ? "" : " 3000ms"}`);
      return method === "PUT"
        ? Promise.resolve(emptyResponse(statuses.shift() ?? 202))
        : new Promise((resolve, reject) => waits.push({ resolve, reject }));
    },
  };
  const announcer = new Announcer({
    ports: portsOf(clock, network, countingRandom(1)),
    config: { intervalMs: 3_000, requestTimeoutMs: 1_000 },
    coordinatorUri: "http://coordinator:1",
    announcement: () => ({ nodeId: "worker-1", environment: "test", services: [] }),
    onAccepted: () => undefined,
  });
  announcer.start();
  const last = (): Waiting => waits.at(-1) as Waiting;
  return { announcer, clock, sent, waits, last };
}

describe("a worker that is announced", () => {
  it("waits at the coordinator from one announcement to the next", async () => {
    const { clock, last, sent, waits } = worker();
    await settle();
    expect(sent).toEqual(["0 PUT", "0 GET 3000ms"]);
    last().resolve(emptyResponse(200));
    await clock.advance(2_999);
    expect(sent).toHaveLength(2);
    await clock.advance(1);
    expect(sent.slice(2)).toEqual(["3000 PUT", "3000 GET 3000ms"]);
    // The wait takes longer than the interval: there is no second one.
    await clock.advance(3_000);
    expect(sent.slice(4)).toEqual(["6000 PUT"]);
    expect(waits).toHaveLength(2);
  });

  it("announces itself at once when the wait breaks or is refused, and again until it is accepted", async () => {
    for (const end of [
      ({ reject }: Waiting) => reject(new NetworkError("CONNECTION_RESET", "reset")),
      ({ resolve }: Waiting) => resolve(emptyResponse(404)),
    ]) {
      const { clock, last, sent } = worker([202, 503, 503]);
      await clock.advance(1_000);
      end(last());
      await clock.advance(100);
      expect(sent.slice(2)).toEqual(["1000 PUT", "1020 PUT", "1060 PUT", "1060 GET 3000ms"]);
    }
  });

  it("asks a coordinator that refuses each wait no more than twice per interval", async () => {
    const { clock, last, sent } = worker();
    await settle();
    last().resolve(emptyResponse(404));
    await clock.advance(2_999);
    expect(sent).toEqual(["0 PUT", "0 GET 3000ms", "0 PUT"]);
    await clock.advance(1);
    expect(sent.slice(3)).toEqual(["3000 PUT", "3000 GET 3000ms"]);
  });

  it("does nothing more once it is closed", async () => {
    const { announcer, clock, last, sent } = worker();
    await settle();
    announcer.close();
    last().reject(new NetworkError("CONNECTION_RESET", "reset"));
    await clock.advance(10_000);
    expect(sent).toHaveLength(2);
    expect(clock.labels).toEqual([]);
  });
});
