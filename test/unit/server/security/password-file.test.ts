import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PasswordChecker } from "../../../../src/server/security/password-checker.ts";
import { FailedLogins } from "../../../../src/server/security/failed-logins.ts";
import { parsePasswordFile, PasswordFile } from "../../../../src/server/security/password-file.ts";
import { hashComplaint, isPasswordOf } from "../../../../src/server/security/password-hash.ts";

const secret = "$2y$08$H0ahCdm53zYAJuVXaIugL.T7iJipyHCj2QdacpdfKt94PQ28yaaM2";
const enigma = "1000:5b4240333032306164:5a92c7f04a609183d7e0c641a5ae35ba4db1172a1402725a486a8e7222f4bd66";

let folder: string;
let path: string;
let nowMs: number;
let checked: string[];
let complaints: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-passwords-"));
  path = join(folder, "password.db");
  nowMs = 0;
  checked = [];
  complaints = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function opened(text: string, rememberedMax = 2): PasswordFile {
  writeFileSync(path, text);
  const checker: PasswordChecker = {
    matches: (hash, password) => {
      checked.push(hash);
      return Promise.resolve(isPasswordOf(hash, password));
    },
    close: () => undefined,
  };
  return new PasswordFile({
    path,
    refreshMs: 5000,
    rememberedMax,
    checker,
    failures: new FailedLogins({ burst: 100, intervalMs: 1000, addressesMax: 10, nowMs: () => nowMs }),
    onComplaint: (text) => complaints.push(text),
    nowMs: () => nowMs,
  });
}

function isValid(file: PasswordFile, user: string, password: string): Promise<boolean> {
  return file.isValid({ user, password, address: "192.0.2.1" });
}

describe("hashes", () => {
  it("are compared as Trino compares them", () => {
    expect([
      isPasswordOf(secret, "secret"),
      isPasswordOf(secret, "Secret"),
      isPasswordOf(enigma, "enigma"),
      isPasswordOf(enigma, ""),
    ]).toEqual([true, false, true, false]);
  });

  it("that are weak, too dear or none are refused", () => {
    expect(hashComplaint(secret)).toBeUndefined();
    expect(hashComplaint(enigma)).toBeUndefined();
    expect(hashComplaint(secret.replace("$08$", "$07$"))).toBe("Minimum cost of BCrypt password must be 8");
    expect(hashComplaint(secret.replace("$08$", "$31$"))).toBe("Maximum cost of BCrypt password is 16");
    expect(hashComplaint(secret.slice(0, 30))).toBe("Invalid BCrypt password");
    expect(hashComplaint(enigma.replace("1000", "999"))).toBe("Minimum iterations of PBKDF2 password must be 1000");
    expect(hashComplaint("secret")).toBe("Password hashing algorithm cannot be determined");
    expect(hashComplaint("1000:00:00")).toBe("Password hashing algorithm cannot be determined");
  });
});

describe("a password file", () => {
  it("says which line is wrong, and nothing of its contents", () => {
    expect(() => parsePasswordFile(`alice:${secret}\nbob:hunter2\n`)).toThrow(
      /^Error in password file line 2: Password hashing algorithm cannot be determined$/,
    );
    expect(() => parsePasswordFile("alice")).toThrow("Error in password file line 1: Expected two parts for user and password");
    expect(() => parsePasswordFile(`a:${secret}\n\na:${secret}`)).toThrow("Error in password file line 3: Duplicate user");
  });

  it("computes one hash for many polls, also of the same moment", async () => {
    const file = opened(`alice:${secret}\n`);
    expect(await Promise.all([isValid(file, "alice", "secret"), isValid(file, "alice", "secret")])).toEqual([true, true]);
    expect(await isValid(file, "alice", "secret")).toBe(true);
    expect(checked).toEqual([secret]);
  });

  it("does not remember wrong passwords, and no more right ones than it may", async () => {
    const file = opened(`a:${secret}\nb:${secret}\nc:${secret}\n`);
    for (const user of ["a", "a", "b", "c", "a"]) {
      expect(await isValid(file, user, "secret")).toBe(true);
      expect(await isValid(file, user, "wrong")).toBe(false);
    }
    // a, b, c and a again, which was forgotten; and each wrong one.
    expect(checked).toHaveLength(4 + 5);
  });

  it("computes a hash for unknown users too, always the same for one", async () => {
    const file = opened(`alice:${secret}\nbob:${enigma}\n`);
    const hashesOf = async (user: string): Promise<string | undefined> => {
      checked = [];
      expect(await isValid(file, user, "secret")).toBe(false);
      return checked.join();
    };
    const users = ["nobody", "__proto__", "constructor", ...Array.from({ length: 20 }, (_, index) => `user${index}`)];
    const first: unknown[] = [];
    for (const user of users) {
      first.push(await hashesOf(user));
    }
    expect(new Set(first)).toEqual(new Set([secret, enigma]));
    for (const [index, user] of users.entries()) {
      expect(await hashesOf(user)).toBe(first[index]);
    }
  });

  it("forgets the former password when the file changes, and a user who is gone", async () => {
    const file = opened(`alice:${secret}\nbob:${secret}\n`);
    expect([await isValid(file, "alice", "secret"), await isValid(file, "bob", "secret")]).toEqual([true, true]);
    // Carol has bob's old hash: what was remembered of bob must not serve him any more.
    writeFileSync(path, `alice:${enigma}\ncarol:${secret}\n`);
    nowMs = 4999;
    expect(await isValid(file, "alice", "secret")).toBe(true);
    nowMs = 5000;
    expect([await isValid(file, "alice", "secret"), await isValid(file, "alice", "enigma")]).toEqual([false, true]);
    expect(await isValid(file, "bob", "secret")).toBe(false);
    expect(await isValid(file, "carol", "secret")).toBe(true);
  });

  it("stays in force when its successor cannot be read", async () => {
    const file = opened(`alice:${secret}\n`);
    writeFileSync(path, "alice:plain text\n");
    nowMs = 5000;
    expect(await isValid(file, "alice", "secret")).toBe(true);
    rmSync(path);
    nowMs = 10_000;
    expect(await isValid(file, "alice", "secret")).toBe(true);
    nowMs = 15_000;
    await isValid(file, "alice", "secret");
    expect(complaints[0]).toBe("Error in password file line 1: Password hashing algorithm cannot be determined");
    expect(complaints).toHaveLength(2);
  });

  it("without users lets nobody in", async () => {
    expect(await isValid(opened(""), "", "")).toBe(false);
  });
});
