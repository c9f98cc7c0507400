/**
 * The value of a document at an address that may change: asked for again once in a period. A document that cannot be had or understood
 * leaves the former value in force.
 */

export interface FetchedDocumentOptions<T> {
  /** `http:` or `https:`, without user and password. */
  readonly address: string;
  /** Infinity: never again. */
  readonly refreshMs: number;
  /** Throws an error with a one-line message. */
  readonly parse: (text: string) => T;
  /** Told for each try that fails, once as long as the reason stays the same. */
  readonly onComplaint: (message: string) => void;
}

/** A server that is silent for so long has no document. */
const timeoutMs = 10_000;
/** Larger documents are not read. */
const documentBytesMax = 16 * 1024 * 1024;
/** An address is not asked more often. */
const refreshMsMin = 1000;

export class FetchedDocument<T> {
  readonly #options: FetchedDocumentOptions<T>;
  #value: T;
  #text: string;
  #complaint: string | undefined;
  #asks = false;

  private constructor(options: FetchedDocumentOptions<T>, text: string) {
    this.#options = options;
    this.#text = text;
    this.#value = options.parse(text);
    if (Number.isFinite(options.refreshMs)) {
      setInterval(() => void this.#renew(), Math.max(refreshMsMin, options.refreshMs)).unref();
    }
  }

  /** Throws an error with a one-line message if there is no such document. */
  static async open<T>(options: FetchedDocumentOptions<T>): Promise<FetchedDocument<T>> {
    return new FetchedDocument(options, await textAt(options.address));
  }

  value(): T {
    return this.#value;
  }

  async #renew(): Promise<void> {
    if (this.#asks) {
      return;
    }
    this.#asks = true;
    try {
      const text = await textAt(this.#options.address);
      if (text !== this.#text) {
        this.#value = this.#options.parse(text);
        this.#text = text;
      }
      this.#complaint = undefined;
    } catch (error) {
      this.#complain((error as Error).message);
    } finally {
      this.#asks = false;
    }
  }

  #complain(message: string): void {
    if (message !== this.#complaint) {
      this.#complaint = message;
      this.#options.onComplaint(message);
    }
  }
}

/** Follows no redirection: the address is whom the administrator trusts. */
async function textAt(address: string): Promise<string> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const answer = await fetch(address, { redirect: "manual", signal, headers: { accept: "application/json" } });
    if (answer.status !== 200) {
      throw new Error(`the answer has status ${answer.status}`);
    }
    return await bodyOf(answer);
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    end.abort();
  }
}

async function bodyOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = (answer.body as ReadableStream<Uint8Array> | null)?.getReader();
  let bytes = 0;
  let text = "";
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > documentBytesMax) {
      throw new Error(`the answer is larger than ${documentBytesMax} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** `fetch failed` says nothing; its cause has the code of the system. */
function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { readonly cause?: NodeJS.ErrnoException };
  return name === "TimeoutError" ? `no answer within ${timeoutMs / 1000} s` : (cause?.code ?? message);
}
