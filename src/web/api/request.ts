/** Requests to the coordinator that served the page. Addresses are relative, so that a path prefix of a proxy is kept. */
import { reportAnswer } from "./connection.ts";
import { noteLogin } from "./login.ts";

/** A request without a usable answer. `status` is 0 if the server did not answer. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** `v1/query` or a path with a leading slash, below the address of the page. */
function addressOf(path: string): string {
  return new URL(path.replace(/^\//, ""), document.baseURI).href;
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(addressOf(path), { ...options, headers: { accept: "application/json", ...options.headers } });
  } catch (error) {
    if (options.signal?.aborted === true) {
      throw error;
    }
    reportAnswer(false);
    throw new RequestFailure(0, "The coordinator does not answer");
  }
  reportAnswer(true);
  noteLogin(response);
  if (!response.ok) {
    const text = (await response.text().catch(() => "")).trim();
    throw new RequestFailure(response.status, text === "" ? `The coordinator answered ${response.status}` : text.slice(0, 500));
  }
  return response;
}

export async function fetchJson<Document>(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly document: Document; readonly headers: Headers }> {
  const response = await request(path, signal === undefined ? {} : { signal });
  return { document: (await response.json()) as Document, headers: response.headers };
}
