/**
 * Where the containers of an account are and what opens them: from the properties of a catalog, or from what Azure's own tools would use on
 * the host. Properties have Trino's names where Trino has them.
 */
import type { Clock } from "../../../../ports/clock.ts";
import type { Outbound } from "../../../../ports/outbound.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { decodeBase64 } from "../../../../types/base64.ts";
import { invalidProperty } from "../../properties.ts";
import { ExpiringValue } from "../expiring.ts";
import { askForToken, type TokenRequest } from "../oauth.ts";
import type { StoreClient } from "../store-client.ts";
import type { AzureLocation } from "./location.ts";

type Properties = Readonly<Record<string, string>>;

const authProperty = "azure.auth-type";
const endpointProperty = "azure.endpoint";
const accountProperty = "azure.account-name";
const keyProperty = "azure.access-key";
const sasProperty = "azure.sas-token";
const connectionProperty = "azure.connection-string";
const tenantProperty = "azure.oauth.tenant-id";
const authorityProperty = "azure.oauth.endpoint";
const clientProperty = "azure.oauth.client-id";
const secretProperty = "azure.oauth.secret";

export const azureProperties: readonly string[] = Object.freeze([
  authProperty,
  endpointProperty,
  accountProperty,
  keyProperty,
  sasProperty,
  connectionProperty,
  tenantProperty,
  authorityProperty,
  clientProperty,
  secretProperty,
]);

const authTypes = ["DEFAULT", "ACCESS_KEY", "SAS_TOKEN", "OAUTH", "NONE"] as const;
type AuthType = (typeof authTypes)[number];

const endpointSuffixDefault = "core.windows.net";
const authorityDefault = "https://login.microsoftonline.com";
const storageScope = "https://storage.azure.com/.default";

/** What opens a container. It must not get into logs, messages and documents. */
export type AzureCredential =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly key: Uint8Array }
  /** Parameters of an address, without a question mark. */
  | { readonly kind: "sas"; readonly token: string }
  /** The same, of a server that gives it for a while. */
  | { readonly kind: "given-sas"; readonly token: ExpiringValue<string> }
  | { readonly kind: "token"; readonly token: ExpiringValue<string> };

export interface AzureAccount {
  readonly name: string;
  /** `https://account.blob.core.windows.net`, or `http://host:port/account` of an emulator; without a slash at its end. */
  readonly endpoint: string;
  readonly credential: AzureCredential;
}

/** What is given of an account, from whatever source. */
interface Given {
  readonly name?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly suffix?: string | undefined;
  readonly key?: string | undefined;
  readonly sas?: string | undefined;
  readonly tokenRequest?: TokenRequest | undefined;
}

interface Reach {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly outbound: Outbound;
}

/** The account of a location, with this shared access signature in the place of what the properties give. Throws CONFIGURATION_INVALID. */
export function azureAccountWithSas(
  location: AzureLocation,
  properties: Properties,
  token: ExpiringValue<string>,
): () => Promise<AzureAccount> {
  const account = { ...placeOf(addressOf(location, properties), {}), credential: { kind: "given-sas", token } as const };
  return () => Promise.resolve(account);
}

/** The account of a location. Properties are checked at once (CONFIGURATION_INVALID), the host is asked for each request. */
export function azureAccountOf(location: AzureLocation, properties: Properties, reach: Reach): () => Promise<AzureAccount> {
  const type = authTypeOf(properties);
  const given = givenOf(properties, type);
  const address = addressOf(location, properties);
  const tokens = new Map<string, ExpiringValue<string>>();
  const credentialOf = (of: Given): AzureCredential => {
    if (of.tokenRequest === undefined) {
      return storedCredential(of);
    }
    const name = JSON.stringify(of.tokenRequest);
    const token = tokens.get(name) ?? tokenOf(of.tokenRequest, reach);
    // The host may have another account from one request to the next: one token is kept.
    tokens.clear();
    tokens.set(name, token);
    return { kind: "token", token };
  };
  if (type !== "DEFAULT" || given !== undefined) {
    const known = given ?? {};
    const credential = credentialOf(known);
    if (nameOf(address, known) !== undefined) {
      const account = { ...placeOf(address, known), credential };
      return () => Promise.resolve(account);
    }
    return async () => ({ ...placeOf(address, { ...ofHost(await reach.outbound.azureSettings()), ...defined(known) }), credential });
  }
  return async () => {
    const host = ofHost(await reach.outbound.azureSettings());
    return { ...placeOf(address, host), credential: credentialOf(host) };
  };
}

function authTypeOf(properties: Properties): AuthType {
  const text = properties[authProperty]?.trim().toUpperCase() ?? "DEFAULT";
  const type = authTypes.find((one) => one === text);
  if (type === undefined) {
    throw invalidProperty(authProperty, properties[authProperty] ?? "");
  }
  return type;
}

function accountNameOf(properties: Properties): string | undefined {
  const name = properties[accountProperty]?.trim() || undefined;
  if (name !== undefined && !isAccountName(name)) {
    throw invalidProperty(accountProperty, name);
  }
  return name;
}

/** Of a location, and of the properties that say where its account is. */
function addressOf({ host, name }: AzureLocation, properties: Properties): Given {
  const { endpoint, suffix } = endpointOf(properties);
  const given = accountNameOf(properties);
  return { name: name ?? given, endpoint: endpoint ?? (host === undefined ? undefined : `https://${host}`), suffix };
}

/** Of `azure.endpoint`: the end of the names of hosts, as in Trino, or the address of a server. */
function endpointOf(properties: Properties): Pick<Given, "endpoint" | "suffix"> {
  const text = properties[endpointProperty]?.trim();
  if (text === undefined) {
    return {};
  }
  if (/^https?:\/\/[A-Za-z0-9._:[\]-]+(?:\/[A-Za-z0-9._-]+)*\/?$/i.test(text)) {
    return { endpoint: text.replace(/\/$/, "") };
  }
  if (!/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(text)) {
    throw invalidProperty(endpointProperty, text.replace(/\/\/[^/]*@/, "//"));
  }
  return { suffix: text };
}

/** Of the properties that the type uses; undefined if the host is asked. Values of secrets are in no message. */
function givenOf(properties: Properties, type: AuthType): Given | undefined {
  const of = (name: string): string | undefined => properties[name]?.trim() || undefined;
  const connection = of(connectionProperty);
  const account = connection === undefined ? {} : connectionOf(connection);
  const [key, sas] = [of(keyProperty) ?? account.key, of(sasProperty) ?? account.sas];
  const oauth = [tenantProperty, clientProperty, secretProperty];
  const hasOauth = oauth.some((one) => of(one) !== undefined);
  const chosen: AuthType =
    type !== "DEFAULT" ? type : key !== undefined ? "ACCESS_KEY" : sas !== undefined ? "SAS_TOKEN" : hasOauth ? "OAUTH" : "DEFAULT";
  const need = (value: string | undefined, property: string): string => {
    if (value === undefined) {
      throw new QueryError("CONFIGURATION_INVALID", `Property '${property}' is required`);
    }
    return value;
  };
  switch (chosen) {
    case "ACCESS_KEY":
      return { ...account, key: checkedKey(need(key, keyProperty), keyProperty), sas: undefined };
    case "SAS_TOKEN":
      return { ...account, sas: checkedSas(need(sas, sasProperty), sasProperty), key: undefined };
    case "OAUTH": {
      const [tenant, client, secret] = oauth.map((one) => need(of(one), one)) as [string, string, string];
      const authority = of(authorityProperty) ?? authorityDefault;
      if (!/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(authority)) {
        throw invalidProperty(authorityProperty, authority.replace(/\/\/[^/]*@/, "//"));
      }
      if (!/^[A-Za-z0-9.-]{1,128}$/.test(tenant)) {
        throw invalidProperty(tenantProperty, tenant);
      }
      return { ...account, key: undefined, sas: undefined, tokenRequest: tokenRequestOf({ authority, tenant, client, secret }) };
    }
    case "NONE":
      return { ...account, key: undefined, sas: undefined };
    default:
      return connection === undefined ? undefined : account;
  }
}

/** A connection string of Azure: `AccountName=a;AccountKey=k;EndpointSuffix=core.windows.net`. */
function connectionOf(text: string): Given {
  const values = new Map(
    text.split(";").flatMap((part) => {
      const equals = part.indexOf("=");
      return equals < 1 ? [] : [[part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim()] as const];
    }),
  );
  const endpoint = values.get("blobendpoint");
  const name = values.get("accountname");
  if (
    (endpoint === undefined && name === undefined) ||
    (endpoint !== undefined && !/^https?:\/\/[A-Za-z0-9._:[\]/-]+$/i.test(endpoint)) ||
    (name !== undefined && !isAccountName(name))
  ) {
    throw new QueryError("CONFIGURATION_INVALID", `Invalid value for property '${connectionProperty}'`);
  }
  const scheme = values.get("defaultendpointsprotocol")?.toLowerCase() === "http" ? "http" : "https";
  const suffix = values.get("endpointsuffix") ?? endpointSuffixDefault;
  return defined({
    name: name ?? accountIn(endpoint ?? ""),
    endpoint: (endpoint ?? `${scheme}://${name ?? ""}.blob.${suffix}`).replace(/\/$/, ""),
    key: values.get("accountkey"),
    sas: values.get("sharedaccesssignature"),
  });
}

/** The first name of the host of an address, or of its path if the host has no names of accounts. */
function accountIn(endpoint: string): string | undefined {
  return /^https?:\/\/([a-z0-9-]+)\.blob\./i.exec(endpoint)?.[1] ?? /^https?:\/\/[^/]+\/([a-z0-9]+)$/i.exec(endpoint)?.[1];
}

/** Names of the variables of Azure's tools. */
function ofHost(settings: Readonly<Record<string, string>>): Given {
  const connection = settings["AZURE_STORAGE_CONNECTION_STRING"];
  if (connection !== undefined) {
    return connectionOf(connection);
  }
  const [name, key, sas] = ["AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN"].map((one) => settings[one]);
  const [tenant, client, secret] = ["AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"].map((one) => settings[one]);
  const authority = settings["AZURE_AUTHORITY_HOST"] ?? authorityDefault;
  const hasStored = key !== undefined || sas !== undefined;
  const hasOauth = !hasStored && tenant !== undefined && client !== undefined && secret !== undefined;
  return defined({
    name,
    key: key === undefined ? undefined : checkedKey(key, "AZURE_STORAGE_KEY"),
    sas: sas === undefined ? undefined : checkedSas(sas, "AZURE_STORAGE_SAS_TOKEN"),
    tokenRequest: hasOauth ? tokenRequestOf({ authority, tenant, client, secret }) : undefined,
  });
}

function storedCredential({ key, sas }: Given): AzureCredential {
  const bytes = key === undefined ? undefined : decodeBase64(key);
  return bytes !== undefined ? { kind: "key", key: bytes } : sas !== undefined ? { kind: "sas", token: sas } : { kind: "none" };
}

function tokenOf(request: TokenRequest, { client, clock }: Reach): ExpiringValue<string> {
  return new ExpiringValue(clock, (life) => askForToken(request, { client: client.until(life), clock, what: "of the token of Azure" }));
}

/** An authority of Microsoft's identity platform, or the address of a token endpoint itself. */
function tokenRequestOf({
  authority,
  tenant,
  client,
  secret,
}: Readonly<Record<"authority" | "tenant" | "client" | "secret", string>>): TokenRequest {
  const base = authority.replace(/\/+$/, "");
  const url = base.endsWith("/token") ? base : `${base}/${tenant}/oauth2/v2.0/token`;
  return { url, form: { grant_type: "client_credentials", client_id: client, client_secret: secret, scope: storageScope } };
}

function nameOf(address: Given, given: Given): string | undefined {
  return address.name ?? given.name ?? accountIn(address.endpoint ?? "");
}

/** The address of the location comes first, then that of `azure.endpoint`, then that of the connection string. */
function placeOf(address: Given, given: Given): Pick<AzureAccount, "name" | "endpoint"> {
  const name = nameOf(address, given);
  if (name === undefined) {
    throw new QueryError("CONFIGURATION_INVALID", `The account of Azure is not known: set property '${accountProperty}'`);
  }
  const own = given.name === undefined || given.name === name ? given.endpoint : undefined;
  const suffix = address.suffix ?? endpointSuffixDefault;
  return { name, endpoint: address.endpoint ?? own ?? `https://${name}.blob.${suffix}` };
}

function isAccountName(name: string): boolean {
  return /^[a-z0-9-]{3,40}$/.test(name);
}

function checkedKey(text: string, name: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || decodeBase64(text) === undefined) {
    throw new QueryError("CONFIGURATION_INVALID", `Invalid value for property '${name}': it is not in base64`);
  }
  return text;
}

function checkedSas(text: string, name: string): string {
  const token = sharedSignatureOf(text);
  if (token === undefined) {
    throw new QueryError("CONFIGURATION_INVALID", `Invalid value for property '${name}': it is no shared access signature`);
  }
  return token;
}

/** Parameters of an address; undefined if the text is no shared access signature. */
export function sharedSignatureOf(text: string): string | undefined {
  const token = text.replace(/^\?/, "");
  return /^[\w%.~:+/=&,-]+$/.test(token) && /(?:^|&)sig=/.test(token) ? token.replaceAll("+", "%2B") : undefined;
}

/** Without members that are undefined, so that it can be laid over another. */
function defined(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
