/**
 * The host names under which other nodes reach this machine.
 */
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { Log } from "../../ports/ports.ts";
import type { ServerConfiguration } from "../configuration.ts";

/**
 * The configured name. Without one, a node that listens on all interfaces is reached through the machine's first address that is not a
 * loopback address. Undefined if the listen address itself is reachable.
 */
export function externalHostOf(
  configuration: { readonly host: string; readonly externalHost: string | undefined },
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string | undefined {
  if (configuration.externalHost !== undefined) {
    return configuration.externalHost;
  }
  if (configuration.host !== "0.0.0.0" && configuration.host !== "::") {
    return undefined;
  }
  const addresses = Object.values(interfaces).flatMap((some) => some ?? []);
  return addresses.find((one) => !one.internal && one.family === "IPv4")?.address;
}

const loop = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** True if only this machine can reach a server that listens on `host`. */
export function isLoop(host: string): boolean {
  return loop.test(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
}

/** True if a worker announces a loopback address to a coordinator on another machine. */
export function isOutOfReach(workerUri: string, coordinatorUri: string): boolean {
  return isLoop(new URL(workerUri).hostname) && !isLoop(new URL(coordinatorUri).hostname);
}

/** Warning for users who open a server without authentication to a network: one line on standard error, and one in the log. */
export function warnOpen(
  { host, security: { authentication } }: Pick<ServerConfiguration, "host" | "security">,
  { log, print }: { readonly log: Log; readonly print: (line: string) => void },
): void {
  if (isLoop(host) || authentication?.allowsInsecureOverHttp === false) {
    return;
  }
  print(
    `Warning: --host ${host} lets other machines connect, and there is no authentication: whoever reaches the port can run statements, ` +
      "read and change every catalog, and see and cancel the queries of all users. Set http-server.authentication.type, or let only trusted " +
      "machines reach it\n",
  );
  log.warn("open-to-network", { host, authentication: "none" });
}
