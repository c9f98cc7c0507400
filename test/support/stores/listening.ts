/** Servers of tests on a port of the loopback address that the system chooses. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The origin: `http://127.0.0.1:1234`. */
export async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** With the connections that are open. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
