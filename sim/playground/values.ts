/** Values of a result as text, as the shell writes them. */

/** Returns null for NULL. */
export function formatValue(value: unknown): string | null {
  return value === null || value === undefined ? null : typeof value === "object" ? nested(value) : scalar(value);
}

function nested(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(nested).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([name, inner]) => `${name}=${nested(inner)}`)
      .join(", ")}}`;
  }
  return value === null || value === undefined ? "NULL" : scalar(value);
}

function scalar(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" || typeof value === "bigint" ? value.toString() : String(value);
}
