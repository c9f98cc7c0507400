/** Why the query failed: shortly above every tab, in full on a tab of its own. */
import type { JSX } from "preact";
import { addressOf } from "../app/router.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Empty } from "../components/empty.tsx";
import { type FailureDocument, type QueryDetail, shortTaskId, stagesOf } from "./model/documents.ts";
import { StatementView } from "./statement/statement-view.tsx";

const typeTexts: Readonly<Record<string, string>> = {
  USER_ERROR: "user error",
  INTERNAL_ERROR: "internal error",
  INSUFFICIENT_RESOURCES: "insufficient resources",
  EXTERNAL: "external error",
};

/** The line of the statement at the error's place, with a caret below the column. */
function excerpt({ query }: QueryDetail, { errorLocation }: FailureDocument): readonly [line: string, caret: string] | undefined {
  const line = errorLocation === undefined ? undefined : query.split(/\r\n|\r|\n/)[errorLocation.lineNumber - 1];
  if (line === undefined || errorLocation === undefined) {
    return undefined;
  }
  const from = Math.max(0, errorLocation.columnNumber - 1 - 60);
  const cut = line.slice(from, from + 120);
  const lead = from > 0 ? "…" : "";
  const column = lead.length + errorLocation.columnNumber - 1 - from;
  return [`${lead}${cut}${from + 120 < line.length ? "…" : ""}`, `${" ".repeat(Math.max(0, column))}^`];
}

export function ErrorBanner({ query, isFull }: { readonly query: QueryDetail; readonly isFull: boolean }): JSX.Element | null {
  const { failureInfo, errorCode, errorType } = query;
  if (failureInfo === undefined) {
    return null;
  }
  const lines = isFull ? undefined : excerpt(query, failureInfo);
  const address = addressOf(["queries", query.queryId, "error"]);
  return (
    <section class="query-error" role="alert">
      <div>
        <strong>{failureInfo.message ?? "The query failed"}</strong>
        {lines !== undefined && (
          <pre class="excerpt" tabIndex={0} aria-label="Place of the error">
            {lines[0]}
            {"\n"}
            <b aria-hidden="true">{lines[1]}</b>
          </pre>
        )}
        <p class="muted">
          {[errorCode?.name, typeTexts[errorType ?? ""], failureInfo.remoteHost]
            .filter((part) => part !== undefined && part !== "")
            .join(" · ")}
          {!isFull && (
            <>
              {" · "}
              <a href={address}>Details</a>
            </>
          )}
        </p>
      </div>
      <CopyButton text={() => failureText(query, failureInfo)} what="Error" class="quiet" />
    </section>
  );
}

function failureText({ queryId, errorCode }: QueryDetail, failure: FailureDocument): string {
  return [`Query ${queryId} failed: ${failure.message ?? ""}`, errorCode?.name ?? "", ...chain(failure).flatMap(({ stack }) => stack)]
    .filter((line) => line !== "")
    .join("\n");
}

/** The failure and its causes. */
function chain(failure: FailureDocument): readonly FailureDocument[] {
  const found: FailureDocument[] = [];
  for (let one: FailureDocument | undefined = failure; one !== undefined && found.length < 20; one = one.cause) {
    found.push(one);
  }
  return found;
}

export function ErrorView({ query }: { readonly query: QueryDetail }): JSX.Element {
  const { failureInfo, errorCode } = query;
  if (failureInfo === undefined) {
    return <Empty title="The query has not failed" />;
  }
  const tasks = stagesOf(query).flatMap((stage) => stage.tasks.filter(({ failures }) => failures.length > 0));
  const { errorLocation } = failureInfo;
  return (
    <div class="error-view">
      <dl class="fact-list">
        {errorCode !== undefined && (
          <div>
            <dt>Error</dt>
            <dd>{`${errorCode.name} (${errorCode.code})`}</dd>
          </div>
        )}
        <div>
          <dt>Type</dt>
          <dd>{failureInfo.type}</dd>
        </div>
        {errorLocation !== undefined && (
          <div>
            <dt>Place</dt>
            <dd>{`line ${errorLocation.lineNumber}, column ${errorLocation.columnNumber}`}</dd>
          </div>
        )}
        {failureInfo.remoteHost !== undefined && (
          <div>
            <dt>Node</dt>
            <dd>{failureInfo.remoteHost}</dd>
          </div>
        )}
      </dl>
      {chain(failureInfo).map((failure, index) => (
        <section key={index}>
          {index > 0 && <h2>{`Caused by ${failure.type}: ${failure.message ?? ""}`}</h2>}
          {failure.stack.length > 0 && (
            <pre class="code" tabIndex={0}>
              {failure.stack.join("\n")}
            </pre>
          )}
        </section>
      ))}
      {tasks.length > 0 && (
        <section>
          <h2>Failed tasks</h2>
          <ul>
            {tasks.map((task) => (
              <li key={task.taskId}>{`${shortTaskId(task.taskId)} on ${task.nodeId ?? "?"}: ${task.failures[0]?.message ?? ""}`}</li>
            ))}
          </ul>
        </section>
      )}
      <StatementView text={query.query} error={errorLocation} />
    </div>
  );
}
