/**
 * Requests of a client that looks around, by name: every route, with parameters that it takes and with ones that it must refuse. None of
 * them changes a query, a task or the cluster. The expected status codes are those of the interface.
 */
import type { HttpMethod } from "../../src/ports/network.ts";

export interface Inquiry {
  readonly name: string;
  /** Whether a worker is asked; otherwise the coordinator. */
  readonly worker?: true;
  readonly method: HttpMethod;
  /** `{query}`, `{task}` and `{node}` stand for one that the client has heard of, or for one that does not exist. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Status codes that may answer it, besides 503. */
  readonly allowed: readonly number[];
}

function get(name: string, path: string, allowed: readonly number[] = [200], more: Partial<Inquiry> = {}): Inquiry {
  return { name, method: "GET", path, allowed, ...more };
}

/** A request that every node refuses with 400. */
function bad(name: string, method: HttpMethod, path: string, more: Partial<Inquiry> = {}): Inquiry {
  return { name, method, path, allowed: [400], ...more };
}

const sorts = ["createTime", "endTime", "user", "source", "state", "elapsedTime", "totalCpuTime"].flatMap((column) => [
  column,
  `-${column}`,
]);

const lists: readonly Inquiry[] = [
  ...sorts.map((sort) => get(`list sorted by ${sort}`, `/v1/query?sort=${sort}&limit=3`)),
  ...["1", "2", "100"].map((limit) => get(`list of ${limit}`, `/v1/query?limit=${limit}`)),
  get("list of finished and failed", "/v1/query?state=FINISHED,failed&limit=5"),
  get("list of running", "/v1/query?state=RUNNING"),
  get("list of a user", "/v1/query?user=u1&limit=4"),
  get("list of a source", "/v1/query?source=simulator&limit=4"),
  get("list of errors", "/v1/query?errorType=USER_ERROR,INTERNAL_ERROR&limit=9"),
  get("list of a search", "/v1/query?search=orders&limit=7&preview=20"),
  get("list of a search by user", "/v1/query?search=U1&limit=7"),
  get("list of a search for nothing", "/v1/query?search=no%20statement%20%5B.*&limit=7"),
  get("list without previews", "/v1/query?preview=0&pretty=true"),
  get("list after a query", "/v1/query?after={query}&limit=3", [200, 400, 404, 410]),
  get("list after a query, sorted", "/v1/query?after={query}&limit=2&sort=-elapsedTime", [200, 400, 404, 410]),
  get("list with empty parameters", "/v1/query?state=&user=&limit=&sort="),
  bad("list with a bad state", "GET", "/v1/query?state=SLEEPING"),
  bad("list with a bad error type", "GET", "/v1/query?errorType=OWN"),
  bad("list with a bad sort", "GET", "/v1/query?sort=-nothing"),
  bad("list with a bad limit", "GET", "/v1/query?limit=-1"),
  bad("list with a large limit", "GET", "/v1/query?limit=99999999999"),
  bad("list with a long search", "GET", `/v1/query?search=${"x".repeat(5_000)}`),
  bad("list with a bad preview", "GET", "/v1/query?preview=few"),
];

const documents: readonly Inquiry[] = [
  get("document of a query", "/v1/query/{query}?pretty", [200, 410]),
  get("document of a query again", "/v1/query/{query}", [200, 410]),
  get("document of an unknown query", "/v1/query/20200101_000000_00000_zzzzz", [410]),
  { name: "kill of an unknown query", method: "PUT", path: "/v1/query/20200101_000000_00000_zzzzz/killed", allowed: [410] },
  { name: "preemption of an unknown query", method: "PUT", path: "/v1/query/nothing/preempted", allowed: [410] },
  { name: "cancel of an unknown query", method: "DELETE", path: "/v1/query/20200101_000000_00000_zzzzz", allowed: [204] },
  bad("cancel of a stage without a number", "DELETE", "/v1/stage/20200101_000000_00000_zzzzz"),
  { name: "cancel of an unknown stage", method: "DELETE", path: "/v1/query/stage/20200101_000000_00000_zzzzz.1", allowed: [204] },
  { name: "cancel of a stage of a query", method: "DELETE", path: "/v1/stage/{query}.97", allowed: [204] },
  get("cluster", "/v1/cluster"),
  get("statistics of the interface", "/ui/api/stats?pretty"),
  get("queries of the interface", "/ui/api/query"),
  get("running queries of the interface", "/ui/api/query?state=running"),
  { name: "login of the interface", method: "POST", path: "/ui/login", allowed: [204] },
  get("resource groups", "/v1/resourceGroupState"),
  get("resource group", "/v1/resourceGroupState/global", [200, 404]),
  get("unknown resource group", "/v1/resourceGroupState/other", [404]),
  get("nodes", "/v1/node"),
  get("failed nodes", "/v1/node/failed"),
  get("services", "/v1/service/orrery"),
  get("services of a pool", "/v1/service/orrery/general"),
  get("services of another pool", "/v1/service/presto/other"),
  get("segment that is unknown", "/v1/spooled/download/nothing", [404, 410]),
  get("acknowledgement of an unknown segment", "/v1/spooled/ack/nothing", [200, 204, 404, 410]),
  get("unknown path", "/v1/nothing", [404]),
  { name: "method that a path does not have", method: "DELETE", path: "/v1/cluster", allowed: [404, 405] },
];

const nodes: readonly Inquiry[] = ([undefined, true] as const).flatMap((worker): readonly Inquiry[] => {
  const where = worker === undefined ? "coordinator" : "worker";
  const more = worker === undefined ? {} : { worker };
  return [
    get(`info of a ${where}`, "/v1/info?pretty", [200], more),
    get(`state of a ${where}`, "/v1/info/state", [200], more),
    get(`whether a ${where} is a coordinator`, "/v1/info/coordinator", worker === undefined ? [200] : [404], more),
    get(`liveness of a ${where}`, "/livez", [200], more),
    get(`readiness of a ${where}`, "/readyz", [200], more),
    get(`catalogs of a ${where}`, "/v1/catalog", [200], more),
    get(`nodes that a ${where} knows`, "/v1/node/failed?pretty", [200], more),
    bad(`state of a ${where} that is none`, "PUT", "/v1/info/state", { body: '"SLEEPING"', ...more }),
    bad(`state of a ${where} that cannot be set`, "PUT", "/v1/info/state", { body: '"ACTIVE"', ...more }),
    bad(`call of a catalog of a ${where} that is no JSON`, "POST", "/v1/catalog/memory/call", { body: "{", ...more }),
    bad(`call of a catalog of a ${where} that means nothing`, "POST", "/v1/catalog/memory/call", { body: '{"nothing":1}', ...more }),
    get(`call of a catalog of a ${where} that takes none`, "/v1/catalog/tpch/call", [404], { method: "POST", body: "{}", ...more }),
    get(`call of a catalog that a ${where} lacks`, "/v1/catalog/nothing/call", [404], { method: "POST", body: "{}", ...more }),
  ];
});

const coordinatorState = bad("shutdown of the coordinator", "PUT", "/v1/info/state", { body: '"SHUTTING_DOWN"' });

const worker = { worker: true } as const;

const tasks: readonly Inquiry[] = [
  get("tasks of a worker", "/v1/task", [200], worker),
  get("task", "/v1/task/{task}", [200, 404], worker),
  get("status of a task", "/v1/task/{task}/status", [200, 404], worker),
  get("status of a task in another state", "/v1/task/{task}/status", [200, 404], {
    ...worker,
    headers: { "x-engine-current-state": "PLANNED", "x-engine-max-wait": "50ms" },
  }),
  get("status of a task in its state", "/v1/task/{task}/status", [200, 404], {
    ...worker,
    headers: { "x-engine-current-state": "RUNNING", "x-engine-max-wait": "50ms" },
  }),
  get("status of a task of a bad version", "/v1/task/{task}/status", [400, 404], {
    ...worker,
    headers: { "x-engine-current-version": "new", "x-engine-max-wait": "50ms" },
  }),
  get("status of a task after a bad wait", "/v1/task/{task}/status", [400, 404], { ...worker, headers: { "x-engine-max-wait": "soon" } }),
  get("unknown task", "/v1/task/20200101_000000_00000_zzzzz.0.0", [404], worker),
  get("rows of an unknown task", "/v1/task/20200101_000000_00000_zzzzz.0.0/results/0/0", [404], worker),
  get("acknowledgement of an unknown task", "/v1/task/20200101_000000_00000_zzzzz.0.0/results/0/0/acknowledge", [404], worker),
  get("rows of a bad token", "/v1/task/{task}/results/0/first", [400, 404], worker),
  get("acknowledgement of a bad buffer", "/v1/task/{task}/results/none/0/acknowledge", [400, 404], worker),
  {
    name: "end of an unknown task",
    worker: true,
    method: "DELETE",
    path: "/v1/task/20200101_000000_00000_zzzzz.0.7",
    allowed: [404, 410, 204, 200],
  },
  {
    name: "close of a buffer of an unknown task",
    worker: true,
    method: "DELETE",
    path: "/v1/task/20200101_000000_00000_zzzzz.0.0/results/0",
    allowed: [404],
  },
  ...[
    ["no JSON", "{", [400]],
    ["no request", "[]", [400]],
    ["fields of another type", '{"session":7,"sources":"all"}', [400]],
    [
      "a fragment that is none",
      '{"session":{"user":"u1"},"extraCredentials":{},"fragment":{"id":0},"sources":[],"outputIds":{}}',
      [400, 404],
    ],
  ].map(
    ([what, body, allowed]): Inquiry => ({
      name: `task made of ${what as string}`,
      worker: true,
      method: "POST",
      path: "/v1/task/20200101_000000_00000_zzzzz.0.1",
      body: body as string,
      allowed: allowed as readonly number[],
    }),
  ),
  ...[
    ["without a fragment", "/v1/task/20200101_000000_00000_zzzzz.0.1", [404, 410]],
    ["of a bad id", "/v1/task/nothing", [400, 404]],
  ].map(
    ([what, path, allowed]): Inquiry => ({
      name: `task ${what as string}`,
      worker: true,
      method: "POST",
      path: path as string,
      body: '{"session":{"user":"i","timeZone":"UTC","startMillis":0,"properties":{}},"sources":[],"outputIds":{"kind":"BROADCAST","bufferCount":1}}',
      allowed: allowed as readonly number[],
    }),
  ),
];

function announced(nodeId: string, environment: string, services: string): string {
  return `{"environment":"${environment}","nodeId":"${nodeId}","services":[${services}]}`;
}

/** The service of a worker that a request tells of; each bad announcement is wrong in one way. */
const strange = '{"id":"1","type":"orrery","properties":{"http":"http://stranger:8080","node_version":"1","coordinator":"false"}}';

const announcements: readonly Inquiry[] = [
  bad("announcement that is no JSON", "PUT", "/v1/announcement/stranger", { body: "{" }),
  bad("announcement of another node", "PUT", "/v1/announcement/stranger", { body: announced("other", "production", strange) }),
  bad("announcement without an address", "PUT", "/v1/announcement/stranger", { body: announced("stranger", "production", "") }),
  bad("announcement of another cluster", "PUT", "/v1/announcement/stranger", { body: announced("stranger", "elsewhere", strange) }),
  bad("announcement of a bad name", "PUT", "/v1/announcement/-", { body: announced("-", "production", strange) }),
  {
    name: "announcement of the coordinator",
    method: "PUT",
    path: "/v1/announcement/c",
    body: announced(
      "c",
      "production",
      '{"id":"1","type":"orrery","properties":{"http":"http://stranger:80","node_version":"1","coordinator":"false"}}',
    ),
    allowed: [409],
  },
  {
    name: "announcement of a stranger of few words",
    method: "PUT",
    path: "/v1/announcement/stranger",
    body: announced("stranger", "production", strange),
    allowed: [200, 202],
  },
  bad("announcement of an address with a path", "PUT", "/v1/announcement/stranger", {
    body: announced(
      "stranger",
      "production",
      '{"id":"1","type":"orrery","properties":{"http":"http://stranger:80/x?y","node_version":"1","coordinator":"false"}}',
    ),
  }),
  { name: "withdrawal of nobody", method: "DELETE", path: "/v1/announcement/stranger", allowed: [204] },
];

const catalogs: readonly Inquiry[] = [
  { name: "new catalog without a body", method: "POST", path: "/v1/catalog", body: "", allowed: [400, 409] },
  { name: "new catalog that is no catalog", method: "POST", path: "/v1/catalog", body: '{"catalogName":7}', allowed: [400, 409] },
  ...[
    ["of a known name", "memory", "memory", "{}", [400, 409]],
    ["of a bad name", "Bad-Name!", "tpch", "{}", [400, 409]],
    ["of an unknown connector", "strange", "nothing", "{}", [400, 409]],
    ["with an unknown property", "strange", "tpch", '{"tpch.nothing":"1"}', [400, 409]],
    ["with a property of a connector that has none", "strange", "testing", '{"a":"1"}', [400, 409]],
  ].map(
    ([what, name, connector, properties, allowed]): Inquiry => ({
      name: `new catalog ${what as string}`,
      method: "POST",
      path: "/v1/catalog",
      body: `{"catalogName":"${name as string}","connectorName":"${connector as string}","properties":${properties as string}}`,
      allowed: allowed as readonly number[],
    }),
  ),
  { name: "end of a static catalog", method: "DELETE", path: "/v1/catalog/tpch", allowed: [400, 409] },
  { name: "end of an unknown catalog", method: "DELETE", path: "/v1/catalog/nothing", allowed: [400, 404, 409] },
  ...[
    ["that is no assignment", "strange", "{", [400, 409]],
    ["of the configuration", "tpch", '{"connectorName":"tpch","properties":{},"version":"1"}', [409]],
    ["of an unknown connector", "strange", '{"connectorName":"nothing","properties":{},"version":"1"}', [400, 409]],
  ].map(
    ([what, name, body, allowed]): Inquiry => ({
      name: `assigned catalog ${what as string}`,
      worker: true,
      method: "PUT",
      path: `/v1/catalog/${name as string}`,
      body: body as string,
      allowed: allowed as readonly number[],
    }),
  ),
  {
    name: "end of an assigned catalog of the configuration",
    worker: true,
    method: "DELETE",
    path: "/v1/catalog/tpch",
    allowed: [400, 409],
  },
  { name: "end of an assigned catalog that is unknown", worker: true, method: "DELETE", path: "/v1/catalog/nothing", allowed: [204, 409] },
];

const statements: readonly Inquiry[] = [
  bad("empty statement", "POST", "/v1/statement", { body: "  " }),
  bad("statement with a prepared one that does not parse", "POST", "/v1/statement", {
    body: "SELECT 1",
    headers: { "x-presto-user": "i", "x-presto-prepared-statement": "p=SELEC" },
  }),
  bad("statement of a bad id", "PUT", "/v1/statement/No-Id?slug=abc", { body: "SELECT 1" }),
  bad("statement without a slug", "PUT", "/v1/statement/20200101_000000_00000_zzzzz", { body: "SELECT 1" }),
  bad("statement with a bad slug", "PUT", "/v1/statement/20200101_000000_00000_zzzzz?slug=%20", { body: "SELECT 1" }),
  bad("statement with a bad session", "POST", "/v1/statement", {
    body: "SELECT 1",
    headers: { "x-presto-user": "i", "x-presto-session": "a" },
  }),
  get("rows of an unknown statement", "/v1/statement/20200101_000000_00000_zzzzz/0?slug=x", [404]),
  get("rows of a statement without a slug", "/v1/statement/{query}/0", [404]),
  { name: "heartbeat of an unknown statement", method: "HEAD", path: "/v1/statement/20200101_000000_00000_zzzzz/0?slug=x", allowed: [404] },
];

const inquiries: readonly Inquiry[] = [
  ...lists,
  ...documents,
  ...nodes,
  coordinatorState,
  ...tasks,
  ...announcements,
  ...catalogs,
  ...statements,
];

export const inquiryNames: readonly string[] = inquiries.map(({ name }) => name);

export function inquiryOf(name: string): Inquiry {
  const found = inquiries.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no inquiry is called '${name}'`);
  }
  return found;
}
