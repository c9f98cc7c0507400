/**
 * Records of the query journal: a query begins, its plan has drawn random bits, its client gets a document, another cluster is asked for
 * more rows, it fails, it is over; a transaction begins, is aborted, has ended.
 */
import * as z from "zod";
import { errorCode } from "./fields.ts";
import { errorCatalogue, type ErrorName } from "../errors.ts";

const text = z.string();
const texts = z.record(z.string(), z.string());
const list = z.array(z.string()).readonly();

/** Without extra credentials, which are secret: queries that have some are not recorded. */
const sessionSchema = z.object({
  family: z.enum(["engine", "presto", "trino"]),
  user: text,
  principal: text.optional(),
  originalUser: text.optional(),
  source: text.optional(),
  catalog: text.optional(),
  schema: text.optional(),
  path: text.optional(),
  timeZone: text.optional(),
  language: text.optional(),
  traceToken: text.optional(),
  traceParent: text.optional(),
  properties: texts,
  preparedStatements: texts,
  roles: texts,
  resourceEstimates: texts,
  clientTransactionSupport: z.boolean(),
  transactionId: text.optional(),
  clientInfo: text.optional(),
  clientTags: list,
  clientCapabilities: list,
  queryDataEncodings: list,
  userAgent: text.optional(),
  remoteUserAddress: text,
  startMillis: z.number(),
});

/** A document: the rows that the client has once it acknowledges the token. */
const positionSchema = z.object({
  token: z.int().positive(),
  rowCount: z.int().nonnegative(),
  checksum: z.int(),
  /** False if the document has rows that did not come from tasks, and so are in neither number. */
  isKnown: z.boolean(),
});
export type Position = z.infer<typeof positionSchema>;

/** How far a query is that another cluster runs. */
const routedSchema = z.object({
  cluster: text,
  queryId: text,
  infoUri: text,
  /** Asked for once the client has these rows. Undefined if the query cannot go on from here. */
  nextUri: text.optional(),
  rowCount: z.int().nonnegative(),
  checksum: z.int(),
  /** The row that follows them and is held back, as JSON. */
  held: text.optional(),
});
export type RoutedPosition = z.infer<typeof routedSchema>;

/** What its client has been told, or will be. */
const failureSchema = z.object({
  errorName: z.custom<ErrorName>((name) => typeof name === "string" && Object.hasOwn(errorCatalogue, name)),
  message: text,
  location: z.object({ lineNumber: z.int(), columnNumber: z.int() }).optional(),
  remoteHost: text.optional(),
  foreign: errorCode.optional(),
});
export type JournaledFailure = z.infer<typeof failureSchema>;

/** 64 random bits: an integer as decimal digits. */
const drawnSchema = z.string().regex(/^\d{1,20}$/);

const querySchema = z.object({
  kind: z.literal("query"),
  id: text,
  slug: text,
  sql: text,
  session: sessionSchema,
  /** How often the query was taken over by a new incarnation of the coordinator. */
  lives: z.int().nonnegative(),
  /** The text is not the client's: it had secrets, or was too long. */
  isAbridged: z.boolean(),
  /** Its client has chosen the id, and may submit it once more. */
  isChosen: z.boolean().optional(),
  positions: z.array(positionSchema),
  routed: routedSchema.optional(),
  failure: failureSchema.optional(),
  /** Random bits of its plan, in the order of the calls that need them. */
  drawn: z.array(drawnSchema).optional(),
});
const drawnRecordSchema = z.object({ kind: z.literal("drawn"), id: text, drawn: z.array(drawnSchema) });
const givenSchema = positionSchema.extend({ kind: z.literal("given"), id: text });
const routedRecordSchema = z.object({ kind: z.literal("routed"), id: text, routed: routedSchema });
const failedSchema = z.object({ kind: z.literal("failed"), id: text, failure: failureSchema });
const overSchema = z.object({ kind: z.literal("over"), id: text, isChosen: z.boolean().optional() });
/** A transaction of a client begins. */
const transactionSchema = z.object({
  kind: z.literal("transaction"),
  id: text,
  user: text,
  isolation: z.enum(["READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]),
  readOnly: z.boolean(),
  createMillis: z.number(),
  /** The query whose failure has aborted it. */
  abortedBy: text.optional(),
});
const abortedSchema = z.object({ kind: z.literal("aborted"), id: text, by: text });
const endedSchema = z.object({ kind: z.literal("ended"), id: text });
/** The file has all queries and transactions of former owners of the directory. */
const completeSchema = z.object({ kind: z.literal("complete") });
const recordSchema = z.discriminatedUnion("kind", [
  querySchema,
  givenSchema,
  routedRecordSchema,
  drawnRecordSchema,
  failedSchema,
  overSchema,
  transactionSchema,
  abortedSchema,
  endedSchema,
  completeSchema,
]);

export type JournalRecord = z.infer<typeof recordSchema>;

/** Undefined if the text is not a record of this build. */
export function journalRecordIn(text: string): JournalRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
