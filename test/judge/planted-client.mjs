// A client of the statement protocol that does everything right, unless PLANTED names a bug.
const bug = process.env.PLANTED ?? "";
const { ORRERY_URL: server, ORRERY_SQL: sql, ORRERY_ACTION: action } = process.env;
const session = {
  catalog: process.env.ORRERY_CATALOG,
  schema: process.env.ORRERY_SCHEMA,
  properties: new Map(),
  prepared: new Map(),
  roles: new Map(),
};
let current;
let stopped = false;

function headers() {
  const list = (map) => [...map].map(([name, value]) => `${name}=${value}`).join(",");
  return {
    ...(bug === "no-user" ? {} : { "x-trino-user": process.env.ORRERY_USER }),
    "x-trino-catalog": session.catalog,
    "x-trino-schema": session.schema,
    "x-trino-transaction-id": session.transaction ?? "NONE",
    ...(session.properties.size === 0 ? {} : { "x-trino-session": list(session.properties) }),
    ...(session.prepared.size === 0 ? {} : { "x-trino-prepared-statement": list(session.prepared) }),
    ...(session.roles.size === 0 ? {} : { "x-trino-role": list(session.roles) }),
  };
}

function keep(answer) {
  const get = (name) => answer.headers.get(`x-trino-${name}`);
  const pair = (text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
  if (bug === "ignores-session") {
    return;
  }
  session.catalog = get("set-catalog") ?? session.catalog;
  session.schema = get("set-schema") ?? session.schema;
  get("set-session")
    ?.split(",")
    .forEach((text) => session.properties.set(...pair(text)));
  session.properties.delete(get("clear-session"));
  get("added-prepare")
    ?.split(",")
    .forEach((text) => session.prepared.set(...pair(text)));
  session.prepared.delete(get("deallocated-prepare"));
  get("set-role")
    ?.split(",")
    .forEach((text) => session.roles.set(...pair(text)));
  session.transaction = get("started-transaction-id") ?? (get("clear-transaction-id") === null ? session.transaction : undefined);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(url, options = {}) {
  const isPost = options.method === "POST";
  for (let tries = 0; ; tries++) {
    let answer;
    let text;
    try {
      answer = await fetch(url, { ...options, headers: headers() });
      text = await answer.text();
    } catch (error) {
      if ((isPost && bug !== "repeats-submission") || tries > 5 || bug === "gives-up") {
        throw error;
      }
      continue;
    }
    if ([429, 502, 503, 504].includes(answer.status) && tries < 20 && bug !== "gives-up") {
      await pause(bug === "ignores-retry-after" ? 10 : Number(answer.headers.get("retry-after") ?? "0.02") * 1000);
      continue;
    }
    if (answer.status !== 200) {
      if (bug === "takes-status-for-end") {
        return { data: [] };
      }
      throw new Error(`status ${answer.status}`);
    }
    keep(answer);
    try {
      return bug === "breaks-digits" ? JSON.parse(text) : exact(text);
    } catch (error) {
      if (bug === "takes-cut-for-end") {
        return { data: [] };
      }
      throw error;
    }
  }
}

/** Numbers keep their own text, in quotes, outside of texts. */
function exact(text) {
  return JSON.parse(text.replaceAll(/("(?:[^"\\]|\\.)*")|(-?\d{16,}(?![\d.eE]))/g, (whole, quoted, number) => quoted ?? `"${number}"`));
}

async function run(statement, onRows) {
  let document = await ask(`${server}/v1/statement`, { method: "POST", body: statement });
  let rows = 0;
  for (;;) {
    current = document.nextUri;
    if (document.error !== undefined && bug !== "hides-failure") {
      throw new Error(document.error.message);
    }
    if (document.data?.length > 0) {
      rows += document.data.length;
      if (onRows(document.data) === "stop") {
        if (bug !== "leaves-query-running") {
          await fetch(current, { method: "DELETE", headers: headers() });
        }
        return;
      }
    } else if (bug === "stops-at-empty-page" && rows > 0) {
      return;
    }
    if (document.nextUri === undefined || (bug === "stops-when-finished" && document.stats?.state === "FINISHED")) {
      if (bug === "asks-after-end" && current === undefined && document.id !== undefined) {
        await fetch(`${server}/v1/statement/${document.id}/99`, { headers: headers() });
      }
      return;
    }
    const next = document.nextUri;
    if (bug === "invents-address") {
      document = await ask(next.replace(/\?.*/, ""));
      continue;
    }
    if (bug === "polls-in-parallel") {
      const [one] = await Promise.all([ask(next), ask(next).catch(() => undefined)]);
      document = one;
      continue;
    }
    if ((document.data?.length ?? 0) === 0 && bug !== "polls-without-pause") {
      await pause(50);
    }
    const before = document;
    document = await ask(next);
    if (bug === "asks-old-token" && before.token !== undefined) {
      await fetch(before.token, { headers: headers() });
    }
    document.token = next;
    if (bug === "counts-twice" && document.data?.length > 0 && rows > 0 && rows < 20) {
      onRows(document.data);
    }
    if (bug === "loses-last-rows" && document.nextUri === undefined) {
      document.data = undefined;
    }
  }
}

async function interrupted() {
  stopped = true;
  if (bug !== "leaves-query-running" && current !== undefined) {
    await fetch(current, { method: "DELETE", headers: headers() });
  }
  process.exit(130);
}

process.on("SIGINT", () => void interrupted());

try {
  for (const statement of JSON.parse(process.env.ORRERY_SETUP)) {
    await run(statement, () => undefined);
  }
  const lines = [];
  await run(sql, (rows) => {
    rows.forEach((row) => lines.push(JSON.stringify(row)));
    return action === "cancel" || stopped ? "stop" : undefined;
  });
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
} catch (error) {
  if (current !== undefined && bug !== "leaves-query-running") {
    await fetch(current, { method: "DELETE", headers: headers() }).catch(() => undefined);
  }
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
