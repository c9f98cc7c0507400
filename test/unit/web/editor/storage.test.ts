/** Tabs and history of the SQL editor in the browser's storage. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { History, matching } from "../../../../src/web/editor/history/history.ts";
import { type Children, keyOf, tableNodes, treeRows } from "../../../../src/web/editor/schema/schema-tree.ts";
import { changedTab, freeName, orderAt, type TabDocument, TabStore, type TextStorage } from "../../../../src/web/editor/tabs/tab-store.ts";

/** Refuses what does not fit, as browsers do. */
function storage(lengthMax = Number.POSITIVE_INFINITY): TextStorage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => {
      const others = [...entries].reduce((sum, [name, text]) => sum + (name === key ? 0 : name.length + text.length), 0);
      if (others + key.length + value.length > lengthMax) {
        throw new Error("QuotaExceededError");
      }
      entries.set(key, value);
    },
    removeItem: (key) => void entries.delete(key),
  };
}

const tab = (id: string, order: number, text = "SELECT 1"): TabDocument => ({
  id,
  name: id,
  text,
  order,
  properties: {},
  preparedStatements: {},
});

describe("tabs in the browser's storage", () => {
  it("come back in their order, whole", () => {
    const kept = storage();
    const whole = { ...tab("b", 1), catalog: "tpch", schema: "tiny", properties: { a: "1" }, preparedStatements: { p: "SELECT ?" } };
    new TabStore(kept).save(whole);
    new TabStore(kept).save(tab("a", 2));
    expect(new TabStore(kept).load()).toEqual([whole, tab("a", 2)]);
  });

  it("of two windows do not destroy each other", () => {
    const kept = storage();
    const [first, second] = [new TabStore(kept), new TabStore(kept)];
    first.save(tab("a", 0, "of the first window"));
    second.save(tab("b", 1, "of the second window"));
    first.save(tab("a", 0, "changed"));
    second.close(tab("b", 1, "of the second window"));
    expect(first.load().map(({ text }) => text)).toEqual(["changed"]);
    expect(first.takeClosed()?.text).toBe("of the second window");
    expect(first.takeClosed()).toBeUndefined();
  });

  it("survive entries that are broken, and say when there is no room", () => {
    const kept = storage(400);
    kept.setItem("orrery.editor.tab.x", "{broken");
    kept.setItem("orrery.editor.tab.y", '{"id":1}');
    kept.setItem("other", "x");
    const store = new TabStore(kept);
    expect(store.load()).toEqual([]);
    expect(store.save(tab("a", 0))).toBe(true);
    expect(store.save(tab("b", 0, "x".repeat(1000)))).toBe(false);
    expect(store.load()).toEqual([tab("a", 0)]);
    expect(new TabStore(storage()).save(tab("c", 0, "x".repeat(1_000_001)))).toBe(false);
  });

  it("tell of changes in other windows", () => {
    expect(changedTab("orrery.editor.tab.a", JSON.stringify(tab("a", 3)))).toEqual({ id: "a", tab: tab("a", 3) });
    expect(changedTab("orrery.editor.tab.a", null)).toEqual({ id: "a", tab: undefined });
    expect(changedTab("orrery.theme", "dark")).toBeUndefined();
    expect(changedTab(null, null)).toBeUndefined();
  });

  it("any move puts a tab where it was put", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 8 }), fc.nat(), (orders, anywhere) => {
        const others = orders.sort((a, b) => a - b).map((order) => tab(`t${order}`, order));
        const index = anywhere % (others.length + 1);
        const moved = tab("moved", orderAt(others, index));
        const shown = [...others, moved].sort((a, b) => a.order - b.order);
        expect(shown.indexOf(moved)).toBe(index);
      }),
    );
    expect(freeName([tab("Query 1", 0), tab("Query 3", 0)])).toBe("Query 2");
  });
});

describe("history in the browser's storage", () => {
  const entry = (sql: string, startedMs: number) => ({ sql, startedMs, state: "finished" });

  it("is newest first, bounded by number and size, and shared by windows", () => {
    const kept = storage();
    const [first, second] = [new History(kept), new History(kept)];
    for (let at = 0; at < 300; at++) {
      first.add(entry(`SELECT ${at}`, at));
      second.add(entry(`SELECT -${at}`, at));
    }
    expect(first.entries()).toHaveLength(500);
    expect(first.entries()[0]?.sql).toBe("SELECT -299");
    for (let at = 0; at < 30; at++) {
      first.add(entry("x".repeat(90_000), at));
    }
    expect(kept.getItem("orrery.editor.history")?.length).toBeLessThanOrEqual(1_000_000);
    expect(first.entries().length).toBeGreaterThan(5);
    first.add(entry("y".repeat(100_001), 0));
    expect(first.entries()[0]?.sql.startsWith("x")).toBe(true);
    first.clear();
    expect(second.entries()).toEqual([]);
  });

  it("is empty if it cannot be read", () => {
    const kept = storage();
    kept.setItem("orrery.editor.history", "{");
    expect(new History(kept).entries()).toEqual([]);
    kept.setItem("orrery.editor.history", '[{"sql":1}, null, {"sql":"SELECT 1","startedMs":1,"state":"failed"}]');
    expect(new History(kept).entries()).toHaveLength(1);
  });

  it("finds statements by words in any order", () => {
    const entries = [entry("SELECT a FROM Nation", 1), entry("SELECT b", 2)];
    expect(matching(entries, "nation select")).toEqual([entries[0]]);
    expect(matching(entries, " ")).toEqual(entries);
  });
});

describe("schema browser", () => {
  it("shows what is open, what is being fetched and what failed", () => {
    const roots = [{ path: ["files"], kind: "catalog" as const, name: "files" }];
    const tables = tableNodes(
      ["files", "default"],
      [
        { name: "sales", kind: "BASE TABLE" },
        { name: "recent", kind: "VIEW" },
      ],
    );
    const schema = { path: ["files", "default"], kind: "schema" as const, name: "default" };
    const children = new Map<string, Children>([
      [keyOf(["files"]), [schema]],
      [keyOf(schema.path), tables],
      [keyOf(["files", "default", "sales"]), { failure: "Access Denied" }],
    ]);
    const open = new Set([["files"], schema.path, ["files", "default", "sales"], ["files", "default", "recent"]].map(keyOf));
    const rows = treeRows({ roots, open, children, filter: "" });
    expect(rows.map(({ node, level, message }) => [node.name, level, message])).toEqual([
      ["files", 1, undefined],
      ["default", 2, undefined],
      ["sales", 3, "Access Denied"],
      ["recent", 3, "Loading…"],
    ]);
    expect(treeRows({ roots, open, children, filter: "REC" }).map(({ node }) => node.name)).toEqual(["files", "default", "recent"]);
    expect(treeRows({ roots, open: new Set(), children, filter: "" })).toHaveLength(1);
  });
});
