/**
 * Shared by the tests of real networks.
 */
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
  /** Creates a network that does not serve yet. */
  open(options?: Partial<RealNetworkOptions>): RealNetwork;
  /** Called when the test ends, in reverse order. */
  readonly closers: (() => Promise<void>)[];
}

/** Call once at the top of a test file. */
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

/** The kind of the error that a request failed with. */
export async function kindOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => "no error",
    (error: unknown) => (error instanceof NetworkError ? error.kind : `not a NetworkError: ${String(error)}`),
  );
}
