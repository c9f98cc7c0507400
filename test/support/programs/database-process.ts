/** What the programs of databases need that tests run. */
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";

export const nobody = 65_534;
/** The servers refuse to run as root. */
export const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Resolves when the server says `ready`. */
export function started(server: ChildProcess, { name, ready }: { readonly name: string; readonly ready: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      said += said.length > 100_000 ? "" : String(chunk);
      if (said.includes(ready)) {
        resolve();
      }
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`${name} did not start: ${said.slice(-2000)}`)));
  });
}
