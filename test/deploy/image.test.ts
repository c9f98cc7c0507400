/** The image: its Dockerfile holds together, and its entry point runs in a bare, read-only root as process 1 and as nobody. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withCluster } from "../../src/testing/index.ts";
import { readConfiguration } from "../../src/server/configuration.ts";
import { runQuery } from "../../src/testing/query.ts";
import { RealClock } from "../../src/server/ports/clock.ts";
import { RealNetwork } from "../../src/server/transport/network.ts";
import { root } from "../house/sources.ts";
import { dockerfile, FinalStage, keptPatterns, layBuild, layImage, stagesOf } from "./image.ts";

const stage = new FinalStage();
const nobody = /^(\d+):(\d+)$/.exec(stage.text("USER"));

describe("the Dockerfile", () => {
  it("builds in one stage and takes the package alone to the other", () => {
    const [build, image] = stagesOf(dockerfile);
    expect(build?.name).toBe("build");
    expect(image?.base).toMatch(/^gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot$/);
    expect(stage.copies.map(({ target }) => target)).toEqual(["/opt/orrery/", "/opt/orrery/dist/package", "/etc/orrery"]);
    expect(
      stagesOf(dockerfile)
        .flatMap(({ instructions }) => instructions)
        .some(({ keyword }) => keyword === "ADD"),
    ).toBe(false);
  });

  it("runs as a user that is not root, without a shell, and drains on the signal that it names", () => {
    expect(Number(nobody?.[1])).toBeGreaterThan(0);
    expect(Number(nobody?.[2])).toBeGreaterThan(0);
    expect(stage.text("STOPSIGNAL")).toBe("SIGTERM");
    const [node, program] = stage.words("ENTRYPOINT");
    expect(stage.words("CMD")).toEqual(["server"]);
    expect(stage.words("HEALTHCHECK")).toEqual([node, program, "healthcheck"]);
  });

  it("sets variables that the server knows", () => {
    const { ORRERY_ETC: etc = "", ...environment } = stage.environment;
    const mounted = stage.copies.find(({ target }) => target === etc);
    const folder = join(root, mounted?.sources[0] ?? "missing");
    expect(readConfiguration({ flags: {}, environment, etcFolder: folder })).toMatchObject({ host: "0.0.0.0", port: 8080 });
    expect(stage.text("EXPOSE")).toBe("8080");
  });

  it("gets from .dockerignore all that it copies and builds", () => {
    const kept = keptPatterns;
    const isKept = (path: string): boolean =>
      kept.some(
        (pattern) => path === pattern || path.startsWith(`${pattern}/`) || new RegExp(`^${pattern.replace("*", "[^/]*")}$`).test(path),
      );
    for (const path of kept.filter((pattern) => !pattern.includes("*"))) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
    for (const path of [
      "package.json",
      "package-lock.json",
      ".npmrc",
      "build.mjs",
      "src/server/main.ts",
      "sim/main.ts",
      "tsconfig.node.json",
    ]) {
      expect(isKept(path), path).toBe(true);
    }
    for (const copy of stage.copies.filter((one) => one.stage === undefined)) {
      expect(copy.sources.every(isKept)).toBe(true);
    }
    expect(isKept("node_modules/x") || isKept("dist/x") || isKept(".git/x")).toBe(false);
  });
});

const chroot = "/usr/sbin/chroot";
/** Namespaces need root, or a system that lets every user make them. */
const isAble = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0 && process.getuid?.() === 0;

describe.skipIf(!isAble)("the entry point in a bare root", () => {
  let build = "";
  let folder = "";
  const children: ChildProcess[] = [];

  beforeAll(() => {
    build = layBuild();
    execFileSync(process.execPath, [join(build, "build.mjs"), "package"], { cwd: build });
    folder = layImage(stage, build);
  });

  afterAll(() => {
    children.forEach((child) => child.kill("SIGKILL"));
    for (const laid of [folder, build]) {
      rmSync(laid, { recursive: true, force: true });
    }
  });

  /** As process 1, read-only but for /tmp, as the image's user. */
  function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
    const variables = Object.entries({ ...stage.environment, ...environment }).map(([name, value]) => `${name}=${value}`);
    const script = `set -e
      mount --bind "$0" "$0"
      mount --rbind /dev "$0/dev"
      mount -t proc proc "$0/proc"
      mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
      mount -o remount,ro,bind "$0"
      exec env -i "$@"`;
    const command = [chroot, `--userspec=${stage.text("USER")}`, folder, ...stage.words("ENTRYPOINT"), ...args];
    const child = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, folder, ...variables, ...command], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    let output = "";
    const uri = new Promise<string>((resolve, reject) => {
      const take = (bytes: Buffer): void => {
        output += bytes.toString();
        const [, found] = /listens on (http:\/\/[^\s;]+)/.exec(output) ?? [];
        if (found !== undefined) {
          resolve(found);
        }
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.once("close", () => reject(new Error(output)));
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const signal = (name: NodeJS.Signals): void => {
      const inside = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
      process.kill(Number(inside), name);
    };
    return { uri, ended, signal, output: () => output };
  }

  function healthcheck(uri: string): number | null {
    const [node = "", ...rest] = stage.words("HEALTHCHECK");
    const variable = `ORRERY_PORT=${new URL(uri).port}`;
    return spawnSync("env", ["-i", variable, chroot, `--userspec=${stage.text("USER")}`, folder, node, ...rest]).status;
  }

  it("serves, is healthy, and ends with 0 after the running query", async () => {
    expect(healthcheck("http://127.0.0.1:9")).toBe(1);
    const server = start(stage.words("CMD"), { ORRERY_PORT: "0", ORRERY_WORKERS: "2" });
    const uri = (await server.uri).replace(/\/\/[^:]+/, "//127.0.0.1");
    expect(healthcheck(uri)).toBe(0);
    const clock = new RealClock();
    const network = new RealNetwork({ host: "127.0.0.1", port: 0, bodyBytesMax: 1, eventLoopDelayMsMax: 60_000, processForwarded: false });
    const sender = { network, clock, server: uri };
    const running = runQuery("SELECT count(*) FROM tpch.sf1.orders WHERE comment LIKE '%special%'", {}, sender);
    while (((await (await fetch(`${uri}/v1/cluster`)).json()) as { readonly runningQueries: number }).runningQueries === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    server.signal("SIGTERM");
    const { rows } = await running;
    expect(rows[0]?.[0]).toBeGreaterThan(0n);
    expect(await server.ended).toBe(0);
    expect(server.output()).toContain("SIGTERM: finishing running queries");
    await network.close();
    clock.close();
  });

  it("joins as a worker", async () => {
    await using cluster = await withCluster({ workers: 1 });
    const worker = start(["worker"], {
      ORRERY_INTERNAL_COMMUNICATION_SHARED_SECRET: "0123456789abcdef",
      ORRERY_COORDINATOR: cluster.uri,
      ORRERY_NODE_ID: "worker-in-a-box",
      ORRERY_PORT: "0",
    });
    const uri = (await worker.uri).replace(/\/\/[^:]+/, "//127.0.0.1");
    await cluster.untilActive(2);
    expect(cluster.activeWorkers).toContain("worker-in-a-box");
    expect(healthcheck(uri)).toBe(0);
    worker.signal("SIGTERM");
    expect(await worker.ended).toBe(0);
    await cluster.untilActive(1);
  });
});
