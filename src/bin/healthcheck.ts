/**
 * `orrery healthcheck [url]`: the exit code says whether a server is ready for statements, so a container needs no other program for its
 * check.
 */
import { Command } from "commander";
import { parseArguments, usageCode } from "./command-line.ts";

const timeoutMsDefault = 5000;

/** Where the server of the same container listens. Kubernetes sets ORRERY_PORT to `tcp://...` for a service of this name. */
function addressHere(environment: Readonly<Record<string, string | undefined>>): string {
  const server = environment["ORRERY_SERVER"];
  if (server !== undefined && server !== "") {
    return server;
  }
  const port = [environment["ORRERY_HTTP_SERVER_HTTP_PORT"], environment["ORRERY_PORT"]].find((one) => /^\d{1,5}$/.test(one ?? ""));
  return `http://127.0.0.1:${port ?? "8080"}`;
}

/** 0 if the server is ready, 1 if it is not or does not answer, 2 for a wrong command line. */
export async function healthcheck(argv: readonly string[]): Promise<number> {
  const command = new Command("orrery healthcheck")
    .description("Asks a server's /v1/info whether it is ready for statements. Exit codes: 0 ready, 1 not ready, 2 wrong command line.")
    .argument("[url]", "address of the server (ORRERY_SERVER; http://127.0.0.1:8080)")
    .option("--timeout <milliseconds>", "longest wait for the answer", String(timeoutMsDefault))
    .allowExcessArguments(false)
    .exitOverride();
  const ended = parseArguments(command, argv);
  if (ended !== undefined) {
    return ended;
  }
  const [given = addressHere(process.env)] = command.args;
  const address = /^https?:\/\//i.test(given) ? given : `http://${given}`;
  const timeoutMs = Number(command.opts<{ readonly timeout: string }>().timeout);
  if (!URL.canParse(address) || !Number.isSafeInteger(timeoutMs) || timeoutMs < 1) {
    process.stderr.write(`error: expected http://HOST:PORT and a timeout in milliseconds, got '${given}'\n`);
    return usageCode;
  }
  const lack = await lackOf(address.replace(/\/+$/, ""), timeoutMs);
  (lack === undefined ? process.stdout : process.stderr).write(`${address}: ${lack ?? "ready"}\n`);
  return lack === undefined ? 0 : 1;
}

/** Undefined if the server is ready. */
async function lackOf(address: string, timeoutMs: number): Promise<string | undefined> {
  try {
    const response = await fetch(`${address}/v1/info`, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) {
      return `status ${response.status}`;
    }
    const info: unknown = await response.json();
    const isReady = typeof info === "object" && info !== null && "starting" in info && info.starting === false;
    return isReady ? undefined : "not ready";
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
