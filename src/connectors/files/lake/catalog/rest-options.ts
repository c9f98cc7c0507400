/** Properties of a catalog of Iceberg tables. Names are Trino's. */
import { QueryError } from "../../../../protocol/errors.ts";
import { booleanProperty, invalidProperty } from "../../../shared/properties.ts";

type Properties = Readonly<Record<string, string>>;

const typeProperty = "iceberg.catalog.type";
const prefix = "iceberg.rest-catalog";
const uriProperty = `${prefix}.uri`;
const warehouseProperty = `${prefix}.warehouse`;
const prefixProperty = `${prefix}.prefix`;
const securityProperty = `${prefix}.security`;
const tokenProperty = `${prefix}.oauth2.token`;
const credentialProperty = `${prefix}.oauth2.credential`;
const scopeProperty = `${prefix}.oauth2.scope`;
const serverProperty = `${prefix}.oauth2.server-uri`;
const vendedProperty = `${prefix}.vended-credentials-enabled`;
const nestedProperty = `${prefix}.nested-namespace-enabled`;

export const restCatalogProperties: readonly string[] = Object.freeze([
  typeProperty,
  uriProperty,
  warehouseProperty,
  prefixProperty,
  securityProperty,
  tokenProperty,
  credentialProperty,
  scopeProperty,
  serverProperty,
  vendedProperty,
  nestedProperty,
]);

export type RestSecurity =
  | { readonly kind: "NONE" }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "credential"; readonly id: string; readonly secret: string; readonly scope: string; readonly serverUri: string };

export interface RestOptions {
  /** Without a slash at its end. */
  readonly uri: string;
  readonly warehouse: string | undefined;
  readonly prefix: string | undefined;
  readonly security: RestSecurity;
  /** Whether the catalog gives the keys of the tables' buckets. */
  readonly hasVendedCredentials: boolean;
  /** Whether namespaces within namespaces are schemas. */
  readonly hasNestedNamespaces: boolean;
}

/** Throws CONFIGURATION_INVALID. */
export function restOptionsOf(properties: Properties): RestOptions {
  const type = properties[typeProperty]?.trim().toLowerCase() ?? "";
  if (type !== "rest") {
    throw type === "" ? required(typeProperty) : invalidProperty(typeProperty, properties[typeProperty] ?? "");
  }
  const uri = addressOf(properties, uriProperty);
  if (uri === undefined) {
    throw required(uriProperty);
  }
  return {
    uri,
    warehouse: textOf(properties, warehouseProperty),
    prefix: textOf(properties, prefixProperty)?.replaceAll(/^\/+|\/+$/g, ""),
    security: securityOf(properties, uri),
    hasVendedCredentials: booleanProperty(properties, vendedProperty, false),
    hasNestedNamespaces: booleanProperty(properties, nestedProperty, false),
  };
}

function securityOf(properties: Properties, uri: string): RestSecurity {
  const kind = properties[securityProperty]?.trim().toUpperCase() ?? "NONE";
  const [token, credential] = [textOf(properties, tokenProperty), textOf(properties, credentialProperty)];
  const given = [tokenProperty, credentialProperty, scopeProperty, serverProperty].find((name) => properties[name] !== undefined);
  if (kind === "NONE") {
    if (given !== undefined) {
      throw new QueryError("CONFIGURATION_INVALID", `Property '${given}' needs '${securityProperty}=OAUTH2'`);
    }
    return { kind: "NONE" };
  }
  if (kind !== "OAUTH2") {
    throw invalidProperty(securityProperty, properties[securityProperty] ?? "");
  }
  if ((token === undefined) === (credential === undefined)) {
    throw new QueryError("CONFIGURATION_INVALID", `Security OAUTH2 needs one of '${tokenProperty}' and '${credentialProperty}'`);
  }
  if (token !== undefined) {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new QueryError("CONFIGURATION_INVALID", `Invalid value for property '${tokenProperty}'`);
    }
    return { kind: "token", token };
  }
  const [, id = "", secret = ""] = /^(?:([^:]*):)?(.*)$/s.exec(credential ?? "") ?? [];
  return {
    kind: "credential",
    id,
    secret,
    scope: textOf(properties, scopeProperty) ?? "catalog",
    serverUri: addressOf(properties, serverProperty) ?? `${uri}/v1/oauth/tokens`,
  };
}

function textOf(properties: Properties, name: string): string | undefined {
  const value = properties[name]?.trim();
  return value === "" ? undefined : value;
}

/** An address without a user and without a slash at its end. */
function addressOf(properties: Properties, name: string): string | undefined {
  const value = textOf(properties, name);
  if (value !== undefined && !/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(value)) {
    throw invalidProperty(name, value.replace(/\/\/[^/]*@/, "//"));
  }
  return value?.replace(/\/+$/, "");
}

function required(name: string): QueryError {
  return new QueryError("CONFIGURATION_INVALID", `Property '${name}' is required`);
}
