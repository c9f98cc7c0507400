// What `orrery sim judge` asks of a client's program, for the programs beside this file (docs/clients.md).
//   runJob({ run, cancel }): `run(sql, onRow)` runs a statement in the one session of the program and calls `onRow` with each row;
//   `cancel(sql)` runs a statement, cancels it after its first row and resolves; absent if the client cannot cancel.

const cannot = 64;

export const server = {
  uri: process.env.ORRERY_URL,
  host: process.env.ORRERY_HOST,
  port: Number(process.env.ORRERY_PORT),
  user: process.env.ORRERY_USER,
  catalog: process.env.ORRERY_CATALOG,
  schema: process.env.ORRERY_SCHEMA,
};

function textOf(row) {
  return JSON.stringify(row, (_key, value) => {
    if (typeof value === "bigint") {
      return String(value);
    }
    if (value instanceof Map) {
      return Object.fromEntries(value);
    }
    if (ArrayBuffer.isView(value)) {
      return Buffer.from(value).toString("base64");
    }
    return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  });
}

// Rows that the statement may still lose are not printed: a program prints what its client delivered.
export async function runJob({ run, cancel, interrupt, session = true }) {
  const setup = JSON.parse(process.env.ORRERY_SETUP ?? "[]");
  const action = process.env.ORRERY_ACTION ?? "read";
  const changesSession = setup.some((sql) => /^(SET|RESET|USE|PREPARE|START|FIRST)/.test(sql));
  if (
    (action === "cancel" && cancel === undefined) ||
    (action === "interrupt" && interrupt === undefined) ||
    (changesSession && !session)
  ) {
    process.exit(cannot);
  }
  try {
    for (const sql of setup) {
      await run(sql, () => undefined);
    }
    if (action === "cancel") {
      await cancel(process.env.ORRERY_SQL);
    } else {
      if (action === "interrupt") {
        process.once("SIGINT", () => void Promise.resolve(interrupt()).finally(() => process.exit(130)));
      }
      const lines = [];
      await run(process.env.ORRERY_SQL, (row) => lines.push(`${textOf(row)}\n`));
      process.stdout.write(lines.join(""));
    }
  } catch (error) {
    process.stderr.write(`${error?.message ?? String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  process.exitCode = 0;
}
