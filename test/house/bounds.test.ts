/**
 * Every constant that bounds the engine at run time is a knob (src/ports/knobs.ts), or is listed here with the reason why it is none.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, root } from "./sources.ts";

const rooms = ["coordinator", "worker", "monitor", "execution", "memory", "page", "planner", "connectors", "codegen"];
const bound = /^(?:export )?const ([A-Za-z0-9]*(?:Max|Min|Bytes|Rows|Limit|Size|Slots|Threshold|Ms))(?:: number)? = [^"';{[]*;$/gm;
/** Columns of generated tables, whose lengths and ranges are the data itself. */
const generators = /^connectors\/tpc(h|ds)\//;

/** `file: constants`, by the reason why they are no knobs. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  "layout of bytes in memory or on the wire": [
    "coordinator/results/cells/nested-cells.ts: slotBytes, scratchBytes",
    "execution/expressions/columns.ts: headerBytes, columnBytes, outputColumnBytes",
    "execution/expressions/prepare.ts: constantBytes",
    "execution/operators/window/aggregate-kernels.ts: controlBytes, treeBytes, levelsMax",
    "execution/operators/sort/page-merger.ts: cursorBytes",
    "execution/operators/sort/sort-rows.ts: entryBytes, histogramBytes",
    "execution/hash-table/row-store.ts: copySlackBytes",
    "execution/hash-table/group-table.ts: keyControlBytes, slotBytes",
    "execution/hash-table/group-range.ts: entryBytes",
    "memory/allocator.ts: linearMemoryBytesMax",
    "memory/spans.ts: spanUnitBytes, spanChunkBytes",
    "memory/webassembly.ts: wasmPageBytes",
    "memory/arena.ts: arenaAlignmentBytes, controlBlockBytes",
    "memory/blocks.ts: headerBytes, slabBlockBytesMax",
    "page/serde.ts: frameHeaderBytes, columnHeaderBytes",
    "connectors/blackhole/blackhole.ts: valueBytesMax",
    "connectors/files/parquet/conversions.ts: int64Max, intervalRowBytes",
    "connectors/files/parquet/chunk-pages.ts: idBytes",
    "connectors/files/parquet/nested/assembly.ts: levelMax, referenceBytes, sizeBytes",
    "connectors/files/parquet/kernels/runs.ts: runBitsMax",
    "connectors/files/lake/delta/deletion-vector.ts: arrayLengthMax, bitmapBytes",
    "connectors/files/lake/avro.ts: syncBytes",
    "connectors/files/text/sample.ts: byteOrderMarkBytes",
    "connectors/shared/object-store/cache-folder.ts: headerBytes",
    "connectors/files/zstd.ts: blockBytesMax, headerBytesMax",
    "connectors/files/write/compress/snappy.ts: distanceMax, copyBytesMax",
    "connectors/files/write/compress/zstd-literals.ts: codeBitsMax, symbolMax, literalsMin, streamsMin",
    "connectors/files/write/compress/zstd.ts: blockBytesMax, distanceMax, lengthMax",
    "connectors/files/write/parquet/levels.ts: runMin",
    "connectors/files/widening.ts: exactPowerMax",
    "connectors/memory/sketch.ts: rankMax",
    "codegen/library.ts: wordBytes",
  ],
  "estimate of memory by which an operator decides when it spills; the knob revocable-bytes decides before it": [
    "execution/hash-table/join-table.ts: tableRowBytes",
    "execution/operators/aggregation/group-states.ts: slackBytes",
    "execution/operators/aggregation/mark-distinct.ts: slackBytes",
    "execution/operators/sort/sorted-runs.ts: sortedRowBytes",
    "execution/spill/memory-revoker.ts: worthwhileBytesMin",
  ],
  "rows of one step of a spill, in a batch that the knob spill-batch-bytes cuts": [
    "execution/operators/aggregation/mark-distinct.ts: keysMax",
    "execution/operators/aggregation/spilled-groups.ts: groupsMax",
    "execution/operators/sort/sorted-runs.ts: sortedRowsMin",
    "execution/spill/spill-runs.ts: writingBytesMax, appendedRowsMax",
  ],
  "range of a type, or of a number in SQL": [
    "coordinator/results/cells/cell-writers.ts: numberScaleMax",
    "planner/analyzer/aggregation/grouping.ts: countedSetsMax, integerArgumentsMax, bigintArgumentsMax",
    "planner/analyzer/pattern/pattern-expressions.ts: offsetMax",
    "planner/analyzer/pattern/labels.ts: boundMax",
    "planner/analyzer/expression/literals.ts: bigintMax, integerMax",
    "planner/analyzer/scope/types.ts: fractionDigitsMax",
    "connectors/files/text/literals.ts: bigintMax, bigintMin, decimalDigitsMax",
    "connectors/files/text/moments.ts: fractionDigitsMax, offsetMinutesMax",
    "connectors/files/write/parquet/leaf-types.ts: nanosMin, nanosMax",
    "connectors/files/write/text/scalars.ts: realDigitsMax",
    "connectors/postgresql/stored-types.ts: fractionDigitsMax",
    "connectors/mysql/stored-types.ts: fractionDigitsMax, varcharLengthMax, charLengthMax",
    "connectors/mysql/dialect.ts: sortedLengthMax",
    "connectors/shared/remote/statement/types.ts: fractionDigitsMax",
    "connectors/system/jdbc-types.ts: lengthMax, zoneNameLengthMax",
    "codegen/validate.ts: offsetMax",
    "codegen/numeric.ts: i64Min, i64Max, i32Min, i32Max",
  ],
  "limit that a user meets as an error, with its value in the message or the documentation": [
    "connectors/memory/memory.ts: replicationMax",
    "coordinator/listing/list-parameters.ts: limitMax, searchLengthMax",
    "coordinator/query/transactions.ts: idleNanosMax, transactionsMax",
    "coordinator/groups/resource-groups.ts: queuedBytesMax",
    "coordinator/groups/resource-groups.ts: measureMs",
    "coordinator/results/statement-results.ts: pollWaitMsMax",
    "coordinator/results/result-size.ts: targetResultBytes, targetResultBytesMax",
    "coordinator/routing/cluster-network.ts: answerBytesMax",
    "worker/task-resource.ts: waitMsMax, resultsWaitMs",
    "worker/dynamic-catalogs.ts: dynamicCatalogsMax",
    "execution/operators/unique-id-operator.ts: tasksMax",
    "planner/plan/ids.ts: planNodesMax",
    "planner/plan/pattern-size.ts: patternSizeMax",
    "planner/analyzer/aggregation/grouping.ts: groupingSetsMax",
    "planner/analyzer/routine/call.ts: nestedMax, nodesMax, heightMax",
    "planner/analyzer/expression/calls.ts: functionArgumentsMax",
    "planner/analyzer/expression/structures.ts: arrayElementsMax, roundsMax",
    "planner/analyzer/subquery/outer-domain.ts: correlatedValuesMax",
    "planner/fragmenter/fragmenter.ts: stagesMax",
    "planner/session-properties.ts: recursionDepthMax",
    "connectors/blackhole/blackhole.ts: splitsMax, rowsMax",
    "connectors/files/folder.ts: depthMax, filesMax, foldersMax, searchedFoldersMax",
    "connectors/files/paths.ts: depthMax",
    "connectors/duckdb/types.ts: depthMax",
    "connectors/files/read-functions.ts: skipMax",
    "connectors/files/glob.ts: alternativesMax, patternLengthMax",
    "connectors/files/zstd.ts: windowBytesMax",
    "connectors/files/text/csv.ts: fieldsMax",
    "connectors/files/text/page-source.ts: recordBytesMax",
    "connectors/files/text/json-lines.ts: depthMax, keysMax",
    "connectors/files/text/json-shape.ts: rowFieldsMax, keysMax, depthMax",
    "connectors/files/text/column.ts: nestedBytesMax",
    "connectors/files/write/table-options.ts: partitionNameBytesMax",
    "connectors/files/write/writable-metadata.ts: nameLengthMax",
    "connectors/files/parquet/footer.ts: footerBytesMax",
    "connectors/files/parquet/thrift.ts: depthMax",
    "connectors/files/parquet/tree.ts: depthMax",
    "connectors/system/table-functions/sequence.ts: splitsMax",
    "codegen/interpreter.ts: callDepthMax",
    "codegen/host-work.ts: uncutStepsMax, heldBytesMax",
  ],
  "length of a text that is shown or kept for display": [
    "coordinator/listing/row-documents.ts: previewLengthMax",
    "coordinator/history/history-entry.ts: textLengthMax",
    "coordinator/history/history-detail.ts: detailLengthMax",
    "coordinator/query/query-wait.ts: namesMax",
    "planner/explain/print.ts: valuesShownMax",
    "connectors/files/text/column.ts: shownBytesMax",
    "connectors/files/metadata.ts: namedFilesMax",
    "connectors/files/text/rejects.ts: shownBytesMax",
  ],
  "rule of the protocol between nodes, which the checkers of retries, membership and tasks know": [
    "coordinator/scheduler/error-tracker.ts: failuresMin",
    "coordinator/scheduler/remote-task.ts: newIncarnationWaitMs",
    "execution/exchange/exchange-source.ts: requestTimeoutMs, failuresMin, deleteFailuresAfterEndMax",
    "monitor/discovery.ts: announcedNodesMax",
    "monitor/monitored-node.ts: failuresInARowMin, refusalsInARowMin, longHistoryMin",
    "worker/announcer.ts: backoffMsMin, withdrawTimeoutMs",
    "worker/task-registry.ts: tombstonesMax, waitingReadersMax",
    "coordinator/query/query-tracker.ts: forgottenIdsMax, sweepDelayMsMin",
    "coordinator/results/spooling/segment-store.ts: readsMax",
    "connectors/memory/part-reader.ts: attemptsMax, firstDelayMs",
    "connectors/memory/copies.ts: attemptsMax, againMs, answerMs, jobsMax",
    "connectors/memory/replication.ts: againMs",
    "connectors/memory/writes.ts: copyNodesMax",
    "connectors/memory/rejoining.ts: rejoinMs",
    "connectors/memory/catalog-journal.ts: readsMax, readAgainMs",
    "connectors/memory/kept-catalog.ts: statementsMax",
    "worker/catalogs.ts: handOverPollMs, handOverFailuresMax",
    "execution/spill/spill-folder.ts: againMs, attemptsMax",
    "coordinator/catalogs/catalog-store.ts: refusalsMax, retryMs",
    "node.ts: lingerMsMax, settleMs, queryPollMs",
    "coordinator/query/dispatcher.ts: closeWaitMs",
  ],
  "what is kept of queries that have ended; the checker of resources knows it, and query.max-history is drawn": [
    "coordinator/lifetime/history.ts: historyFactorMax, historyBytesMax",
    "coordinator/lifetime/unclaimed.ts: unclaimedMax, unclaimedBytesMax",
    "coordinator/resources/statement-resource.ts: lastBytesMax",
    "coordinator/history/query-history.ts: pendingMax",
    "coordinator/recovery/journal-records.ts: positionsMax",
    "coordinator/recovery/query-journal.ts: journaledBytesMax",
    "coordinator/history/history-index.ts: indexBytesMax",
    "coordinator/history/history-entry.ts: sessionsMax, entryBytes",
    "coordinator/lifetime/retained-bytes.ts: objectBytes, slotBytes, characterBytes, opaqueBytes, queryBytes, taskBytes, operatorBytes, driverBytes",
  ],
  "when the document of a task is first fetched: what is shown of a running query depends on it, and nothing else": [
    "coordinator/scheduler/remote-task.ts: firstInfoMs",
  ],
  "the value that a fault point sets, or a wait that only it or EXPLAIN ANALYZE has": [
    "coordinator/query/dispatcher.ts: admittedLateMs",
    "connectors/memory/catalog-journal.ts: lateMs",
    "coordinator/scheduler/remote-task.ts: lateMs",
    "coordinator/scheduler/query-scheduler.ts: analyzeWaitMs, settleWaitMs",
    "coordinator/scheduler/query-attempts.ts: forcedMax",
  ],
  "interval between two looks, of which query.low-memory-killer.delay is drawn": [
    "coordinator/limits/low-memory-killer.ts: lookMsMin, lookMsMax",
  ],
  "cost in a formula of the optimizer, beside a bound that is a knob": [
    "planner/optimizer/stats/stats-calculator.ts: unknownTableRows, averageTextBytes",
    "planner/optimizer/rules/dynamic-filters.ts: keptFractionMax",
    "planner/fragmenter/remote-dynamic-filters.ts: keptFractionOfManyMax, bitsSpanMax",
    "planner/fragmenter/share-subplans.ts: smallBytesMax",
    "planner/optimizer/rules/join/aggregate-before-join.ts: leftMax",
    "planner/optimizer/rules/join/join-before-aggregation.ts: leftMax",
    "planner/analyzer/query/recursion.ts: repeatedNodesMax",
    "planner/analyzer/subquery/computed-rows.ts: sizeMax",
    "execution/hash-table/join-table.ts: rangePerRowMax, rangeMax",
    "execution/hash-table/group-range.ts: rangePerRowMax, sparseRangePerRowMax, sparseRangeMax, rangeMax",
    "execution/dynamic-filter/key-bitmap.ts: bitsPerRowMax, bitsMax, hashBitsPerRowMin",
  ],
  "shape of generated code, which is shared by nodes": [
    "execution/expressions/lists.ts: listedMin",
    "execution/expressions/page-processor.ts: shortNodesMax",
    "codegen/size.ts: localsMax, valuesMax",
    "page/gather.ts: loopBytesMax",
    "coordinator/results/cells/json-bytes.ts: wordBytesMin",
    "connectors/memory/string-dictionary.ts: loopBytesMax",
    "codegen/host-work.ts: bytesPerStep",
  ],
  "capacity of buffers, which hold the largest page whatever the knob `page-rows` says": ["page/page.ts: pageRowsMax"],
  "size beyond which a cache, whose bound is a knob, is not used": ["coordinator/query/plan-cache.ts: statementLengthMax"],
  "growth beyond a first size that is a knob": [
    "memory/arena.ts: chunkGrowthBytesMax",
    "memory/spans.ts: ownBinProbesMax",
    "connectors/memory/string-dictionary.ts: blockBytesMax",
    "coordinator/results/cells/json-bytes.ts: initialBytes",
  ],
  "no simulated cluster reads files or databases; the tests of the connector choose their sizes": [
    "connectors/files/lake/deleted-rows.ts: entryBytes",
    "connectors/files/lake/delta/log.ts: filesMax",
    "connectors/files/text/rejects.ts: pageErrorsMax, pageBytesMax",
    "connectors/files/lake/types.ts: depthMax",
    "connectors/files/lake/iceberg/manifests.ts: filesMax",
    "connectors/files/lake/avro.ts: recordsMax, blockBytesMax, depthMax",
    "connectors/files/lake/lakes.ts: snapshotsMax, snapshotFilesMax",
    "connectors/faker/expressions.ts: lengthMax",
    "connectors/faker/patterns.ts: repeatsMax, repeatsGivenMax, depthMax",
    "connectors/faker/page-source.ts: pageRowsMax",
    "connectors/faker/faker.ts: rowsMax",
    "connectors/faker/columns.ts: longPrecisionMax",
    "connectors/files/write/store/store-commits.ts: attemptsMax, writesMax, foldersMax",
    "connectors/shared/object-store/s3-writer.ts: answerBytesMax, listedBytesMax, uploadsMax",
    "connectors/shared/object-store/object-store.ts: partBytesMin",
    "connectors/files/lake/catalog/rest-catalog.ts: bodyBytesMax, pagesMax, namesMax, namespacesMax, namespaceDepthMax, tokensMax",
    "connectors/files/lake/catalog/iceberg-connector.ts: sampleBytes, storagesMax, loadedMax",
    "connectors/shared/object-store/block-cache.ts: blockBytes, aheadBlocks",
    "connectors/shared/object-store/object-storage.ts: shortReadBytesMax, partBytes",
    "connectors/shared/object-store/cache-folder.ts: pageBytesMin, pauseMs, waitingBytesMax",
    "connectors/shared/object-store/file-cache.ts: logIntervalMs",
    "connectors/shared/object-store/locations.ts: partBytesMax, listedFilesMax, cachePageBytesMin, cachePageBytesMax",
    "connectors/shared/object-store/s3-store.ts: listedBytesMax, listedObjectsMax, messageLengthMax",
    "connectors/shared/object-store/store-client.ts: pauseMsMin, pauseMsMax, tokensMax",
    "connectors/shared/object-store/web-store.ts: pageBytesMax, linksMax",
    "connectors/shared/remote/page-source.ts: batchBytes, firstRows",
    "connectors/shared/open-page.ts: pageBytes",
    "connectors/shared/remote/pool.ts: idleMs",
    "connectors/shared/remote/sink.ts: statementCharacters, waitingBytesMax",
    "connectors/trino/address.ts: connectTimeoutMs",
    "connectors/mysql/address.ts: connectTimeoutMs",
    "connectors/mysql/dialect.ts: partsMax",
    "connectors/duckdb/dialect.ts: partsMax",
    "connectors/duckdb/duckdb.ts: memoryBytesMin",
    "connectors/sqlite/format/b-tree-page.ts: pointerBytes",
    "connectors/sqlite/format/b-tree.ts: depthMax",
    "connectors/sqlite/format/database-header.ts: databaseHeaderBytes, usableSizeMin, readVersionMax, schemaFormatMax",
    "connectors/sqlite/format/numbers.ts: safeVarintBytes",
    "connectors/sqlite/format/pager.ts: blockBytes, pagerBytes",
    "connectors/sqlite/format/write-ahead-log.ts: logHeaderBytes, frameHeaderBytes, framesMax, chunkBytes",
    "connectors/sqlite/page-source.ts: batchBytes, firstBatchBytes",
    "connectors/sqlite/schema.ts: entriesMax",
    "connectors/sqlite/splits.ts: splitsMax, depthMax",
    "connectors/files/text/table.ts: lineChunkBytes",
    "connectors/files/text/streams.ts: chunkBytes, compressedChunkBytes",
    "connectors/files/text/sample.ts: sampleChunkBytesMin",
    "connectors/files/text/dialect.ts: triedBytesMax, triedRecordsMax",
    "connectors/files/descriptions.ts: sampleBytesMin, knownFilesMax",
    "connectors/files/metadata.ts: filesOfStateMax",
    "connectors/files/parquet/footer.ts: tailBytes",
    "connectors/files/parquet/page-source.ts: nestedPageBytes, gapBytesMax, rangeBytesMax",
    "connectors/files/parquet/nested/assembly.ts: heldKeyBytes",
    "connectors/files/parquet/nested/vector.ts: shortBytes",
    "connectors/files/parquet/nested/map-keys.ts: insertedMax",
    "connectors/files/parquet/kernels/values.ts: miniblockValuesMax",
    "connectors/files/parquet/kernels/runs.ts: pairBitsMax",
    "connectors/files/parquet/kernels/zstd-scratch.ts: fseEntryBytes, literalsMax, zstdScratchBytes",
    "connectors/files/parquet/kernels/zstd-tables.ts: huffmanBitsMax, weightsLogMax, weightMax, symbolMax",
    "connectors/files/write/byte-buffer.ts: firstBytes",
    "connectors/files/write/description.ts: descriptionBytesMax",
    "connectors/files/write/parquet/bounds.ts: boundBytesMax",
    "connectors/files/write/parquet/leaf-values.ts: dictionaryBytesMax, dictionaryEntriesMax",
    "connectors/files/write/parquet/leaf-writer.ts: pageBytes, pageRows",
    "connectors/files/write/parquet/parquet-writer.ts: rowGroupRowsMax",
    "connectors/files/write/sink.ts: pieceBytesMin, sliceRows, waitingBytesMax, heldBytesMax",
    "connectors/files/write/staging.ts: lookedAtMax",
    "connectors/files/write/text/text-writer.ts: pieceBytes",
  ],
  "splits of generated tables: their number is drawn as `splitsPerNode`": [
    "connectors/shared/split-units.ts: unitsOfSplitMin, unitsOfSplitMax, splitsMax",
  ],
  "domains are simplified to their span; shorter lists are drawn by the knobs of listed rows": [
    "execution/dynamic-filter/filter-domain.ts: domainValuesMax, domainCharactersMax",
    "execution/dynamic-filter/integer-bits.ts: spanMax, encodedBytesMax, partsCharactersMax",
  ],
  "declared in docs/interface.md": ["planner/plan-query.ts: columnsMax"],
  "only limits how much is folded when a statement is planned": [
    "execution/expressions/evaluate.ts: constantStepsMax",
    "planner/constant-rows.ts: textMax",
    "planner/optimizer/rules/fold-constants.ts: knownMax, keyLengthMax, foldedTextMax",
  ],
  "what is counted for a call that needs no record": ["execution/expressions/register-hosts.ts: unrecordedStepsMax"],
  "sample of the lengths of strings, for statistics alone": ["execution/driver/stats.ts: stringSampleRows"],
  "bytes that a record of the journal may add to a query": ["coordinator/routing/routed-query.ts: heldBytesMax"],
  "holds the decimal text of a count": ["coordinator/results/statement-results.ts: updateCountBytesMax"],
};

function boundsOfTheEngine(): readonly string[] {
  const folder = join(root, "src");
  const files = [...rooms.flatMap((room) => filesBelow(join(folder, room))), join(folder, "node.ts")];
  return files.flatMap((file) => {
    const name = relative(folder, file);
    return generators.test(name) ? [] : [...readFileSync(file, "utf8").matchAll(bound)].map(([, constant]) => `${name}: ${constant}`);
  });
}

it("has no bound that is neither a knob nor listed with its reason", () => {
  const listed = Object.values(reasons)
    .flat()
    .flatMap((line) => {
      const [file = "", names = ""] = line.split(": ");
      return names.split(", ").map((name) => `${file}: ${name}`);
    });
  expect(listed.filter((entry, place) => listed.indexOf(entry) !== place)).toEqual([]);
  const found = boundsOfTheEngine();
  expect(found.filter((entry) => !listed.includes(entry))).toEqual([]);
  const files = new Map<string, string>();
  const text = (file: string): string => {
    const known = files.get(file) ?? readFileSync(join(root, "src", file), "utf8");
    files.set(file, known);
    return known;
  };
  const gone = listed.filter((entry) => {
    const [file = "", name = ""] = entry.split(": ");
    return !text(file).includes(`const ${name}`);
  });
  expect(gone).toEqual([]);
});
