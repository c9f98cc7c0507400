/**
 * Names of columns and folders.
 */

/** The folder of rows whose partition key is NULL, by Hive's convention. */
export const nullPartition = "__HIVE_DEFAULT_PARTITION__";

/** Column names are lower case and unique: `a`, `A` become `a`, `a_1`. */
export function distinctNames(written: readonly string[]): readonly string[] {
  const names: string[] = [];
  const taken = new Set<string>();
  written.forEach((text, index) => {
    const name = text.trim().toLowerCase() || `column${index}`;
    let candidate = name;
    for (let number = 1; taken.has(candidate); number++) {
      candidate = `${name}_${number}`;
    }
    taken.add(candidate);
    names.push(candidate);
  });
  return names;
}
