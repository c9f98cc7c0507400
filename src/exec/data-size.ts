/** Byte counts as Presto's messages write them: `512B`, `1kB`, `20GB`, `1.50MB`. Used by driver.ts for memory errors. */
const units = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

export function dataSizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(2)}${units[unit]}`;
}
