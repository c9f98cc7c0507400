/** docs/sql/functions: a page for each family, from the function registry. */
import { collectionDefinitions, collectionSignatures } from "../../src/functions/aggregate/collections.ts";
import { learningDefinitions } from "../../src/functions/learning/learning-functions.ts";
import { aggregateDefinitions } from "../../src/functions/registry/aggregates.ts";
import type { ScalarDefinition, Signature } from "../../src/functions/registry/definition.ts";
import { scalarDefinitions } from "../../src/functions/registry/scalars.ts";
import { windowDefinitions } from "../../src/functions/registry/windows.ts";
import { arrayDefinitions } from "../../src/functions/scalar/array/arrays.ts";
import { arrayLambdaDefinitions } from "../../src/functions/scalar/array/lambdas.ts";
import { arraySearchDefinitions } from "../../src/functions/scalar/array/searches.ts";
import { sequenceDefinitions } from "../../src/functions/scalar/array/sequences.ts";
import { arraySummaryDefinitions } from "../../src/functions/scalar/array/summaries.ts";
import { encodingDefinitions } from "../../src/functions/scalar/binary/encodings.ts";
import { hashDefinitions } from "../../src/functions/scalar/binary/hash-functions.ts";
import { dateDefinitions } from "../../src/functions/scalar/datetime/date-functions.ts";
import { teradataDefinitions } from "../../src/functions/scalar/datetime/teradata.ts";
import { zonedDefinitions } from "../../src/functions/scalar/datetime/zoned-functions.ts";
import { zonedFieldDefinitions } from "../../src/functions/scalar/datetime/zoned-fields.ts";
import { geometryDefinitions } from "../../src/functions/scalar/geometry/geometry-functions.ts";
import { jsonDefinitions } from "../../src/functions/scalar/json/json-functions.ts";
import { mapDefinitions } from "../../src/functions/scalar/map/maps.ts";
import { mapSummaryDefinitions } from "../../src/functions/scalar/map/summaries.ts";
import { bitDefinitions } from "../../src/functions/scalar/math/bits.ts";
import { distributionDefinitions } from "../../src/functions/scalar/math/distributions.ts";
import { mathDefinitions } from "../../src/functions/scalar/math/math.ts";
import { moreDistributionDefinitions } from "../../src/functions/scalar/math/more-distributions.ts";
import { randomDefinitions } from "../../src/functions/scalar/math/random-functions.ts";
import { vectorDefinitions } from "../../src/functions/scalar/math/vectors.ts";
import { networkDefinitions } from "../../src/functions/scalar/network/network-functions.ts";
import { regexpDefinitions } from "../../src/functions/scalar/regexp/functions.ts";
import { colorDefinitions } from "../../src/functions/scalar/string/colors.ts";
import { formatDefinitions } from "../../src/functions/scalar/string/format/format.ts";
import { textDefinitions } from "../../src/functions/scalar/string/rarer-functions.ts";
import { textSearchDefinitions } from "../../src/functions/scalar/string/searches.ts";
import { stemmingDefinitions } from "../../src/functions/scalar/string/stemming/stemming.ts";
import { stringDefinitions } from "../../src/functions/scalar/string/strings.ts";
import { urlDefinitions } from "../../src/functions/scalar/urls.ts";
import { digestDefinitions } from "../../src/functions/sketch/digest-functions.ts";
import { hyperLogLogDefinitions } from "../../src/functions/sketch/hyperloglog-functions.ts";
import { setDigestDefinitions } from "../../src/functions/sketch/set-digest-functions.ts";
import { aggregateExamples } from "./aggregate-examples.ts";
import type { DocsCluster } from "./cluster.ts";
import { anchor, block, code, page, sentence, table } from "./markdown.ts";

interface Family {
  /** Name of its page. */
  readonly file: string;
  readonly title: string;
  readonly definitions: readonly ScalarDefinition[];
}

const families: readonly Family[] = [
  {
    file: "string",
    title: "String functions",
    definitions: [...stringDefinitions, ...textDefinitions, ...textSearchDefinitions, ...formatDefinitions, ...stemmingDefinitions],
  },
  { file: "regexp", title: "Regular expression functions", definitions: regexpDefinitions },
  { file: "math", title: "Mathematical functions", definitions: [...mathDefinitions, ...randomDefinitions, ...vectorDefinitions] },
  { file: "distribution", title: "Distribution functions", definitions: [...distributionDefinitions, ...moreDistributionDefinitions] },
  { file: "bitwise", title: "Bitwise functions", definitions: bitDefinitions },
  {
    file: "datetime",
    title: "Date and time functions",
    definitions: [...dateDefinitions, ...zonedDefinitions, ...zonedFieldDefinitions, ...teradataDefinitions],
  },
  {
    file: "array",
    title: "Array functions",
    definitions: [
      ...arrayDefinitions,
      ...arrayLambdaDefinitions,
      ...arraySummaryDefinitions,
      ...arraySearchDefinitions,
      ...sequenceDefinitions,
    ],
  },
  { file: "map", title: "Map functions", definitions: [...mapDefinitions, ...mapSummaryDefinitions] },
  { file: "json", title: "JSON functions", definitions: jsonDefinitions },
  { file: "url", title: "URL functions", definitions: urlDefinitions },
  { file: "network", title: "IP address functions", definitions: networkDefinitions },
  { file: "binary", title: "Binary and hash functions", definitions: [...encodingDefinitions, ...hashDefinitions] },
  { file: "color", title: "Color functions", definitions: colorDefinitions },
  { file: "sketch", title: "Sketch functions", definitions: [...hyperLogLogDefinitions, ...digestDefinitions, ...setDigestDefinitions] },
  { file: "geospatial", title: "Geospatial functions", definitions: geometryDefinitions },
  { file: "learning", title: "Machine learning functions", definitions: learningDefinitions },
];

/** A function with all of its overloads, as a page shows it. */
interface Entry {
  readonly name: string;
  readonly overloads: readonly Signature[];
  readonly notes: readonly string[];
  readonly example?: { readonly sql: string; readonly result: string };
}

/** What no family lists: conditional functions, casts and the like. Internal names begin with `$`. */
function generalFamily(): Family {
  const listed = new Set(families.flatMap(({ definitions }) => definitions));
  const internal = new Set<ScalarDefinition>(collectionDefinitions);
  const definitions = scalarDefinitions.filter((one) => !listed.has(one) && !internal.has(one));
  return { file: "general", title: "General functions", definitions };
}

/** Functions whose call is not the list of their arguments. */
const writtenCalls: Readonly<Record<string, string>> = {
  listagg: "listagg(varchar [, varchar] [ON OVERFLOW ERROR | TRUNCATE ...]) WITHIN GROUP (ORDER BY ...) -> varchar",
};

function signatureText({ name, args, variadic, returns }: Signature): string {
  const written = writtenCalls[name];
  if (written !== undefined) {
    return written;
  }
  return `${name}(${args.join(", ")}${variadic === true ? ", ..." : ""}) -> ${returns}`;
}

function scalarEntries(definitions: readonly ScalarDefinition[]): Entry[] {
  return entriesOf(
    definitions.filter(({ name }) => !name.startsWith("$")),
    (overloads) => {
      const example = overloads.find((one) => one.example !== undefined)?.example;
      return {
        notes: overloads.some(({ deterministic }) => deterministic === false) ? ["Non-deterministic."] : [],
        ...(example !== undefined && { example: { sql: example.sql, result: example.result ?? "NULL" } }),
      };
    },
  );
}

function entriesOf<T extends Signature>(
  definitions: readonly T[],
  more: (overloads: readonly T[]) => Pick<Entry, "notes" | "example">,
): Entry[] {
  const byName = new Map<string, T[]>();
  for (const definition of definitions) {
    byName.set(definition.name, [...(byName.get(definition.name) ?? []), definition]);
  }
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, overloads]) => ({ name, overloads, ...more(overloads) }));
}

function entryText({ name, overloads, notes, example }: Entry): string {
  const descriptions = [...new Set(overloads.map(({ description }) => sentence(description)))];
  return [
    `## ${name}`,
    [...descriptions, ...notes].join(" "),
    block("text", [...new Set(overloads.map(signatureText))].join("\n")),
    ...(example === undefined ? [] : [table(["Example", "Result"], [[code(example.sql), code(example.result)]])]),
  ].join("\n\n");
}

function familyPage(title: string, notes: readonly string[], entries: readonly Entry[]): string {
  return page(title, [...notes, entries.map(({ name }) => `[${name}](#${anchor(name)})`).join(" · "), ...entries.map(entryText)]);
}

async function aggregateEntries(cluster: DocsCluster): Promise<Entry[]> {
  const signatures: readonly Signature[] = [...aggregateDefinitions, ...collectionSignatures];
  const results = new Map<string, string>();
  for (const name of new Set(signatures.map((one) => one.name))) {
    const example = aggregateExamples[name];
    if (example === undefined) {
      throw new Error(`tools/docs/aggregate-examples.ts has no example of ${name}`);
    }
    results.set(name, await cluster.value(`SELECT ${example}`));
  }
  return entriesOf(signatures, ([first]) => {
    const name = first?.name ?? "";
    return { notes: [], example: { sql: `SELECT ${aggregateExamples[name] ?? ""}`, result: results.get(name) ?? "" } };
  });
}

function windowEntries(): Entry[] {
  return entriesOf(windowDefinitions, (overloads) => {
    const example = overloads.find((one) => one.example !== undefined)?.example;
    const result = example?.result.map((value) => value ?? "NULL").join(", ") ?? "";
    return { notes: [], ...(example !== undefined && { example: { sql: example.sql, result } }) };
  });
}

const scalarNote =
  "A function is NULL when an argument is NULL, unless its description says otherwise. `T`, `K` and `V` stand for any type. `varchar(x)` and `decimal(p,s)` stand for any length, precision and scale.";
const windowNote = [
  "Every [aggregate function](aggregate.md) is a window function too.",
  "The examples stand in `SELECT ... FROM (VALUES (1, 10), (2, NULL), (2, 30), (4, 40)) t(k, v) ORDER BY k, v`. The results are those of its four rows.",
].join("\n");

/** By path below docs/sql. */
export async function functionPages(cluster: DocsCluster): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const index: { readonly file: string; readonly title: string; readonly names: readonly string[] }[] = [];
  const add = (file: string, title: string, notes: readonly string[], entries: readonly Entry[]): void => {
    pages.set(`functions/${file}.md`, familyPage(title, notes, entries));
    index.push({ file, title, names: entries.map(({ name }) => name) });
  };
  for (const { file, title, definitions } of [generalFamily(), ...families]) {
    add(file, title, [scalarNote], scalarEntries(definitions));
  }
  add(
    "aggregate",
    "Aggregate functions",
    ["Aggregates skip NULL, unless their description says otherwise. All take DISTINCT, FILTER and ORDER BY."],
    await aggregateEntries(cluster),
  );
  add("window", "Window functions", [windowNote], windowEntries());
  pages.set("functions/README.md", indexPage(index));
  return pages;
}

function indexPage(index: readonly { readonly file: string; readonly title: string; readonly names: readonly string[] }[]): string {
  return page("Functions", [
    "`SHOW FUNCTIONS` lists the same functions, with one row for each overload. The conditional forms COALESCE, NULLIF, IF, CASE, TRY and CAST are [operators](../operators.md).",
    table(
      ["Family", "Functions"],
      index.map(({ file, title, names }) => [
        `[${title}](${file}.md)`,
        names.map((name) => `[${name}](${file}.md#${anchor(name)})`).join(" "),
      ]),
    ),
  ]);
}
