/**
 * Runs Azurite, Microsoft's emulator of Azure Storage, for tests. It checks signatures and conditions by code of its own. Blobs are in
 * memory.
 */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** As in install-azurite.sh. */
const version = "3.31.0";
const account = "orrerytest";
const key = Buffer.from("an account key of no account at all, for tests").toString("base64");

/** The program of its Blob Service; undefined if it is not installed. */
export function findAzurite(): string | undefined {
  const { ORRERY_AZURITE: given, XDG_CACHE_HOME: caches } = process.env;
  const folder = given ?? join(caches ?? join(homedir(), ".cache"), "orrery", `azurite-${version}`);
  const program = join(folder, "node_modules/azurite/dist/src/blob/main.js");
  return existsSync(program) ? program : undefined;
}

export const howToInstallAzurite = "Azurite is not here: install it (test/support/programs/install-azurite.sh)";

export interface AzuriteServer {
  readonly account: string;
  readonly key: string;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  close(): Promise<void>;
}

export async function startAzurite(): Promise<AzuriteServer> {
  const program = findAzurite();
  if (program === undefined) {
    throw new Error(howToInstallAzurite);
  }
  const folder = mkdtempSync(join(tmpdir(), "orrery-azurite-"));
  const options = ["--inMemoryPersistence", "--blobHost", "127.0.0.1", "--blobPort", "0", "--silent", "--disableProductStyleUrl"];
  const server = spawn(process.execPath, [program, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
    env: { ...process.env, AZURITE_ACCOUNTS: `${account}:${key}` },
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  let said = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += String(chunk);
      const found = /successfully listens on (http:\/\/[\w.:]+)/.exec(said)?.[1];
      if (found !== undefined) {
        resolve(found);
      }
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.once("error", reject);
    void ended.then(() => reject(new Error(`Azurite did not start: ${said.slice(-2000)}`)));
  });
  return {
    account,
    key,
    origin,
    close: async () => {
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A shared access signature of the account for blobs, valid for an hour, after "Create an account SAS". */
export function accountSas(permissions: string): string {
  const ends = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
  const fields = { sp: permissions, ss: "b", srt: "sco", st: "", se: ends, sip: "", spr: "https,http", sv: "2021-12-02", ses: "" };
  const text = `${[account, ...Object.values(fields)].join("\n")}\n`;
  const sig = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  const given = Object.entries({ ...fields, sig }).filter(([, value]) => value !== "");
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
