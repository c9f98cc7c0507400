/**
 * What the shell does on the machine: history file, pager, editor, password, credentials.
 */
import { EventEmitter } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { AuthorizedNetwork, basicCredentials } from "../../../src/cli/authorization.ts";
import { FileHistory } from "../../../src/cli/history.ts";
import { openFileOutput } from "../../../src/cli/output/file-output.ts";
import { OutputClosed } from "../../../src/cli/output/output.ts";
import { PagedOutput, type PagerProcess } from "../../../src/cli/output/pager.ts";
import { editText, startPager } from "../../../src/cli/output/processes.ts";
import { askPassword, passwordOf } from "../../../src/cli/password.ts";
import { bareRequest } from "../../../src/protocol/http/http.ts";
import { ScriptedNetwork, text } from "../client/scripted.ts";
import { MemoryOutput } from "./memory-output.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the history file", () => {
  it("keeps whole statements, whatever they hold", () => {
    const path = join(folder, "history-property");
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: "grapheme" })), (texts) => {
        rmSync(path, { force: true });
        const entries = [...texts, "select 1,\n  2;", '"quoted"', "a\\G", "a\r\nb"]
          .map((entry) => entry.trim())
          .filter((entry) => entry !== "");
        const written = new FileHistory(path);
        for (const entry of entries) {
          written.add(entry);
        }
        expect(new FileHistory(path).entries).toEqual(entries.filter((entry, index) => entry !== entries[index - 1]));
      }),
      { numRuns: 100 },
    );
  });

  it("reads files of older builds, and keeps the newest entries", () => {
    const path = join(folder, "history-old");
    writeFileSync(path, `${Array.from({ length: 2500 }, (_, index) => `select ${index};`).join("\n")}\n"not JSON\n`);
    const history = new FileHistory(path);
    expect(history.entries).toHaveLength(1000);
    expect(history.entries.slice(-2)).toEqual(["select 2499;", '"not JSON']);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(1001);
  });

  it("does without a file that cannot be written", () => {
    const history = new FileHistory(join(folder, "no", "such", "folder"));
    history.add("select 1;");
    expect(history.entries).toEqual(["select 1;"]);
  });
});

describe("the pager", () => {
  const start = (pages: string[], code = 0): PagerProcess => ({
    write: (page) => (code === 0 ? Promise.resolve(void pages.push(page)) : Promise.reject(new OutputClosed("gone"))),
    end: () => Promise.resolve(code),
  });

  it("starts only for what does not fit, and then has everything in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a\n", "b\nc\n", "no line break", `${"x".repeat(50)}\n`)),
        fc.boolean(),
        async (texts, isForWide) => {
          const output = new MemoryOutput({ isTerminal: true, width: 20, height: 6 });
          const pages: string[] = [];
          const paged = new PagedOutput(output, { start: () => start(pages), isForWide });
          for (const written of texts) {
            await paged.write(written);
          }
          await paged.end();
          const all = texts.join("");
          const isLong = all.split("\n").length - 1 >= 5;
          const isWide = texts.some((written) => written.length > 20);
          expect(pages.length > 0).toBe(isLong || (isForWide && isWide));
          expect(pages.length > 0 ? pages.join("") : output.text).toBe(all);
          expect(pages.length > 0 && output.text !== "").toBe(false);
        },
      ),
    );
  });

  it("that does not exist is done without", async () => {
    const output = new MemoryOutput({ isTerminal: true, height: 3 });
    const paged = new PagedOutput(output, { start: () => start([], 127), isForWide: false });
    await paged.write("1\n2\n3\n4\n");
    await paged.write("5\n");
    await paged.end();
    expect(output.text).toBe("1\n2\n3\n4\n5\n");
  });

  it("that the user leaves ends the output", async () => {
    const paged = new PagedOutput(new MemoryOutput({ height: 3 }), { start: () => start([], 1), isForWide: false });
    await expect(paged.write("1\n2\n3\n4\n")).rejects.toThrow(OutputClosed);
  });

  it("is a program that gets the text, and whose end is waited for", async () => {
    const path = join(folder, "paged");
    const pager = startPager(`cat > ${path}`);
    await pager.write("one\n");
    await pager.write("two\n");
    expect(await pager.end()).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
    const gone = startPager("exit 3");
    expect(await gone.end()).toBe(3);
    await expect(gone.write("x")).rejects.toThrow(OutputClosed);
    expect(await startPager("no-such-pager-program 2> /dev/null").end()).toBe(127);
  });
});

describe("files and editors", () => {
  it("an editor gets the text and returns it as saved", async () => {
    const editor = join(folder, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nprintf ";\\n" >> "$1"\n', { mode: 0o755 });
    expect(await editText(editor, "select 1\nfrom t")).toBe("select 1\nfrom t;");
    expect(await editText("false", "select 1")).toBeUndefined();
  });

  it("rows are written to a file, and a file that cannot be written is told", async () => {
    const path = join(folder, "rows.csv");
    const output = await openFileOutput(path);
    await output.write("1\n");
    await output.write("2\n");
    await output.close();
    expect(readFileSync(path, "utf8")).toBe("1\n2\n");
    await expect(openFileOutput(join(folder, "no", "rows"))).rejects.toThrow("no such file or directory");
  });
});

describe("the password", () => {
  it("is taken from the environment", () => {
    expect(passwordOf({ ORRERY_PASSWORD: "a", TRINO_PASSWORD: "b" })).toBe("a");
    expect(passwordOf({ TRINO_PASSWORD: "b" })).toBe("b");
    expect(passwordOf({})).toBeUndefined();
  });

  it.each([
    ["secret\r", "secret"],
    ["sex\u007fcret\r", "secret"],
    ["wrong\u0015right\n", "right"],
    ["\u00e4\u{1f600}\u007f\r", "\u00e4"],
    ["secret\u0003", undefined],
    ["\u0004", undefined],
  ])("%j typed is %j, and nothing of it is shown", async (typed, password) => {
    const input = Object.assign(new EventEmitter(), {
      modes: [] as boolean[],
      setRawMode(isRaw: boolean) {
        this.modes.push(isRaw);
      },
      setEncoding: () => undefined,
      resume: () => undefined,
      pause: () => undefined,
    });
    const output = new MemoryOutput();
    const asked = askPassword({ input, output });
    for (const character of typed) {
      input.emit("data", character);
    }
    expect(await asked).toBe(password);
    expect(output.text).toBe("Password: \n");
    expect(input.modes).toEqual([true, false]);
  });

  it("goes to the server of the options and to no other", async () => {
    const inner = new ScriptedNetwork(() => text(200, ""));
    const network = new AuthorizedNetwork(inner, {
      server: "https://server:443/",
      credentials: basicCredentials("\u00e4da", "s:p"),
    });
    for (const url of ["https://server/v1/statement", "http://server/v1", "https://storage/segment", "https://server.evil/v1"]) {
      await network.request(bareRequest("GET", url), { timeoutMs: 1, label: "test" });
    }
    expect(inner.requests.map(({ headers }) => headers["authorization"])).toEqual([
      `Basic ${Buffer.from("\u00e4da:s:p").toString("base64")}`,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
