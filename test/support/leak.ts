/** A node that lets a text of the host into one of its answers. */
import type { Sabotage } from "../../sim/world/network.ts";

/** `text` goes into a header of that answer, which no client reads. */
export function leakIntoHeader(ordinal: number, text: string): Sabotage {
  let seen = 0;
  return (handler) => async (request, context) => {
    const response = await handler(request, context);
    const there = request.method === "POST" && request.url === "/v1/statement" && ++seen === ordinal;
    return there ? { ...response, headers: { ...response.headers, "x-served-by": text } } : response;
  };
}

/** `text` takes the place of the end of the `ordinal`th answer to a submitted statement, from 1 on; nothing happens when it is empty. */
export function leakInto(ordinal: number, text: string): Sabotage {
  let seen = 0;
  return (handler) => async (request, context) => {
    const response = await handler(request, context);
    if (request.method !== "POST" || request.url !== "/v1/statement" || ++seen !== ordinal || text === "") {
      return response;
    }
    // A field more that no client looks at; all answers are of one length.
    const added = new TextEncoder().encode(`,"leak":"${text.padEnd(40, " ")}"}`);
    const body = new Uint8Array(response.body.length - 1 + added.length);
    body.set(response.body.subarray(0, response.body.length - 1));
    body.set(added, response.body.length - 1);
    return { ...response, headers: { ...response.headers, "content-length": String(body.length) }, body };
  };
}
