/**
 * Runs the statements of a tab, one after the other. USE, SET SESSION, PREPARE and START TRANSACTION last for the tab: the statement client
 * keeps what the answers' headers say.
 */
import { signal } from "@preact/signals";
import { fetchNetwork, platformClock } from "../../../client/fetch.ts";
import { noteLogin } from "../../api/login.ts";
import { type ClientSession, clientSession } from "../../../client/session.ts";
import { StatementClient } from "../../../client/statement-client.ts";
import { Execution, type StatementText } from "./execution.ts";

export interface SessionEvents {
  /** After each statement. */
  readonly onStatement: (execution: Execution) => void;
  readonly onSession: (session: ClientSession) => void;
}

export interface RunLimits {
  readonly rowsMax: number;
}

/** Estimated bytes of the rows of one result. */
const bytesMax = 256 * 1024 * 1024;
/** Results of one run whose rows are kept. */
const resultsMax = 10;
const network = fetchNetwork({
  fetch: async (request) => {
    const response = await fetch(request);
    noteLogin(response);
    return response;
  },
});
const clock = platformClock();

/** The server that served the page, without the slash. */
function serverAddress(): string {
  return new URL(".", document.baseURI).href.replace(/\/$/, "");
}

export function statementClient(session: ClientSession): StatementClient {
  return new StatementClient({ network, clock, server: serverAddress(), session });
}

/** The session of a new tab. */
export function newSession(user: string, others: Partial<Omit<ClientSession, "user">>): ClientSession {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return clientSession(user, { source: "orrery-web", timeZone, ...others });
}

export class TabSession {
  readonly #client: StatementClient;
  readonly #events: SessionEvents;
  /** Of the latest run, in the order of its statements. */
  readonly executions = signal<readonly Execution[]>([]);
  readonly isRunning = signal(false);
  #isCanceled = false;

  constructor(session: ClientSession, events: SessionEvents) {
    this.#client = statementClient(session);
    this.#events = events;
  }

  get session(): ClientSession {
    return this.#client.session;
  }

  set session(session: ClientSession) {
    this.#client.session = session;
    this.#events.onSession(session);
  }

  /** The first failure ends the run: later statements may build on the failed one. */
  async run(statements: readonly StatementText[], { rowsMax }: RunLimits): Promise<void> {
    if (this.isRunning.value || statements.length === 0) {
      return;
    }
    this.isRunning.value = true;
    this.#isCanceled = false;
    const executions = statements.map((statement) => new Execution(statement, { rowsMax, bytesMax }));
    this.executions.value = executions;
    try {
      for (const [index, execution] of executions.entries()) {
        executions[index - resultsMax]?.drop();
        await execution.start(this.#client);
        this.#events.onStatement(execution);
        this.#events.onSession(this.#client.session);
        if (execution.state === "failed" || this.#isCanceled) {
          break;
        }
      }
    } finally {
      this.isRunning.value = false;
    }
  }

  cancel(): void {
    this.#isCanceled = true;
    for (const execution of this.executions.value.filter(({ isOver }) => !isOver)) {
      void execution.cancel();
    }
  }
}
