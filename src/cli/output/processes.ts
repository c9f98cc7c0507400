/**
 * Programs that the shell starts on the terminal: the pager and the editor.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OutputClosed } from "./output.ts";
import type { PagerProcess } from "./pager.ts";

/** `command` is a line for the shell, as PAGER is. */
export function startPager(command: string): PagerProcess {
  const child = spawn("sh", ["-c", command], { stdio: ["pipe", "inherit", "inherit"] });
  let isClosed = false;
  const ended = new Promise<number>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", (code) => resolve(code ?? 0));
  });
  child.stdin.on("error", () => {
    isClosed = true;
  });
  child.on("close", () => {
    isClosed = true;
  });
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new OutputClosed("the pager has ended"));
          return;
        }
        child.stdin.write(text, (error) => (error === null || error === undefined ? resolve() : reject(new OutputClosed(error.message))));
      }),
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

/** Opens the text in the user's editor and returns it as saved; undefined if the editor failed. */
export async function editText(command: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "orrery-"));
  const path = join(folder, "statement.sql");
  try {
    await writeFile(path, text, { mode: 0o600 });
    return await editFile(command, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a file in the user's editor and returns it as saved; undefined if the editor failed. */
export async function editFile(command: string, path: string): Promise<string | undefined> {
  const code = await runEditor(command, path);
  return code === 0 ? (await readFile(path, "utf8")).trimEnd() : undefined;
}

function runEditor(command: string, path: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", `${command} "$0"`, path], { stdio: "inherit" });
    child.on("error", () => resolve(127));
    child.on("close", (status) => resolve(status ?? 1));
  });
}
