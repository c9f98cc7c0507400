/**
 * Runs a real MariaDB for tests, in a folder of its own, and ends it with the test. Texts are compared without regard to case and to
 * trailing spaces, so that conditions which the engine would decide in another way are found.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { account, freePort, nobody, started } from "./database-process.ts";

export function findMariadb(): boolean {
  return ["mariadbd", "/usr/sbin/mariadbd"].some((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
}

export const howToInstallMariadb = "MariaDB is not here: install it (apt-get install mariadb-server-core mariadb-client-core)";

export interface MariadbServer {
  readonly port: number;
  /** Runs a script as root and returns its output: the values of a row are separated by tabs. Throws an Error with the server's message. */
  run(script: string): string;
  close(): Promise<void>;
}

export async function startMariadb(): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-mariadb-"));
  if (account.uid !== undefined) {
    chownSync(folder, nobody, nobody);
  }
  const environment = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` };
  const data = join(folder, "data");
  const small = ["--innodb-log-file-size=8M", "--innodb-buffer-pool-size=32M", "--innodb-flush-method=nosync", "--skip-innodb-doublewrite"];
  execFileSync(
    "mariadb-install-db",
    ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db", ...small],
    { stdio: "pipe", cwd: folder, env: environment, ...account },
  );
  const port = await freePort();
  const server = spawn(
    "mariadbd",
    [
      "--no-defaults",
      `--datadir=${data}`,
      `--socket=${join(folder, "socket")}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      "--character-set-server=utf8mb4",
      "--collation-server=utf8mb4_general_ci",
      ...small,
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: folder, env: environment, ...account },
  );
  try {
    await started(server, { name: "MariaDB", ready: "ready for connections" });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    run: (script) =>
      execFileSync(
        "mariadb",
        ["--no-defaults", "-h", "127.0.0.1", "-P", String(port), "-u", "root", "--default-character-set=utf8mb4", "-N", "-B"],
        { input: script, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], maxBuffer: 1 << 28 },
      ),
    close: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
