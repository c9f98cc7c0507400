/**
 * Runs a real PostgreSQL for tests, in a folder of its own, and ends it with the test. Text is ordered by the rules of English, so that
 * orders which differ from that of code points are found.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { account, freePort, nobody, started } from "./database-process.ts";

const debianFolder = "/usr/lib/postgresql";
function foldersOfPrograms(): readonly string[] {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : [];
  return ["", ...versions.map((version) => `${debianFolder}/${version}/bin/`)];
}

/** The folder of its programs, empty for the search path; undefined if PostgreSQL is not installed. */
export function findPostgresql(): string | undefined {
  return foldersOfPrograms().find((folder) => spawnSync(`${folder}initdb`, ["--version"], { stdio: "ignore" }).status === 0);
}

/** True if CI is set, as in .ci/run: tests with a server must then run. */
export function isPostgresqlRequired(): boolean {
  const { CI } = process.env;
  return CI !== undefined && CI !== "" && CI !== "false";
}

export const howToInstallPostgresql = "PostgreSQL is not here: install it (apt-get install postgresql)";

export interface PostgresqlServer {
  readonly port: number;
  readonly url: string;
  /** Runs a script and returns its output: the values of a row are separated by tabs. Throws an Error with the server's message. */
  psql(script: string): string;
  close(): Promise<void>;
}

export async function startPostgresql(): Promise<PostgresqlServer> {
  const programs = findPostgresql();
  if (programs === undefined) {
    throw new Error(howToInstallPostgresql);
  }
  const folder = mkdtempSync(join(tmpdir(), "orrery-postgresql-"));
  if (account.uid !== undefined) {
    chownSync(folder, nobody, nobody);
  }
  const data = join(folder, "data");
  const locale = ["--locale=C.UTF-8", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en"];
  execFileSync(`${programs}initdb`, ["-D", data, "-U", "tester", "-A", "trust", "--no-sync", ...locale], {
    stdio: "pipe",
    cwd: folder,
    ...account,
  });
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    fsync: "off",
    autovacuum: "off",
    max_connections: "50",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(`${programs}postgres`, ["-D", data, ...flags], { stdio: ["ignore", "ignore", "pipe"], cwd: folder, ...account });
  try {
    await started(server, { name: "PostgreSQL", ready: "database system is ready to accept connections" });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    url: `jdbc:postgresql://127.0.0.1:${port}/postgres`,
    psql: (script) =>
      execFileSync(
        `${programs}psql`,
        ["-h", "127.0.0.1", "-p", String(port), "-U", "tester", "-d", "postgres", "-qAt", "-F", "\t", "-v", "ON_ERROR_STOP=1"],
        {
          input: script,
          encoding: "utf8",
          stdio: ["pipe", "pipe", "pipe"],
          maxBuffer: 1 << 28,
        },
      ),
    close: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      // Does not wait for connections.
      server.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
