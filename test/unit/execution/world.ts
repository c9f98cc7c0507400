/**
 * Fixtures for tests of execution: a clock that moves only when told, and a network that the test scripts.
 */
import { noPoints } from "../../../src/ports/points.ts";
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../../src/ports/clock.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  noBody,
  type RequestOptions,
} from "../../../src/ports/network.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { Storage } from "../../../src/ports/storage.ts";

interface TestTimer {
  readonly at: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/** Time stands still between turns; `runUntil` fires timers in order. */
export class TestClock implements Clock {
  nanos = 0;
  #sequence = 0;
  readonly timers = new Set<TestTimer>();

  monotonicNanos(): MonotonicNanos {
    return this.nanos as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return (1_700_000_000_000 + Math.floor(this.nanos / 1e6)) as WallMillis;
  }

  cpuNanos(): number {
    return this.nanos;
  }

  timer(_label: string, delayMs: number, callback: () => void): Timer {
    const timer: TestTimer = { at: this.nanos + delayMs * 1e6, sequence: this.#sequence++, callback };
    this.timers.add(timer);
    return { cancel: () => this.timers.delete(timer) };
  }

  turn(workUnits: number): Promise<void> {
    this.nanos += workUnits;
    return Promise.resolve();
  }

  /** Fires the next timer; returns false if there is none. */
  fireNext(): boolean {
    const next = [...this.timers].sort((a, b) => a.at - b.at || a.sequence - b.sequence)[0];
    if (next === undefined) {
      return false;
    }
    this.timers.delete(next);
    this.nanos = Math.max(this.nanos, next.at);
    next.callback();
    return true;
  }
}

/** Lets promises settle. */
export async function drain(rounds = 200): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await Promise.resolve();
  }
}

/** Waits for a promise; fires timers when nothing else happens. */
export async function settle<T>(clock: TestClock, promise: Promise<T>): Promise<T> {
  let done = false;
  const watched = promise.finally(() => {
    done = true;
  });
  watched.catch(() => undefined);
  for (let round = 0; round < 100_000; round++) {
    await drain(20);
    if (done) {
      return watched;
    }
    if (!clock.fireNext()) {
      // Work that waits for nothing may take many turns: a join that spills single rows does.
      for (let more = 0; more < 100 && !done && clock.timers.size === 0; more++) {
        await drain(2000);
      }
      if (!done && clock.timers.size === 0) {
        throw new Error("nothing can happen any more");
      }
    }
  }
  throw new Error("no end in sight");
}

export type Script = (request: HttpRequest) => Promise<HttpResponse>;

export class ScriptedNetwork implements Network {
  readonly selfUri = "http://self:1";
  readonly requests: string[] = [];
  inFlight = 0;
  script: Script;

  constructor(script: Script) {
    this.script = script;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    this.requests.push(`${request.method} ${request.url}`);
    this.inFlight++;
    return new Promise<HttpResponse>((resolve, reject) => {
      options.onAbortable?.(() => reject(new NetworkError("ABORTED", "aborted")));
      this.script(request).then(resolve, reject);
    }).finally(() => {
      this.inFlight--;
    });
  }

  serve(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export function refused(): never {
  throw new NetworkError("CONNECTION_REFUSED", "connection refused");
}

export function respond(status: number, headers: Readonly<Record<string, string>> = {}, body: Uint8Array = noBody): HttpResponse {
  return { status, headers, body };
}

export function testPorts(clock: Clock, network: Network, storage: Storage): Ports {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return {
    clock,
    network,
    storage,
    random: { stream: () => ({ nextInt: () => 0, nextText: (length: number) => "a".repeat(length) }) },
    openFolder: () => storage,
    log: quiet,
    points: noPoints,
  };
}
