/** The session of a query as another cluster gets it, and the changes of the session that the cluster tells. */
import { type ClientSession, clientSession, type SessionChanges } from "../../client/session.ts";
import type { QuerySession, SessionEffects } from "../query/session.ts";

/** The client's own session; what is about this connection alone, such as transactions and encodings of rows, is left out. */
export function remoteSession(session: QuerySession): ClientSession {
  const { catalog, clientInfo, language, path, schema, source, timeZone, traceToken } = session;
  return clientSession(session.user, {
    clientTags: session.clientTags,
    properties: session.properties,
    preparedStatements: session.preparedStatements,
    roles: session.roles,
    extraCredentials: session.extraCredentials,
    resourceEstimates: session.resourceEstimates,
    clientCapabilities: session.clientCapabilities,
    ...(source !== undefined && { source }),
    ...(catalog !== undefined && { catalog }),
    ...(schema !== undefined && { schema }),
    ...(path !== undefined && { path }),
    ...(timeZone !== undefined && { timeZone }),
    ...(language !== undefined && { language }),
    ...(clientInfo !== undefined && { clientInfo }),
    ...(traceToken !== undefined && { traceToken }),
  });
}

export function effectsOf(changes: SessionChanges): SessionEffects {
  const { catalog, schema, path, properties, clearedProperties, preparedStatements, deallocatedStatements, roles } = changes;
  const isAny = (values: object): boolean => Object.keys(values).length > 0;
  return {
    ...(catalog !== undefined && { setCatalog: catalog }),
    ...(schema !== undefined && { setSchema: schema }),
    ...(path !== undefined && { setPath: path }),
    ...(isAny(properties) && { setSession: properties }),
    ...(isAny(clearedProperties) && { clearSession: clearedProperties }),
    ...(isAny(preparedStatements) && { addedPrepare: preparedStatements }),
    ...(isAny(deallocatedStatements) && { deallocatedPrepare: deallocatedStatements }),
    ...(isAny(roles) && { setRole: roles }),
  };
}
