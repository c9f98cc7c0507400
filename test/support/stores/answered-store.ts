/** An object store whose requests a function answers. */
import { openObjectStorage } from "../../../src/connectors/shared/object-store/locations.ts";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../../src/ports/network.ts";
import type { Outbound } from "../../../src/ports/outbound.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { RealOutbound } from "../../../src/server/ports/outbound.ts";
import { ManualClock } from "../manual-clock.ts";

const encoder = new TextEncoder();

export type Answer = (request: HttpRequest) => HttpResponse | NetworkError;

/** Timers fire at once, and their delays are kept. */
class HastyClock extends ManualClock {
  readonly pausesMs: number[] = [];

  override timer(_label: string, delayMs: number, callback: () => void): { cancel: () => void } {
    this.pausesMs.push(delayMs);
    queueMicrotask(callback);
    return { cancel: () => undefined };
  }
}

/** `settings`: of Azure's tools on the host, and files of credentials of Google by their paths. */
export function openStore(
  answer: Answer,
  properties: Readonly<Record<string, string>> = {},
  location = "s3://bucket/a/b",
  settings: Readonly<Record<string, string>> = {},
) {
  const clock = new HastyClock();
  const requests: HttpRequest[] = [];
  let running = 0;
  const counts = { runningMax: 0 };
  const outbound: Outbound = {
    request: async (request) => {
      requests.push(request);
      counts.runningMax = Math.max(counts.runningMax, ++running);
      await Promise.resolve();
      running--;
      const outcome = answer(request);
      if (outcome instanceof NetworkError) {
        throw outcome;
      }
      return outcome;
    },
    accessKeys: async () => ({ accessKey: "AK", secretKey: "SK" }),
    azureSettings: async () => settings,
    googleCredentials: async (file) => (file === undefined ? settings["GOOGLE"] : settings[file]),
    rsaSignature: (key, bytes) => new RealOutbound({}).rsaSignature(key, bytes),
  };
  const random = { stream: () => ({ nextInt: (bound: number) => bound - 1, nextText: (length: number) => "a".repeat(length) }) };
  const ports = { clock, outbound, random } as unknown as Ports;
  return {
    storage: openObjectStorage(location, properties, { property: "files.directory", catalog: "c", ports }),
    clock,
    requests,
    counts,
  };
}

export function response(status: number, body: string | Uint8Array = "", headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, body: typeof body === "string" ? encoder.encode(body) : body };
}
