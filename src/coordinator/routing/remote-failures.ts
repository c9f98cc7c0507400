/** Failures of a query that another cluster runs: what the cluster says, and what it means that it does not answer. */
import type { ClientError } from "../../client/requester.ts";
import type { FailureInfo } from "../../execution/task/api.ts";
import { isErrorName } from "../../protocol/documents/fields.ts";
import type { StatementError } from "../../protocol/documents/statement.ts";
import { errorCatalogue, type ErrorName, type ErrorType } from "../../protocol/errors.ts";

/** Errors that the engine does not have, such as those of connectors, count as these. */
const nearest: Readonly<Record<ErrorType, ErrorName>> = {
  USER_ERROR: "GENERIC_USER_ERROR",
  INTERNAL_ERROR: "GENERIC_INTERNAL_ERROR",
  INSUFFICIENT_RESOURCES: "GENERIC_INSUFFICIENT_RESOURCES",
  EXTERNAL: "CONNECTOR_ERROR",
};

/** Names of errors are shown and compared. Another text is passed on as no name. */
const nameForm = /^[A-Za-z][\w.-]{0,99}$/;

/** The error of a query as its cluster has told it. Its stack stays there. */
export function remoteFailure({ errorCode, errorLocation, errorName, errorType, message }: StatementError): FailureInfo {
  const known = isErrorName(errorName) ? errorName : undefined;
  const own = known === undefined ? undefined : errorCatalogue[known];
  return {
    errorName: known ?? nearest[errorType],
    message,
    ...(errorLocation !== undefined && { location: errorLocation }),
    ...(nameForm.test(errorName) &&
      (own?.code !== errorCode || own.type !== errorType) && { foreign: { code: errorCode, name: errorName, type: errorType } }),
  };
}

/** `isAccepted`: the cluster has answered to the submission. */
export function clientFailure(error: ClientError, cluster: string, isAccepted: boolean): FailureInfo {
  const { kind, message, status = 0 } = error;
  if (status === 401) {
    return { errorName: "PERMISSION_DENIED", message: `Cluster '${cluster}' does not accept the credentials of the configuration` };
  }
  if (status === 403) {
    return { errorName: "PERMISSION_DENIED", message: `Cluster '${cluster}' refuses the query. ${message}` };
  }
  if (isAccepted && (status === 404 || status === 410)) {
    return { errorName: "REMOTE_HOST_GONE", message: `Cluster '${cluster}' does not know the query any more` };
  }
  if (kind === "BAD_ANSWER") {
    return { errorName: "REMOTE_TASK_ERROR", message: `Cluster '${cluster}' gives an answer that cannot be used. ${message}` };
  }
  if (kind === "BAD_REQUEST" || (kind === "REFUSED" && status >= 400 && status < 500 && status !== 429)) {
    return { errorName: "GENERIC_USER_ERROR", message: `Cluster '${cluster}' cannot be asked. ${message}` };
  }
  return { errorName: "REMOTE_HOST_GONE", message: `Cluster '${cluster}' cannot be reached. ${message}` };
}
