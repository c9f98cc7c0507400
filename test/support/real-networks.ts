/** What the tests of the real networks share. */
import { afterEach } from "vitest";
import { NetworkError } from "../../src/ports/network.ts";
import { RealNetwork, type RealNetworkOptions } from "../../src/server/transport/network.ts";

const usual: RealNetworkOptions = {
  host: "127.0.0.1",
  port: 0,
  bodyBytesMax: 1024 * 1024,
  eventLoopDelayMsMax: 60_000,
  processForwarded: false,
};

export const patient = { timeoutMs: 20_000, label: "test" };

export interface Opened {
  /** A network that is not served yet. */
  open(options?: Partial<RealNetworkOptions>): RealNetwork;
  /** To be closed when the test ends, the last first. */
  readonly closers: (() => Promise<void>)[];
}

/** To be called once, where a test file begins. */
export function closedAfterEach(): Opened {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });
  return {
    closers,
    open: (options) => {
      const network = new RealNetwork({ ...usual, ...options });
      closers.push(() => network.close());
      return network;
    },
  };
}

/** Of the error that a request ended with. */
export async function kindOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => "no error",
    (error: unknown) => (error instanceof NetworkError ? error.kind : `not a NetworkError: ${String(error)}`),
  );
}
