/**
 * Access to record members by externally supplied names (statements, headers, documents, files). `constructor` and `__proto__` are ordinary
 * names.
 */

/** The record's own member, never a member of `Object.prototype`. */
export function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
