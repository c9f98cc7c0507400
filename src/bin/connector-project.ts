/** The files of a new connector project. */

/** Texts by path. `name` has lower-case letters, digits and dashes; `version` is that of the package it is written for. */
export function connectorProject(name: string, version: string): Readonly<Record<string, string>> {
  const variable = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const catalog = name.replaceAll("-", "_");
  const texts = { name, variable, catalog };
  return {
    "package.json": manifest(name, version),
    "tsconfig.json": compilerOptions,
    ".gitignore": "dist\nnode_modules\n",
    "README.md": filled(readme, texts),
    "src/connector.ts": filled(connector, texts),
    "src/connector.test.ts": filled(test, texts),
    "src/main.ts": filled(program, texts),
  };
}

/** Replaces `{{name}}`. */
function filled(template: string, texts: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => texts[key] ?? "");
}

function manifest(name: string, version: string): string {
  const content = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    scripts: { build: "tsc", pretest: "tsc", test: "node --test dist/connector.test.js", prestart: "tsc", start: "node dist/main.js" },
    dependencies: { orrery: `^${version}` },
    devDependencies: { "@types/node": "^20.19.0", typescript: ">=5.8.0" },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

const compilerOptions = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "NodeNext",
    "lib": ["ES2023"],
    "types": ["node"],
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "skipLibCheck": true,
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`;

const connector = `/**
 * The connector {{name}}: a table \`default.greetings\` with as many rows as the property \`{{name}}.count\` says. A connector tells
 * names and types of its tables, divides each into splits, and reads a split into pages.
 */
import {
  allAtOnce,
  BIGINT,
  type ConnectorFactory,
  integerProperty,
  type Row,
  RowPageSource,
  type Split,
  type TableMetadata,
  VARCHAR,
} from "orrery/connector";

/** Rows of a split. Splits are read side by side, by any node. */
const splitRows = 1000;

const table: TableMetadata = {
  name: { schema: "default", table: "greetings" },
  columns: [
    { name: "id", type: BIGINT },
    { name: "text", type: VARCHAR },
  ],
  // Plain JSON that the engine hands on to getSplits and createPageSource. No secrets: it is shown and recorded.
  handle: null,
  uniqueKeys: [["id"]],
};

/** What a split is, as JSON. */
interface Range {
  readonly first: number;
  readonly count: number;
}

export const {{variable}}: ConnectorFactory = {
  name: "{{name}}",
  properties: ["{{name}}.count"],
  create(properties) {
    const count = integerProperty(properties, "{{name}}.count", { min: 0, max: 1_000_000, default: 3 });
    return {
      metadata: {
        listSchemas: async () => ["default"],
        listTables: async (schema) => (schema === "default" ? ["greetings"] : []),
        getTable: async (name) => (name.schema === "default" && name.table === "greetings" ? table : undefined),
        getStatistics: async () => ({ rowCount: count, columns: {} }),
      },
      // The same splits in the same order each time: the order of rows is part of a result.
      async getSplits() {
        const splits: Split[] = [];
        for (let first = 0; first < count; first += splitRows) {
          const rows = Math.min(splitRows, count - first);
          splits.push({ payload: { first, count: rows }, rows });
        }
        return splits;
      },
      // Only the columns that are asked for. All memory is charged to the request's.
      createPageSource({ columns, memory, split }) {
        const { first, count: rows } = split as unknown as Range;
        const make = (index: number): Row => ({ id: BigInt(first + index), text: \`hello \${first + index}\` });
        return new RowPageSource({ columns, memory, rows: () => allAtOnce(() => Array.from({ length: rows }, (_, index) => make(index))) });
      },
    };
  },
};
`;

const test = `import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { connectorKit } from "orrery/connector/testing";
import { withCluster } from "orrery/testing";
import { {{variable}} } from "./connector.js";

// What the engine relies on, checked one rule a test. A failure says what was expected and what was found.
describe("{{name}} keeps the rules of a connector", () => {
  const kit = connectorKit({{variable}}, { properties: { "{{name}}.count": "2500" } });
  after(kit.close);
  for (const { check, name } of kit.rules) {
    test(name, check);
  }
});

test("{{name}} greets", async () => {
  await withCluster({ http: false, catalogs: { {{catalog}}: {{variable}} } }, async (cluster) => {
    const { rows } = await cluster.query("SELECT id, text FROM {{catalog}}.default.greetings ORDER BY id");
    assert.deepEqual(rows, [
      [0n, "hello 0"],
      [1n, "hello 1"],
      [2n, "hello 2"],
    ]);
  });
});
`;

const program = `/** Runs a statement: npm start -- "SELECT * FROM {{catalog}}.default.greetings" */
import { createCluster } from "orrery";
import { {{variable}} } from "./connector.js";

const [statement = "SELECT * FROM {{catalog}}.default.greetings"] = process.argv.slice(2);
const cluster = await createCluster({ connectors: [{{variable}}], catalogs: { {{catalog}}: { "connector.name": "{{name}}" } } });
try {
  for await (const row of cluster.query(statement)) {
    console.log(row.map(String).join("\\t"));
  }
} finally {
  await cluster.close();
}
`;

const readme = `# {{name}}

A connector for [Orrery](https://www.npmjs.com/package/orrery).

| File | Holds |
| --- | --- |
| \`src/connector.ts\` | the connector: metadata, splits, a page source |
| \`src/connector.test.ts\` | the rules that every connector keeps, and a query in a cluster |
| \`src/main.ts\` | a program that runs a statement |

\`\`\`sh
npm install
npm test
npm start -- "SELECT count(*) FROM {{catalog}}.default.greetings"
\`\`\`

| Property | Default | Description |
| --- | --- | --- |
| \`{{name}}.count\` | \`3\` | Rows of the table. |

## What to change

1. The table and its columns. Types are exported by \`orrery/connector\`.
2. The splits: parts of a table that can be read side by side. What a split needs to be read goes into its \`payload\`, as JSON.
3. The page source. \`RowPageSource\` makes pages of rows; a connector that must be fast fills pages with \`PageBuilder\`.

Then statistics, conditions (\`Constraint\`), writes and views as you need them: the declarations of \`Connector\` and \`ConnectorMetadata\` say what each part must do, and the tests check it.
`;
