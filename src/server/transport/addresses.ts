/** Under which name other nodes reach this machine. Used where worker nodes are started. */
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

/**
 * The configured name; without one, a node that listens on all interfaces is reached by the machine's first address that is not its own loop.
 * Undefined when the address it listens on is the one to use.
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

/** Whether only this machine reaches what listens there. */
export function isLoop(host: string): boolean {
  return loop.test(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
}

/** A worker that names itself by its own loop is out of reach for a coordinator elsewhere. */
export function isOutOfReach(workerUri: string, coordinatorUri: string): boolean {
  return isLoop(new URL(workerUri).hostname) && !isLoop(new URL(coordinatorUri).hostname);
}

/** For the person who opens a server to a network. */
export function openWarning(host: string): string {
  return `Warning: --host ${host} lets other machines connect, and there is no authentication yet: whoever reaches the port can run statements and read every catalog`;
}
