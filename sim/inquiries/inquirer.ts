/**
 * A client that looks around: it sends inquiries in their order, with the ids that it learns from the lists of queries and tasks. Each
 * answer must have an expected status.
 */
import { type Clock, sleep } from "../../src/ports/clock.ts";
import { type HttpResponse, type Network, NetworkError } from "../../src/ports/network.ts";
import { parseJson } from "../../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import { type Inquiry, inquiryOf } from "./bank.ts";

export interface InquirerOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly server: string;
  /** Names of the inquiries. */
  readonly asks: readonly string[];
  readonly pauseMs: number;
  onAnswer(question: string, status: number, allowed: readonly number[]): void;
}

/** Number of inquiries between two looks at the lists. */
const lookEvery = 6;
const unknownQuery = "20200101_000000_00000_yyyyy";

export class Inquirer {
  readonly #options: InquirerOptions;
  #queries: readonly string[] = [];
  #tasks: readonly string[] = [];
  #workers: readonly string[] = [];
  #turn = 0;

  constructor(options: InquirerOptions) {
    this.#options = options;
  }

  /** Resolves when the last inquiry has an answer or has none. */
  async ask(): Promise<void> {
    const { asks, clock, pauseMs } = this.#options;
    for (const [number, name] of asks.entries()) {
      await sleep(clock, "user-think", pauseMs);
      if (number % lookEvery === 0) {
        await this.#look();
      }
      await this.#inquire(inquiryOf(name));
      this.#turn++;
    }
  }

  async #look(): Promise<void> {
    const { server } = this.#options;
    const textsOf = async (url: string, member: string): Promise<readonly string[]> => {
      const response = await this.#send({ name: url, method: "GET", path: "", allowed: [200] }, url);
      if (response?.status !== 200) {
        return [];
      }
      const list = parseJson(decodeUtf8(response.body)) as unknown as readonly Readonly<Record<string, unknown>>[];
      return list.flatMap((one) => (typeof one[member] === "string" ? [one[member]] : []));
    };
    this.#workers = await textsOf(`${server}/v1/node`, "uri");
    this.#queries = await textsOf(`${server}/v1/query?limit=5&sort=-createTime`, "queryId");
    const node = this.#worker();
    this.#tasks = node === undefined ? [] : await textsOf(`${node}/v1/task`, "taskId");
  }

  #worker(): string | undefined {
    return this.#workers[Math.floor(this.#turn / lookEvery) % Math.max(1, this.#workers.length)]?.replace(/\/$/, "");
  }

  async #inquire(inquiry: Inquiry): Promise<void> {
    const { server } = this.#options;
    const node = inquiry.worker === true ? this.#worker() : server;
    if (node === undefined) {
      return;
    }
    const query = this.#queries[this.#turn % Math.max(1, this.#queries.length)] ?? unknownQuery;
    const task = this.#tasks[this.#turn % Math.max(1, this.#tasks.length)] ?? `${unknownQuery}.0.0`;
    await this.#send(inquiry, `${node}${inquiry.path.replace("{query}", query).replace("{task}", task)}`);
  }

  async #send({ name, method, headers = {}, body = "", allowed }: Inquiry, url: string): Promise<HttpResponse | undefined> {
    const { network, onAnswer } = this.#options;
    try {
      const response = await network.request({ method, url, headers, body: encodeUtf8(body) }, { timeoutMs: 10_000, label: "inquiry" });
      onAnswer(`${name}, ${method} ${url}`, response.status, allowed);
      return response;
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
      return undefined;
    }
  }
}
