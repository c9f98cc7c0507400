/**
 * A node that leaks text of the host into one of its responses, for the tests of the determinism check.
 */
import type { Sabotage } from "../../sim/world/network.ts";

/** Adds `text` to a header of that response, which no client reads. */
export function leakIntoHeader(ordinal: number, text: string): Sabotage {
  let seen = 0;
  return (handler) => async (request, context) => {
    const response = await handler(request, context);
    const there = request.method === "POST" && request.url === "/v1/statement" && ++seen === ordinal;
    return there ? { ...response, headers: { ...response.headers, "x-served-by": text } } : response;
  };
}

/** Appends `text` to the response to the submission number `ordinal`, counted from 1. No effect if it is empty. */
export function leakInto(ordinal: number, text: string): Sabotage {
  let seen = 0;
  return (handler) => async (request, context) => {
    const response = await handler(request, context);
    if (request.method !== "POST" || request.url !== "/v1/statement" || ++seen !== ordinal || text === "") {
      return response;
    }
    // An extra member that clients ignore, padded so that all responses have the same length.
    const added = new TextEncoder().encode(`,"leak":"${text.padEnd(40, " ")}"}`);
    const body = new Uint8Array(response.body.length - 1 + added.length);
    body.set(response.body.subarray(0, response.body.length - 1));
    body.set(added, response.body.length - 1);
    return { ...response, headers: { ...response.headers, "content-length": String(body.length) }, body };
  };
}
