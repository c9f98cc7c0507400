/** HTTP for a node in a program of someone else. A file of its own, which is loaded when it is needed: HTTP's libraries are large. */
import type { Network } from "../ports/network.ts";
import { RealNetwork } from "../server/transport/network.ts";

export interface HttpOptions {
  /** Address to listen on; `127.0.0.1` if absent. */
  readonly host?: string;
  /** Port to listen on; 0, the default, selects a free one. */
  readonly port?: number;
  /** Host name under which other nodes reach this one; the address if absent. */
  readonly externalHost?: string;
}

const bodyBytesMax = 64 * 1024 * 1024;

/** Busy is normal in a program that does other things too. */
const eventLoopDelayMsMax = 600_000;

export function httpNetwork({ host = "127.0.0.1", port = 0, externalHost }: HttpOptions): Network {
  return new RealNetwork({
    host,
    port,
    ...(externalHost === undefined ? {} : { externalHost }),
    bodyBytesMax,
    eventLoopDelayMsMax,
    processForwarded: false,
  });
}
