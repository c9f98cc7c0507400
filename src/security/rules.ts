/**
 * The document of Trino's file-based access control. Names of members are Trino's; unknown ones are an error, because a misspelled
 * restriction would restrict nothing.
 */
import * as z from "zod";
import { isPattern } from "../protocol/patterns.ts";

const pattern = z.string().refine(isPattern, "expected a regular expression").optional();
/** Which users a rule is for. Users have no roles beside those of catalogs, so a rule that names some is for nobody. */
const whom = { user: pattern, role: pattern, group: pattern };

const environment = z.strictObject({ user: z.string().optional() }).optional();

const catalogRule = z.strictObject({
  ...whom,
  catalog: pattern,
  allow: z.union([z.enum(["all", "read-only", "none", "owner"]), z.boolean()]),
});

const schemaRule = z.strictObject({ ...whom, catalog: pattern, schema: pattern, owner: z.boolean() });

const tableRule = z.strictObject({
  ...whom,
  catalog: pattern,
  schema: pattern,
  table: pattern,
  privileges: z.array(z.enum(["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP", "GRANT_SELECT"])),
  columns: z
    .array(
      z.strictObject({ name: z.string(), allow: z.boolean().default(true), mask: z.string().optional(), mask_environment: environment }),
    )
    .default([]),
  filter: z.string().optional(),
  filter_environment: environment,
});

const functionRule = z.strictObject({
  ...whom,
  catalog: pattern,
  schema: pattern,
  function: pattern,
  privileges: z.array(z.enum(["EXECUTE", "GRANT_EXECUTE", "OWNERSHIP"])),
});

const procedureRule = z.strictObject({
  ...whom,
  catalog: pattern,
  schema: pattern,
  procedure: pattern,
  privileges: z.array(z.enum(["EXECUTE", "GRANT_EXECUTE"])),
});

const queryRule = z
  .strictObject({ ...whom, queryOwner: pattern, allow: z.array(z.enum(["execute", "view", "kill"])) })
  .refine(
    ({ allow, queryOwner }) => queryOwner === undefined || !allow.includes("execute"),
    "A valid query rule cannot combine an queryOwner condition with access mode 'execute'",
  );

/** As which users an authenticated principal may send requests. One of `user` and `principal_to_user` must fit. */
const principalRule = z
  .strictObject({
    principal: z.string().refine(isPattern, "expected a regular expression"),
    user: pattern,
    /** May refer to the groups of `principal`: `$1`. */
    principal_to_user: z.string().optional(),
    allow: z.boolean(),
  })
  .refine(
    ({ principal_to_user: replacement, user }) => replacement !== undefined || user !== undefined,
    "At least one of principal_to_user or user is required",
  );

const impersonationRule = z.strictObject({
  original_user: pattern,
  original_role: pattern,
  /** May refer to the groups of `original_user`: `$1`. */
  new_user: z.string().refine((text) => isPattern(text.replaceAll(/\$\d/g, "x")), "expected a regular expression"),
  allow: z.boolean().default(true),
});

/** Who may give a schema, a table or a view to whom. A new owner of a kind that the rule does not name is another rule's. */
const authorizationRule = z
  .strictObject({
    original_user: pattern,
    original_group: pattern,
    original_role: pattern,
    new_user: pattern,
    new_role: pattern,
    allow: z.boolean().default(true),
  })
  .refine(
    ({ new_role: role, new_user: user }) => role !== undefined || user !== undefined,
    "At least one of new_user or new_role is required",
  );

const systemInformationRule = z.strictObject({ user: pattern, role: pattern, allow: z.array(z.enum(["read", "write"])) });

const sessionPropertyRule = z.strictObject({ ...whom, property: pattern, allow: z.boolean() });

export const accessRulesSchema = z.strictObject({
  catalogs: z.array(catalogRule).optional(),
  schemas: z.array(schemaRule).optional(),
  tables: z.array(tableRule).optional(),
  functions: z.array(functionRule).optional(),
  procedures: z.array(procedureRule).optional(),
  queries: z.array(queryRule).optional(),
  impersonation: z.array(impersonationRule).optional(),
  principals: z.array(principalRule).optional(),
  authorization: z.array(authorizationRule).optional(),
  system_information: z.array(systemInformationRule).optional(),
  system_session_properties: z.array(sessionPropertyRule).optional(),
  catalog_session_properties: z.array(sessionPropertyRule.extend({ catalog: pattern })).optional(),
});

export type AccessRules = z.infer<typeof accessRulesSchema>;
export type TableRule = z.infer<typeof tableRule>;

/** Throws an error with a one-line message that names the place in the document. */
export function parseAccessRules(document: unknown): AccessRules {
  const parsed = accessRulesSchema.safeParse(document);
  if (parsed.success) {
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new Error(`Invalid access rules at ${["$", ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not valid"}`);
}
