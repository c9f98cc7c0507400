/**
 * docs/configuration.md: the properties of server, engine and connectors, and those of the session, from the tables that the programs read.
 */
import { engineProperties } from "../../src/config.ts";
import { jmxConnectorFactory } from "../../src/connectors/jmx/jmx.ts";
import { connectorFactories } from "../../src/connectors/registry.ts";
import { ruleTable } from "../../src/planner/optimizer/rule-table.ts";
import { sessionProperties } from "../../src/planner/session-properties.ts";
import { serverProperties } from "../../src/server/configuration.ts";
import { environmentName } from "../../src/server/properties.ts";
import { securityProperties } from "../../src/server/security/configuration.ts";
import { userGroupProperties } from "../../src/server/security/user-groups.ts";
import { block, code, page, sentence, table } from "./markdown.ts";

interface Listed {
  readonly name: string;
  readonly type?: string;
  readonly default: string;
  readonly description: string;
}

function isOfSecurity({ name }: Listed): boolean {
  return [...securityProperties, ...userGroupProperties].some((one) => one.name === name);
}

/** Numbers without a default. */
const counts: readonly string[] = ["http-server.max-connections", "node.workers"];

/** Types of properties that only the server reads. Their table has texts; what they are follows from the default. */
function typeOf({ name, type, default: text }: Listed): string {
  if (type !== undefined) {
    return type;
  }
  if (counts.includes(name)) {
    return "integer";
  }
  return /^(true|false)$/.test(text)
    ? "boolean"
    : /^\d+$/.test(text)
      ? "integer"
      : /^\d+(ms|s|m|h|d)$/.test(text)
        ? "duration"
        : sizeOrText(text);
}

function sizeOrText(text: string): string {
  return /^\d+(B|kB|MB|GB|TB)$/.test(text) ? "size" : "text";
}

function propertyTable(properties: readonly Listed[]): string {
  return table(
    ["Property", "Type", "Default", "Description"],
    properties.map((one) => [code(one.name), typeOf(one), code(one.default), sentence(one.description)]),
  );
}

/** Properties whose names begin alike stand together, under the name of what they configure. */
const engineGroups: readonly (readonly [title: string, prefixes: readonly string[]])[] = [
  ["Node and memory", ["node.", "coordinator", "shutdown."]],
  ["Queries", ["query.", "query-manager.", "node-scheduler.", "sql."]],
  ["Tasks and exchanges", ["task.", "sink.", "exchange."]],
  ["Spooled results", ["protocol.spooling.", "fs.segment."]],
  ["Membership and failure detection", ["failure-detector.", "discovery.", "http."]],
];

function engineSections(): string[] {
  const left = new Set(engineProperties);
  const sections = engineGroups.map(([title, prefixes]) => {
    const group = engineProperties.filter((one) => left.has(one) && prefixes.some((prefix) => one.name.startsWith(prefix)));
    group.forEach((one) => left.delete(one));
    return `### ${title}\n\n${propertyTable(group)}`;
  });
  return left.size === 0 ? sections : [...sections, `### Others\n\n${propertyTable([...left])}`];
}

const factories = [...connectorFactories, jmxConnectorFactory({ beans: [], read: () => new Map() })].sort((one, other) =>
  one.name < other.name ? -1 : 1,
);

function connectorSection(): string {
  const rows = factories.map(({ name, properties }) => [
    `[${code(name)}](connectors.md#${name})`,
    properties.map((property) => code(property)).join(", "),
  ]);
  return table(["Connector", "Properties"], rows);
}

function rulesSection(): string {
  return table(
    ["Rule", "Does", "Cannot be switched off because"],
    ruleTable.map(({ name, description, required }) => [code(name), sentence(description), required ?? ""]),
  );
}

function sessionSection(): string {
  return table(
    ["Property", "Type", "Default", "Values", "Description"],
    sessionProperties.map(({ name, type, defaultValue, values, description }) => [
      code(name),
      type,
      defaultValue === undefined ? "the configured value" : code(defaultValue),
      values.map((value) => code(value)).join(", "),
      sentence(description),
    ]),
  );
}

export function configurationPage(): string {
  return page("Configuration", [
    "A program reads its properties from these places. The first place that sets a property wins.",
    table(
      ["Place", "Example"],
      [
        ["Flag", code("npm start -- --port 9000")],
        [
          "Environment",
          `${code(`${environmentName("query.max-length")}=2000000`)}; short names: ${code("ORRERY_HOST")}, ${code("ORRERY_PORT")}, ${code("ORRERY_WORKERS")}, ${code("ORRERY_DATA")}`,
        ],
        ["Property file", `${code("query.max-length=2000000")} in ${code("etc/config.properties")} or ${code("etc/node.properties")}`],
        ["Default", "the tables below"],
      ],
    ),
    [
      "- The folder `etc` is read when it is there. `--etc DIR` or `ORRERY_ETC` names another one.",
      "- A value may hold `${ENV:NAME}`, which is replaced by that variable of the environment.",
      "- A name that is not known is an error. The message names the nearest known property.",
      "- A duration is a number and `ms`, `s`, `m`, `h` or `d`. A size is a number and `B`, `kB`, `MB`, `GB` or `TB`.",
      "- `npm start -- --help` prints the same tables.",
    ].join("\n"),
    "## Server",
    "These properties concern the process: its listener, its workers, its files.",
    propertyTable(serverProperties.filter((one) => !isOfSecurity(one))),
    "## HTTPS and users",
    "[Security](security.md) explains them.",
    propertyTable(serverProperties.filter(isOfSecurity)),
    "## Engine",
    "These properties concern one node. Workers in the coordinator's process have the coordinator's.",
    ...engineSections(),
    "## Catalogs",
    "A catalog is a file `etc/catalog/NAME.properties`. It names its connector and sets the connector's properties:",
    block("properties", "connector.name=files\nfiles.directory=/srv/sales"),
    "Without the folder `etc/catalog` the catalogs are `memory`, `tpcds` and `tpch`. `--data DIR` adds the catalog `files`. The catalog `system` is always there.",
    connectorSection(),
    "## Session",
    "A client sets a session property with `SET SESSION name = value` or with its header. `SHOW SESSION` lists them.",
    sessionSection(),
    "A session narrows the limits of the configuration. It may raise only `query_max_stage_count`, as in Presto.",
    "## Optimizer rules",
    [
      "`optimizer_rules` lists rules of the planner to switch off (`-name`) or on (`+name`), from left to right. `all` names every rule that can be switched off.",
      "A query returns the same rows without a rule, but usually more slowly. So a wrong result that disappears without a rule is an error of that rule.",
    ].join("\n"),
    block("sql", "SET SESSION optimizer_rules = '-push_limits,-reorder_joins'"),
    rulesSection(),
  ]);
}
