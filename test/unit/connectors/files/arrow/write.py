"""Writes the files of this folder with pyarrow, and rows.json with what they hold: python3 write.py"""
import datetime, decimal, json, uuid
import pyarrow as pa
import pyarrow.ipc as ipc

rows = {}


def shown(value):
    """As the test shows values: integers of any kind and decimals as texts, bytes in hexadecimal."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return str(value) if value != value or abs(value) == float("inf") else value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return [shown(part) for part in value.values()]
    if isinstance(value, (list, tuple)):
        return [shown(part) for part in value]
    return str(value)


def put(name, batches, held, stream=False, compression=None, **options):
    with pa.OSFile(name, "wb") as file:
        make = ipc.new_stream if stream else ipc.new_file
        with make(file, batches[0].schema, options=ipc.IpcWriteOptions(compression=compression, **options)) as writer:
            for batch in batches:
                writer.write_batch(batch)
    rows[name] = [[shown(value) for value in row] for row in held]


def batch(columns):
    return pa.RecordBatch.from_arrays([array for _, array, _ in columns], names=[name for name, _, _ in columns])


def held(columns):
    return list(zip(*[values for _, _, values in columns]))


def column(name, kind, values):
    return name, pa.array(values, kind), values


def number(value, digits):
    return decimal.Decimal(value).scaleb(-digits, decimal.Context(prec=80))


uuids = [uuid.UUID(int=n * 7919 + (n << 100)).bytes for n in range(3)]
micros = 1_700_000_000_123_456
scalars = [
    column("a", pa.bool_(), [True, None, False]),
    column("b", pa.int8(), [-128, None, 127]),
    column("c", pa.int16(), [-32768, 1, 32767]),
    column("d", pa.int32(), [-(2**31), None, 2**31 - 1]),
    column("e", pa.int64(), [-(2**63), 0, 2**63 - 1]),
    column("f", pa.uint8(), [0, None, 255]),
    column("g", pa.uint16(), [0, 7, 65535]),
    column("h", pa.uint32(), [0, None, 2**32 - 1]),
    column("i", pa.uint64(), [0, 7, 2**64 - 1]),
    column("j", pa.float16(), [1.5, None, -0.125]),
    column("k", pa.float32(), [0.25, float("inf"), float("nan")]),
    column("l", pa.float64(), [1e300, None, float("-inf")]),
    column("m", pa.decimal32(7, 2), [number(-9999999, 2), None, number(5, 2)]),
    column("n", pa.decimal64(15, 3), [number(-(10**15 - 1), 3), None, number(0, 3)]),
    column("o", pa.decimal128(10, 2), [number(-(10**10 - 1), 2), None, number(12, 2)]),
    column("p", pa.decimal128(38, 10), [number(-(10**38 - 1), 10), None, number(1, 10)]),
    column("q", pa.decimal256(38, 0), [number(-(10**38 - 1), 0), number(10**38 - 1, 0), None]),
    column("r", pa.string(), ["", None, "wörd 😀 of more than twelve bytes"]),
    column("s", pa.large_string(), ["x", "", None]),
    column("t", pa.string_view(), ["twelve bytes", None, "thirteen byte"]),
    column("u", pa.binary(), [b"\x00\xff", None, b""]),
    column("v", pa.binary_view(), [b"\x00" * 13, None, b"\x01"]),
    column("w", pa.binary(3), [b"abc", None, b"\x00\x01\x02"]),
    column("x", pa.date32(), [datetime.date(1600, 2, 29), None, datetime.date(2400, 12, 31)]),
    column("y", pa.date64(), [datetime.date(1969, 12, 31), None, datetime.date(2400, 12, 31)]),
    ("z", pa.ExtensionArray.from_storage(pa.uuid(), pa.array(uuids, pa.binary(16))), [one.hex() for one in uuids]),
    ("none", pa.nulls(3), [None] * 3),
]
moments = [
    column("t0", pa.time32("s"), [0, None, 86399]),
    column("t3", pa.time32("ms"), [0, 1, 86399999]),
    column("t6", pa.time64("us"), [0, None, 86399999999]),
    column("t9", pa.time64("ns"), [0, 1, 86399999999999]),
    column("s0", pa.timestamp("s"), [-1, None, micros // 10**6]),
    column("s3", pa.timestamp("ms"), [-1, None, micros // 1000]),
    column("s6", pa.timestamp("us"), [-1, None, micros]),
    column("s9", pa.timestamp("ns"), [-1, None, micros * 1000 + 789]),
    column("z3", pa.timestamp("ms", "Europe/Paris"), [-1, None, micros // 1000]),
    column("z9", pa.timestamp("ns", "+02:00"), [-1, None, micros * 1000 + 789]),
    column("d3", pa.duration("ms"), [-1, None, 86_400_000]),
    column("d6", pa.duration("us"), [-1, None, 86_400_000]),
    ("i", pa.array([pa.MonthDayNano([-1, 2, -3]), None, pa.MonthDayNano([1, -2, 10**15])]), [[-1, 2, -3], None, [1, -2, 10**15]]),
]
lists = [[1, None, 3], None, [], [4]]
structs = [{"x": 1, "y": ["a", None]}, None, {"x": None, "y": []}, {"x": 4, "y": None}]
nested = [
    column("l", pa.list_(pa.int64()), lists),
    column("ll", pa.large_list(pa.string()), [["a", None, ""], None, [], ["d"]]),
    column("fl", pa.list_(pa.int16(), 2), [[1, 2], None, [None, 3], [4, 5]]),
    ("v", pa.ListViewArray.from_arrays(pa.array([2, 0, 0, 1], pa.int32()), pa.array([1, 0, 2, 2], pa.int32()), pa.array([7, 8, 9])), [[9], [], [7, 8], [8, 9]]),
    column("s", pa.struct([("x", pa.int32()), ("y", pa.list_(pa.string()))]), structs),
    column("m", pa.map_(pa.string(), pa.float64()), [[("b", 1.0), ("a", None)], None, [], [("k", 2.5)]]),
    column("deep", pa.list_(pa.struct([("m", pa.map_(pa.int32(), pa.list_(pa.date32())))])), [[{"m": [(2, [datetime.date(2020, 1, 1)]), (1, None)]}, None], None, [], [{"m": None}]]),
    ("r", pa.RunEndEncodedArray.from_arrays(pa.array([1, 3, 4], pa.int16()), pa.array(["one", None, "two"])), ["one", None, None, "two"]),
    ("d", pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1], pa.int8()), pa.array(["no", "yes"])), ["yes", None, "no", "yes"]),
    ("ld", pa.ListArray.from_arrays(pa.array([0, 2, 2, 3, 3], pa.int32()), pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.uint16()), pa.array([10, 20]))), [[20, None], [], [10], []]),
]
members = [pa.array([1, None, 3], pa.int32()), pa.array(["a", "b"]), pa.array([[7], None], pa.list_(pa.int64()))]
dense = [[0, 1, None, None], [1, None, "b", None], [2, None, None, [7]], [0, 1, None, None], [0, None, None, None], [2, None, None, None]]
wide = [pa.array([1, 2, 3, None, 5, 6], pa.int8()), pa.array(["a", None, "c", "d", "e", "f"]).dictionary_encode(), pa.nulls(6)]
sparse = [[0, 1, None, None], [1, None, None, None], [1, None, "c", None], [0, None, None, None], [2, None, None, None], [1, None, "f", None]]
dense_array = pa.UnionArray.from_dense(pa.array([5, 9, 127, 5, 5, 127], pa.int8()), pa.array([0, 1, 0, 0, 1, 1], pa.int32()), members, ["n", "Tag", "l"], [5, 9, 127])
inner = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1.5, 2.5, None]), pa.array([True, False, True])], ["x", "X"])
unions = [
    ("d", dense_array, dense),
    ("s", pa.UnionArray.from_sparse(pa.array([0, 1, 1, 0, 2, 1], pa.int8()), wide), sparse),
    ("u", pa.ListArray.from_arrays(pa.array([0, 2, 2, 3, 3, 3, 3], pa.int32()), inner), [[[0, 1.5, None], [1, None, False]], [], [[0, None, None]], [], [], []]),
]
put("unions.arrow", [batch(unions)], held(unions))
put("unions-lz4.arrows", [batch(unions), batch(unions).slice(2, 3)], held(unions) + held(unions)[2:5], stream=True, compression="lz4")
put("unions-v4.arrow", [batch(unions)], held(unions), metadata_version=ipc.MetadataVersion.V4)
put("scalars.arrow", [batch(scalars)], held(scalars))
put("scalars-zstd.arrows", [batch(scalars), batch(scalars)], held(scalars) * 2, stream=True, compression="zstd")
put("moments-lz4.feather", [batch(moments)], held(moments), compression="lz4")
put("nested.arrow", [batch(nested)], held(nested))
put("nested-lz4.arrows", [batch(nested), batch(nested).slice(1, 2)], held(nested) + held(nested)[1:3], stream=True, compression="lz4")
long = [column("t", pa.string(), [("row %d " % (n % 10)) * 40 for n in range(600)]), column("n", pa.int64(), list(range(600)))]
put("long-lz4.arrow", [batch(long)], [], compression="lz4")


def encoded(values):
    texts = sorted(set(values))
    return pa.DictionaryArray.from_arrays(pa.array([texts.index(value) for value in values], pa.int8()), pa.array(texts))


parts = [["a", "b"], ["b", "c", "b"], ["b", "c", "d"]]
put("replaced.arrows", [pa.RecordBatch.from_arrays([encoded(part)], ["d"]) for part in parts], [[value] for part in parts for value in part], stream=True)
grown = [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]
deltas = [pa.RecordBatch.from_arrays([pa.DictionaryArray.from_arrays(pa.array([0, len(part) - 1], pa.int8()), pa.array(part))], ["d"]) for part in grown]
put("deltas.arrow", deltas, [[value] for part in grown for value in ("a", part[-1])], emit_dictionary_deltas=True)
with open("rows.json", "w") as file:
    json.dump(rows, file, ensure_ascii=False, separators=(",", ":"))
    file.write("\n")
