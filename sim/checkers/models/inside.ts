/** Requests of models to a node, without a message and without simulated time. */
import type { OrreryNode } from "../../../src/node.ts";
import type { RequestContext } from "../../../src/ports/network.ts";
import { type Body, readBody } from "../protocol/bodies.ts";
import { headerOf } from "../protocol/wire.ts";

export interface Told extends Body {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

const nobody: RequestContext = {
  remoteAddress: "model",
  baseUri: "http://c:8080",
  isAborted: () => false,
  onAbort: () => undefined,
};

/** Base of the addresses in what the node answers. */
export const askedUri: string = nobody.baseUri;

/** Undefined if no node runs. */
export async function askInside(node: OrreryNode | undefined, url: string): Promise<Told | undefined> {
  if (node === undefined) {
    return undefined;
  }
  const { status, body, headers } = await node.handle({ method: "GET", url, headers: {}, body: new Uint8Array(0) }, nobody);
  return { status, header: (name) => headerOf(headers, name), ...readBody(body) };
}
