/**
 * Addresses of servers as people write them: `http://host:port/catalog/schema`, `host:port`, `host`.
 */

export interface ServerAddress {
  /** `http://host:port` */
  readonly server: string;
  readonly catalog?: string;
  readonly schema?: string;
}

/** Returns undefined if the text is not an address. Without a scheme it is http, or https if `https` says so. */
export function serverAddress(text: string, { https = false }: { readonly https?: boolean } = {}): ServerAddress | undefined {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (hasScheme ? !/^https?:\/\//i.test(text) : !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?(\/[^\s]*)?$/i.test(text)) {
    return undefined;
  }
  const address = hasScheme ? text : `${https ? "https" : "http"}://${text}`;
  if (!URL.canParse(address)) {
    return undefined;
  }
  const url = new URL(address);
  const names = url.pathname
    .split("/")
    .filter((name) => name !== "")
    .map(decodeName);
  const [catalog, schema] = names;
  if (names.length > 2 || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    return undefined;
  }
  return {
    server: url.origin,
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
