/**
 * Configuration files with any text: read, or refused by one clear line, which never shows the whole of a long value, as it may be a secret
 * that was pasted into the wrong line.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineProperties, nodeConfig } from "../../../../../src/config.ts";
import { QueryError } from "../../../../../src/protocol/errors.ts";
import { readConfiguration, serverProperties } from "../../../../../src/server/configuration.ts";
import { ConfigurationError } from "../../../../../src/server/properties.ts";
import type { Random } from "../../random.ts";
import { type FuzzTarget, unexpected, type Verdict } from "../target.ts";

interface PropertiesInput {
  readonly file: string;
  readonly lines: readonly string[];
}

const known = [...serverProperties, ...engineProperties];
const files = [
  "config.properties",
  "node.properties",
  "event-listener.properties",
  "password-authenticator.properties",
  "access-control.properties",
  "resource-groups.properties",
  "catalog/a.properties",
] as const;
const connectors = ["memory", "tpch", "tpcds", "files", "blackhole", "system", "postgresql", "iceberg", ""] as const;
/** What must never be shown. */
const secret = "Zm9vYmFyc2VjcmV0MTIzNDU2Nzg5MA";
const values = [
  "",
  "true",
  "false",
  "0",
  "-1",
  "1",
  "9".repeat(30),
  "1GB",
  "1e400B",
  "999999999999999999TB",
  "10s",
  "1000000000000d",
  "-5m",
  "NaN",
  "%",
  "file",
  "PASSWORD,JWT",
  "PASSWORD,,",
  "NONE",
  "/nowhere/at/all",
  "..",
  "${ENV:NOT_SET}",
  "${ENV:}",
  "${ENV:A",
  "${ENV:__proto__}",
  "${ENV:constructor}",
  "(.*)",
  "(",
  "(a+)+$",
  "http://[::1",
  "http://u:p@h/",
  "ftp://x",
  "\u0000",
  "é",
  "a=b=c",
  "x".repeat(5000),
  secret,
  `${secret}==`,
  `user:${secret}`,
] as const;
const separators = ["=", "=", "=", " = ", ":", " ", "", "==", "\t=\t"] as const;
const oddNames = ["__proto__", "constructor", "toString", "", " ", "a.b", "hasOwnProperty", "node.id ", "NODE.ID", `${secret}`] as const;
const environment = { A: "b" };

function drawName(random: Random): string {
  const { name } = random.pick(known);
  switch (random.below(8)) {
    case 0:
      return random.pick(oddNames);
    case 1: {
      const at = random.below(name.length);
      return name.slice(0, at) + random.pick(["", "x", "é", ".", "-"]) + name.slice(at + 1);
    }
    case 2:
      return "connector.name";
    default:
      return name;
  }
}

function drawLine(random: Random): string {
  if (random.chance(6)) {
    return random.pick(["", "#", "# a=b", "!", "\\", "=", "\u2028", "\ufeff", "a\\", secret, `${secret}=`, `  ${secret}  `]);
  }
  const name = drawName(random);
  const value = name === "connector.name" ? random.pick(connectors) : random.pick(values);
  return `${name}${random.pick(separators)}${value}`;
}

/** The file's name, the place or a property's name, in one line without control characters, and not too long. */
function faultIn(message: string): Verdict["fault"] {
  if (message.includes(secret)) {
    return { kind: "shows a secret", detail: message };
  }
  // Control characters would break the log's line.
  if (/[\p{Cc}\u2028\u2029]/u.test(message)) {
    return { kind: "not one line", detail: JSON.stringify(message.slice(0, 300)) };
  }
  return message.length > 1000 || message === "" ? { kind: "not a short line", detail: message.slice(0, 300) } : undefined;
}

class PropertiesTarget implements FuzzTarget<PropertiesInput> {
  readonly #folder = mkdtempSync(join(tmpdir(), "fuzzed-etc-"));

  draw(random: Random): PropertiesInput {
    return { file: random.pick(files), lines: Array.from({ length: 1 + random.below(4) }, () => drawLine(random)) };
  }

  run({ file, lines }: PropertiesInput): Verdict {
    const path = join(this.#folder, file);
    mkdirSync(join(this.#folder, "catalog"), { recursive: true });
    writeFileSync(path, lines.join("\n"));
    try {
      const { catalogs, properties, memoryBytes } = readConfiguration({ flags: {}, environment, etcFolder: this.#folder });
      nodeConfig({ nodeId: "n", role: "coordinator", catalogs }, { "node.memory": `${memoryBytes}B`, ...properties });
      return { outcome: "read" };
    } catch (error) {
      if (!(error instanceof ConfigurationError || error instanceof QueryError)) {
        return unexpected(error);
      }
      const fault = faultIn(error.message);
      return { outcome: "refused", ...(fault !== undefined && { fault }) };
    } finally {
      rmSync(path, { force: true });
    }
  }

  *smaller({ file, lines }: PropertiesInput): Iterable<PropertiesInput> {
    for (const index of lines.keys()) {
      yield { file, lines: lines.filter((_, at) => at !== index) };
    }
  }

  show({ file, lines }: PropertiesInput): string {
    return `${file}: ${JSON.stringify(lines)}`;
  }

  close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    return Promise.resolve();
  }
}

export function openProperties(): FuzzTarget<PropertiesInput> {
  return new PropertiesTarget();
}
