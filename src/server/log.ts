/**
 * Structured log lines on standard error: JSON, or short text on a terminal. Secrets and literals of statements are never logged.
 */
import type { Log } from "../ports/ports.ts";

type Fields = Readonly<Record<string, string | number | boolean>>;
export type LogLevel = "info" | "warn" | "error" | "silent";

const levels: Readonly<Record<LogLevel, number>> = { info: 0, warn: 1, error: 2, silent: 3 };

export function isLogLevel(text: string): text is LogLevel {
  return Object.hasOwn(levels, text);
}

/** The log of a node of this process, on standard error. */
export function processLog(node: string, level: LogLevel): Log {
  return createLog({ level, node, pretty: process.stderr.isTTY, write: (line) => process.stderr.write(line) });
}

export function createLog(options: {
  readonly level: LogLevel;
  readonly node: string;
  readonly pretty: boolean;
  readonly write: (line: string) => void;
}): Log {
  const put = (level: Exclude<LogLevel, "silent">, event: string, fields: Fields = {}): void => {
    if (levels[level] < levels[options.level]) {
      return;
    }
    const time = new Date().toISOString();
    if (options.pretty) {
      // One line per event: a line break in a value must not look like another event.
      const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${String(value).replaceAll(/\p{Cc}/gu, " ")}`);
      options.write(`${time} ${level.toUpperCase().padEnd(5)} ${options.node} ${event}${rest.join("")}\n`);
    } else {
      options.write(`${JSON.stringify({ time, level, node: options.node, event, ...fields })}\n`);
    }
  };
  return {
    info: (event, fields) => put("info", event, fields),
    warn: (event, fields) => put("warn", event, fields),
    error: (event, fields) => put("error", event, fields),
  };
}
