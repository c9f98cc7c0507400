/**
 * Tokens of OAuth 2.0 (RFC 6749) from a token endpoint. Messages have the status and the code of an error, never its text, which may repeat
 * what was sent.
 */
import type { Clock } from "../../../ports/clock.ts";
import type { HttpResponse } from "../../../ports/network.ts";
import { StorageError } from "../../../ports/storage.ts";
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import type { Expiring } from "./expiring.ts";
import { uriEncode } from "./signature.ts";
import type { StoreClient } from "./store-client.ts";

const answerBytesMax = 1_048_576;
/** Of a token whose server does not tell how long it is valid. */
const validMillisDefault = 600_000;

export interface TokenRequest {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

/** Throws StorageError IO. `what`: of a message, in the place of a file. */
export async function askForToken(
  { url, form }: TokenRequest,
  { client, clock, what }: { readonly client: StoreClient; readonly clock: Clock; readonly what: string },
): Promise<Expiring<string>> {
  const text = Object.entries(form).map(([name, value]) => `${name}=${uriEncode(value)}`);
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const body = encodeUtf8(text.join("&"));
  const response = await client.send({
    make: () => Promise.resolve({ method: "POST", url, headers, body }),
    label: "oauth-token",
    bodyBytesMax: answerBytesMax,
    path: what,
    flaw: (one) => (one.status === 200 && documentOf(one) === undefined ? "the server sent a damaged token" : undefined),
  });
  const document = documentOf(response) ?? {};
  const { access_token: token, expires_in: seconds, error } = document;
  if (response.status !== 200 || typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    const code = typeof error === "string" && /^[a-z_]{1,64}$/.test(error) ? ` (${error})` : "";
    throw new StorageError("IO", what, `the server gave no token: status ${response.status}${code}`);
  }
  const valid = Number(seconds);
  const validMillis = Number.isFinite(valid) && valid > 0 ? valid * 1000 : validMillisDefault;
  return { value: token, endsAtMillis: clock.wallMillis() + validMillis };
}

function documentOf({ body }: HttpResponse): Readonly<Record<string, unknown>> | undefined {
  try {
    const document: unknown = JSON.parse(decodeUtf8(body));
    return typeof document === "object" && document !== null ? (document as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
