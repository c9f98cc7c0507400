/**
 * Addresses of containers: those of Trino and Hadoop (`abfss://container@account.dfs.core.windows.net/path`, `wasbs://` with `blob` in the
 * place of `dfs`), and those of DuckDB (`az://container/path`, `az://account.blob.core.windows.net/container/path`).
 */
export interface AzureLocation {
  readonly container: string;
  /** Without a slash at its begin. */
  readonly path: string;
  /** Of the account; undefined if the address does not name it. */
  readonly name?: string;
  /** Of its Blob Service: `account.blob.core.windows.net`. */
  readonly host?: string;
}

export function isAzureLocation(text: string): boolean {
  return /^(?:abfss?|wasbs?|az|azure):\/\//i.test(text);
}

/** undefined if it is not valid. */
export function parseAzureLocation(text: string): AzureLocation | undefined {
  const match = /^(?:abfss?|wasbs?|azure|az):\/\/(?:([^@/]*)@)?([^@/]+)(?:\/(.*))?$/i.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, before, host = "", rest = ""] = match;
  const account = /^([a-z0-9-]{3,40}?)(-secondary)?(\.z\d{1,2})?\.(?:blob|dfs)\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(host.toLowerCase());
  const slash = rest.indexOf("/");
  const [container, path] =
    before !== undefined
      ? [before, rest]
      : account === null
        ? [host, rest]
        : [slash < 0 ? rest : rest.slice(0, slash), slash < 0 ? "" : rest.slice(slash + 1)];
  if (!/^(?:[a-z0-9](?:-?[a-z0-9]){2,62}|\$root|\$web)$/.test(container) || (before !== undefined && account === null)) {
    return undefined;
  }
  const [, name = "", secondary = "", zone = "", suffix = ""] = account ?? [];
  return { container, path, ...(account !== null && { name, host: `${name}${secondary}${zone}.blob.${suffix}` }) };
}
