/**
 * Effects of the session's time zone: casts and functions without a zone, current time, and the error for an unknown zone (Presto's header
 * X-Presto-Time-Zone).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster();
}, 300_000);

afterAll(() => cluster.stop());

async function row(sql: string, zone: string, headers: Record<string, string> = { "x-engine-client-capabilities": "PARAMETRIC_DATETIME" }) {
  const asker = new Asker(cluster, { "x-engine-user": "zones", "x-engine-time-zone": zone, ...headers });
  const documents = await asker.chain(sql);
  const error = documents.at(-1)?.["error"] as { errorName: string; errorType: string; message: string } | undefined;
  const data = documents.flatMap((document) => (document["data"] ?? []) as unknown[][]);
  const columns = documents.at(-1)?.["columns"] as { type: string; typeSignature: unknown }[] | undefined;
  return { error, row: data[0], columns };
}

describe("a session's zone", () => {
  it("is the zone of moments that name none", async () => {
    const { row: cells } = await row(
      `SELECT CAST('2020-07-01 12:00' AS timestamp with time zone), CAST(TIMESTAMP '2020-03-08 02:30' AS timestamp(0) with time zone),
        CAST(DATE '2020-07-01' AS timestamp(0) with time zone), from_unixtime(0), from_iso8601_timestamp('2020-07-01T12:00:00'),
        from_iso8601_timestamp('2020-07-01T12:00:00Z'), parse_datetime('2020-01-01 05:00', 'yyyy-MM-dd HH:mm'), current_timezone(),
        TIMESTAMP '2020-07-01 12:00' AT TIME ZONE 'UTC', TIMESTAMP '2020-07-01 12:00' = TIMESTAMP '2020-07-01 16:00 UTC',
        try_cast('nonsense' AS timestamp with time zone)`,
      "America/New_York",
    );
    expect(cells).toEqual([
      "2020-07-01 12:00:00.000 America/New_York",
      "2020-03-08 03:30:00 America/New_York",
      "2020-07-01 00:00:00 America/New_York",
      "1969-12-31 19:00:00.000 America/New_York",
      "2020-07-01 12:00:00.000 America/New_York",
      "2020-07-01 12:00:00.000 UTC",
      "2020-01-01 05:00:00.000 America/New_York",
      "America/New_York",
      "2020-07-01 16:00:00 UTC",
      true,
      null,
    ]);
  });

  it("is the offset of times of day whose text names none, and refuses what its change of clocks leaves out", async () => {
    const zone = "Asia/Kolkata";
    const { row: cells } = await row(
      `SELECT CAST('10:00' AS time with time zone), CAST('10:00:00.123456789012' AS time(12) with time zone), CAST('10:00-08:00' AS time with time zone),
        CAST(ARRAY['10:00'] AS array(time(0) with time zone)), try_cast('24:00' AS time with time zone), CAST('2020-07-01 10:00 UTC' AS timestamp)`,
      zone,
    );
    const times = ["10:00:00.000+05:30", "10:00:00.123456789012+05:30", "10:00:00.000-08:00", ["10:00:00+05:30"], null];
    expect(cells).toEqual([...times, "2020-07-01 10:00:00.000"]);
    const illegal = "Illegal instant due to time zone offset transition (Europe/Paris)";
    const parsed = await row("SELECT parse_datetime('2020-03-29 02:30', 'yyyy-MM-dd HH:mm')", "Europe/Paris");
    expect(parsed.error).toMatchObject({ errorName: "INVALID_FUNCTION_ARGUMENT", message: `Cannot parse "2020-03-29 02:30": ${illegal}` });
    const iso = await row("SELECT from_iso8601_timestamp('2020-03-29T02:30')", "Europe/Paris");
    expect(iso.error).toMatchObject({ errorName: "INVALID_FUNCTION_ARGUMENT", message: `Cannot parse "2020-03-29T02:30": ${illegal}` });
  });

  it("is the zone of moments of more digits than microseconds have, of which old clients see three", async () => {
    const sql = `SELECT CAST('2020-07-01 12:00:00.123456789' AS timestamp(9) with time zone), CAST(TIMESTAMP '2020-07-01 12:00:00.123456789' AS timestamp(9) with time zone),
      from_iso8601_timestamp_nanos('2020-07-01T12:00:00.123456789'), CAST(CAST(TIME '12:00:00.123456789012' AS timestamp(12)) AS time(12)),
      CAST(CAST(TIME '12:00:00.123456789' AS timestamp(9) with time zone) AS time(9)), TIMESTAMP '2020-07-01 12:00:00.9996999',
      CAST(CAST(TIME '12:00:00.123456789+02:00' AS timestamp(9) with time zone) AS time(9))`;
    const all = await row(sql, "America/New_York");
    expect(all.row).toEqual([
      "2020-07-01 12:00:00.123456789 America/New_York",
      "2020-07-01 12:00:00.123456789 America/New_York",
      "2020-07-01 12:00:00.123456789 America/New_York",
      "12:00:00.123456789012",
      "12:00:00.123456789",
      "2020-07-01 12:00:00.9996999",
      "12:00:00.123456789",
    ]);
    const old = await row(sql, "America/New_York", {});
    expect(old.row?.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => "2020-07-01 12:00:00.123 America/New_York"));
    expect(old.row?.[5]).toBe("2020-07-01 12:00:01.000");
    expect(old.columns?.[5]).toMatchObject({ type: "timestamp" });
  });

  it("is the zone of moments inside of arrays, maps and rows", async () => {
    const sql = `SELECT CAST(ARRAY[TIMESTAMP '2020-07-01 12:00', NULL] AS array(timestamp(0) with time zone)),
      CAST(ARRAY['2020-07-01 12:00', '2020-07-01 12:00 UTC'] AS array(timestamp(0) with time zone)),
      CAST(MAP(ARRAY[DATE '2020-07-01'], ARRAY[ARRAY[TIMESTAMP '2020-07-01 12:00']]) AS map(timestamp(0) with time zone, array(timestamp(0) with time zone))),
      CAST(ROW(1, TIMESTAMP '2020-07-01 12:00', ROW(DATE '2020-01-01')) AS row(bigint, timestamp(0) with time zone, row(timestamp(0) with time zone))),
      TRY_CAST(ARRAY['2020-07-01 12:00', 'nonsense'] AS array(timestamp(0) with time zone)),
      CAST(CAST(ARRAY[TIME '12:00'] AS array(timestamp(0))) AS array(date)) = ARRAY[current_date],
      transform(ARRAY[ARRAY['2020-07-01 12:00']], x -> CAST(x AS array(timestamp(0) with time zone))[1] = TIMESTAMP '2020-07-01 16:00 UTC')`;
    const { row: cells, error } = await row(sql, "America/New_York");
    const noon = "2020-07-01 12:00:00 America/New_York";
    expect(error).toBeUndefined();
    expect(cells).toEqual([
      [noon, null],
      [noon, "2020-07-01 12:00:00 UTC"],
      { "2020-07-01 00:00:00 America/New_York": [noon] },
      [1, noon, ["2020-01-01 00:00:00 America/New_York"]],
      null,
      true,
      [true],
    ]);
    const { row: ofTables } = await row(
      `SELECT count_if(CAST(ARRAY[CAST(orderdate AS timestamp)] AS array(timestamp(0) with time zone))[1] > TIMESTAMP '1998-01-01 05:30 UTC'),
        count_if(orderdate >= DATE '1998-01-02') FROM tpch.tiny.orders`,
      "America/New_York",
    );
    expect(ofTables?.[0]).toBe(ofTables?.[1]);
  });

  it("is where rows of tables are, too", async () => {
    const { row: cells } = await row(
      `SELECT max(CAST(CAST(orderdate AS timestamp) AS timestamp(0) with time zone)), count_if(orderdate > TIMESTAMP '1998-01-01 05:30 UTC'),
        count_if(orderdate >= DATE '1998-01-02') FROM tpch.tiny.orders`,
      "America/New_York",
    );
    expect(cells?.[0]).toBe("1998-08-02 00:00:00 America/New_York");
    expect(cells?.[1]).toBe(cells?.[2]);
  });

  it("tells the time", async () => {
    const { row: cells } = await row(
      `SELECT now() = current_timestamp, CAST(now() AS timestamp) = localtimestamp, CAST(now() AS date) = current_date,
        CAST(now() AS time) = localtime,
        timezone_hour(now()), timezone_minute(current_time), CAST(TIME '10:00' AS time with time zone),
        CAST(CAST(TIME '10:00' AS timestamp) AS date) = current_date,
        date_diff('minute', CAST(now() AT TIME ZONE 'UTC' AS timestamp), localtimestamp)`,
      "Asia/Kolkata",
    );
    expect(cells).toEqual([true, true, true, true, 5, 30, "10:00:00.000+05:30", true, 330]);
  });

  it("is what SET TIME ZONE says until LOCAL gives the client's own back", async () => {
    const engine = new Asker(cluster, { "x-engine-user": "zones", "x-engine-time-zone": "Asia/Kolkata" });
    const set = await engine.ask("POST", "/v1/statement", "SET TIME ZONE 'America/New_York'");
    const told = async (answer: typeof set): Promise<string[]> => {
      const last = await engine.ask("GET", (JSON.parse(answer.text) as { nextUri: string }).nextUri);
      return ["set-session", "clear-session"].map((name) => String(last.headers[`x-engine-${name}`] ?? ""));
    };
    expect(await told(set)).toEqual(["time_zone_id=America%2FNew_York", ""]);
    const inSession = { "x-engine-session": "time_zone_id=America%2FNew_York" };
    expect(
      await engine.rows(
        "SELECT current_timezone(), CAST(TIMESTAMP '2020-07-01 12:00' AS timestamp with time zone) = TIMESTAMP '2020-07-01 16:00 UTC'",
        inSession,
      ),
    ).toEqual([["America/New_York", true]]);
    expect(await told(await engine.ask("POST", "/v1/statement", "SET TIME ZONE LOCAL", inSession))).toEqual(["", "time_zone_id"]);
    expect(await engine.rows("SELECT current_timezone()")).toEqual([["Asia/Kolkata"]]);
  });

  it("is rejected if it is unknown, by the query and not by the request", async () => {
    const { error } = await row("SELECT 1", "Mars/Base");
    expect(error).toMatchObject({
      errorName: "INVALID_SESSION_PROPERTY",
      errorType: "USER_ERROR",
      message: "Time zone not supported: Mars/Base",
    });
  });

  it("leaves type texts and digits to what the client can read", async () => {
    const sql = "SELECT TIMESTAMP '2020-07-01 12:00:00.123456 +05:30', TIME '12:00:00.123456', TIME '12:00:00.9999 -03:30', JSON '[1]'";
    const plain = await row(sql, "UTC", {});
    expect(plain.columns?.map(({ type }) => type)).toEqual(["timestamp with time zone", "time", "time with time zone", "json"]);
    expect(plain.row).toEqual(["2020-07-01 12:00:00.123 +05:30", "12:00:00.123", "12:00:01.000-03:30", "[1]"]);
    const full = await row(sql, "UTC");
    expect(full.columns?.map(({ type }) => type)).toEqual(["timestamp(6) with time zone", "time(6)", "time(4) with time zone", "json"]);
    expect(full.columns?.[0]?.typeSignature).toEqual({ rawType: "timestamp with time zone", arguments: [{ kind: "LONG", value: 6 }] });
    expect(full.row).toEqual(["2020-07-01 12:00:00.123456 +05:30", "12:00:00.123456", "12:00:00.9999-03:30", "[1]"]);
  });
});
