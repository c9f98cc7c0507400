/**
 * The properties of the edge: limits of connections and requests, and the server's host names.
 */
import { parseDataSize, parseDurationMs } from "../../protocol/units.ts";
import { ConfigurationError } from "../properties.ts";
import type { EdgeLimits } from "./edge.ts";
import { shownValue } from "../../protocol/shown-value.ts";

export const edgeProperties = [
  {
    name: "http-server.max-connections",
    default: "",
    description: "Maximum number of client connections; further ones replace idle ones. By default half of the process's file descriptors",
  },
  {
    name: "http-server.max-connections-per-address",
    default: "",
    description: "Maximum number of client connections of one address; further ones replace its idle ones. By default no limit",
  },
  { name: "http-server.header-timeout", default: "20s", description: "Maximum time to receive the headers of a request" },
  { name: "http-server.body-timeout", default: "30s", description: "Maximum pause while the body of a request is received" },
  { name: "http-server.net.max-idle-time", default: "200s", description: "Time after which a connection without traffic is closed" },
  {
    name: "http-server.max-total-request-size",
    default: "256MB",
    description: "Maximum size of all requests in progress; further large requests get 503",
  },
  {
    name: "http-server.allowed-hosts",
    default: "",
    description: "Comma-separated host names under which browsers may access the server",
  },
] as const;

type EdgePropertyName = (typeof edgeProperties)[number]["name"];

/** A long poll between nodes lasts up to a minute. */
const idleMsMin = 65_000;
const connectionsMaxMax = 1_000_000;

export interface EdgeConfiguration {
  /** If `connectionsMax` is absent, the limit follows from the process's file descriptors. */
  readonly limits: Partial<EdgeLimits>;
  readonly allowedHosts: readonly string[];
}

/** `text` returns the value of a property. Throws ConfigurationError. */
export function edgeConfiguration(text: (name: EdgePropertyName) => string): EdgeConfiguration {
  const duration = (name: EdgePropertyName, msMin: number): number => {
    const parsed = parseDurationMs(text(name));
    if (parsed === undefined || parsed < msMin) {
      throw invalid(name, text(name), `a duration of ${msMin / 1000}s at least`);
    }
    return parsed;
  };
  const heldBytesMax = parseDataSize(text("http-server.max-total-request-size"));
  if (heldBytesMax === undefined || heldBytesMax < 1) {
    throw invalid("http-server.max-total-request-size", text("http-server.max-total-request-size"), "a data size such as 256MB");
  }
  const connectionsMax = connectionLimit("http-server.max-connections", text);
  const connectionsPerAddressMax = connectionLimit("http-server.max-connections-per-address", text);
  return {
    limits: {
      ...(connectionsMax === undefined ? {} : { connectionsMax }),
      ...(connectionsPerAddressMax === undefined ? {} : { connectionsPerAddressMax }),
      headerMsMax: duration("http-server.header-timeout", 1000),
      bodyIdleMsMax: duration("http-server.body-timeout", 1000),
      idleMsMax: duration("http-server.net.max-idle-time", idleMsMin),
      heldBytesMax,
    },
    allowedHosts: namesIn(text("http-server.allowed-hosts")),
  };
}

function connectionLimit(name: EdgePropertyName, text: (name: EdgePropertyName) => string): number | undefined {
  const given = text(name);
  if (given === "") {
    return undefined;
  }
  const count = /^\d{1,7}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > connectionsMaxMax) {
    throw invalid(name, given, `a whole number from 1 to ${connectionsMaxMax}`);
  }
  return count;
}

function namesIn(list: string): readonly string[] {
  const names = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !/^[\w.-]+$/.test(name));
  if (wrong !== undefined) {
    throw invalid("http-server.allowed-hosts", wrong, "host names without ports, with commas between");
  }
  return names;
}

function invalid(name: EdgePropertyName, value: string, expected: string): ConfigurationError {
  return new ConfigurationError(`invalid value '${shownValue(value)}' for property '${name}': expected ${expected}`);
}
