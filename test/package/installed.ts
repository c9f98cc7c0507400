/**
 * The packed package, installed into an empty folder without a registry. The folder belongs to another user than the one who runs its
 * programs, and cannot be written by that one.
 */
import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../house/sources.ts";

const run = promisify(execFile);

export interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Who runs the programs: nobody, if the tests run as root. Another user has no way to become one; there the folder is read-only. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export class InstalledPackage {
  readonly #folder: string;
  readonly files: readonly PackedFile[];
  readonly packedBytes: number;

  private constructor(folder: string, files: readonly PackedFile[], packedBytes: number) {
    this.#folder = folder;
    this.files = files;
    this.packedBytes = packedBytes;
  }

  static async create(): Promise<InstalledPackage> {
    const folder = mkdtempSync(join(tmpdir(), "orrery-package-"));
    try {
      const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root, maxBuffer: 2 ** 24 });
      const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as [{ filename: string; size: number; files: PackedFile[] }];
      const installed = new InstalledPackage(folder, packed.files, packed.size);
      await installed.#install(join(folder, packed.filename));
      return installed;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Holds node_modules/orrery and nothing else. */
  get project(): string {
    return join(this.#folder, "project");
  }

  get program(): string {
    return join(this.project, "node_modules/.bin/orrery");
  }

  async #install(tarball: string): Promise<void> {
    mkdirSync(this.project);
    // Nothing answers at this address: what is not in the tarball cannot be installed.
    const flags = ["--offline", "--registry", "http://127.0.0.1:9/", "--no-audit", "--no-fund", "--cache", join(this.#folder, "cache")];
    await run("npm", ["install", ...flags, tarball], { cwd: this.project });
    chmodSync(this.#folder, 0o755);
    await run("chmod", ["-R", "a-w", this.project]);
  }

  /** A folder that the other user can write. */
  workFolder(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    return folder;
  }

  /** Runs the program as the other user. */
  async orrery(args: readonly string[], options: { readonly cwd?: string; readonly input?: string } = {}): Promise<Outcome> {
    const child = spawn(this.program, args, { cwd: options.cwd ?? this.project, env: this.environment, ...nobody });
    child.stdin.end(options.input ?? "");
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (exit) => resolve(exit ?? -1));
      }),
    ]);
    return { code, stdout, stderr };
  }

  /** Starts the program as the other user; resolves with the first match in its output. */
  async start(
    args: readonly string[],
    pattern: RegExp,
  ): Promise<{ readonly found: RegExpExecArray; readonly stop: () => Promise<number> }> {
    const child = spawn(this.program, args, { cwd: this.project, env: this.environment, stdio: ["ignore", "pipe", "ignore"], ...nobody });
    const ended = new Promise<number>((resolve) => {
      child.on("close", (code) => resolve(code ?? -1));
    });
    let output = "";
    for await (const chunk of child.stdout.setEncoding("utf8") as AsyncIterable<string>) {
      output += chunk;
      const found = pattern.exec(output);
      if (found !== null) {
        const stop = (): Promise<number> => {
          child.kill("SIGTERM");
          return ended;
        };
        return { found, stop };
      }
    }
    throw new Error(`ended with ${await ended}: ${output}`);
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8" };
  }

  async remove(): Promise<void> {
    await run("chmod", ["-R", "u+w", this.project]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
