/**
 * Files and programs of the machine, for the shell.
 */
import { access, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { openFileOutput } from "./output/file-output.ts";
import { editFile, editText, startPager } from "./output/processes.ts";
import type { PagerProcess } from "./output/pager.ts";
import type { ShellHost } from "./shell.ts";

export interface ShellHostOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** --pager */
  readonly pager: string | undefined;
  /** Lends the terminal to a program for the time of the action. */
  readonly borrow: <Result>(action: () => Promise<Result>) => Promise<Result>;
  readonly open: (target: string) => Promise<void>;
}

export interface FileHost extends ShellHost {
  hasFile(path: string): Promise<boolean>;
}

const defaultPager = "less -FRSX";

export function shellHost(options: ShellHostOptions): FileHost {
  const { environment } = options;
  const pager = options.pager ?? environment["ORRERY_PAGER"] ?? environment["PAGER"] ?? defaultPager;
  const editor = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi";
  return {
    readFile: (path) => readFile(absolute(path), "utf8"),
    openOutput: (path) => openFileOutput(absolute(path)),
    edit: (text, path) => options.borrow(() => (path === undefined ? editText(editor, text) : editFile(editor, absolute(path)))),
    open: (target) => options.open(target),
    hasFile: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ...(pager.trim() === "" ? {} : { startPager: () => borrowingPager(pager, options.borrow) }),
  };
}

/** The terminal is the pager's until it ends. */
function borrowingPager(command: string, borrow: ShellHostOptions["borrow"]): PagerProcess {
  let ended: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let process: PagerProcess | undefined;
  void borrow(() => {
    process = startPager(command);
    return isOver;
  });
  const started = process as PagerProcess | undefined;
  return {
    write: (text) => started?.write(text) ?? Promise.resolve(),
    end: async () => {
      const code = (await started?.end()) ?? 0;
      ended();
      return code;
    },
  };
}

function absolute(path: string): string {
  const bare = /^'(.*)'$/.exec(path)?.[1] ?? path;
  return bare === "~" || bare.startsWith("~/") ? join(homedir(), bare.slice(1)) : bare;
}
