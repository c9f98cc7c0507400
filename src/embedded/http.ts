/** HTTP for a node in a program of someone else. A file of its own, which is loaded when it is needed: HTTP's libraries are large. */
import type { Network } from "../ports/network.ts";
import { configuredSecret, machineSecret } from "../server/internal-secret.ts";
import { type InternalCommunication, RealNetwork } from "../server/transport/network.ts";

export interface HttpOptions {
  /** Address to listen on; `127.0.0.1` if absent. */
  readonly host?: string;
  /** Port to listen on; 0, the default, selects a free one. */
  readonly port?: number;
  /** Host name under which other nodes reach this one; the address if absent. */
  readonly externalHost?: string;
}

/** The node as a member of its cluster. */
export interface HttpIdentity extends Omit<InternalCommunication, "secret"> {
  readonly properties: Readonly<Record<string, string>>;
}

const bodyBytesMax = 64 * 1024 * 1024;

/** Busy is normal in a program that does other things too. */
const eventLoopDelayMsMax = 600_000;

export function httpNetwork(options: HttpOptions | undefined, { nodeId, properties, role }: HttpIdentity): Network {
  const { host = "127.0.0.1", port = 0, externalHost } = options ?? {};
  return new RealNetwork({
    host,
    port,
    ...(externalHost === undefined ? {} : { externalHost }),
    bodyBytesMax,
    eventLoopDelayMsMax,
    processForwarded: false,
    internal: { nodeId, role, secret: configuredSecret(properties) ?? machineSecret() },
  });
}
