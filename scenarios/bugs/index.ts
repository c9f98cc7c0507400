/**
 * The bug base: every real bug of the engine that the simulator found, as the smallest run that showed it. Each runs in the tests and must
 * not fail again. A new bug is a file of its own and an entry here.
 */
import type { Bug } from "./bug.ts";
import { blockedDriversUntold } from "./blocked-drivers-untold.ts";
import { abandonedWhileItWaits } from "./stores/abandoned-while-it-waits.ts";
import { canceledBeforeItsChange } from "./stores/canceled-before-its-change.ts";
import { descriptionReplacedWhileRead } from "./stores/description-replaced-while-read.ts";
import { executedQueryIsAWrite } from "./executed-query-is-a-write.ts";
import { foundSilentTooLate } from "./found-silent-too-late.ts";
import { pollsResumeAQueryTwice } from "./polls-resume-a-query-twice.ts";
import { handOverNotAskedAgain } from "./hand-over-not-asked-again.ts";
import { queryIdGivenTwice } from "./query-id-given-twice.ts";
import { halfOfTheHeartbeatsLost } from "./half-of-the-heartbeats-lost.ts";
import { peakOfARoutedQueryFalls } from "./peak-of-a-routed-query-falls.ts";
import { formerReaderClosesABuffer } from "./readers/former-reader-closes-a-buffer.ts";
import { pagesOfAFormerReader } from "./readers/pages-of-a-former-reader.ts";
import { readerThatLeftWithNothing } from "./readers/reader-that-left-with-nothing.ts";
import { slowReaderForgotten } from "./slow-reader-forgotten.ts";
import { spillFilesOfAFormerLife } from "./spill-files-of-a-former-life.ts";
import { spillFilesOutliveABadDisk } from "./spill-files-outlive-a-bad-disk.ts";
import { submissionRunTwice } from "./submission-run-twice.ts";
import { sumsThatFall } from "./sums-that-fall.ts";
import { taskOfAFormerCoordinator } from "./task-of-a-former-coordinator.ts";
import { taskOfOneWhoCameBack } from "./task-of-one-who-came-back.ts";
import { transactionEndedWhileItRuns } from "./transaction-ended-while-it-runs.ts";

export const bugs: readonly Bug[] = [
  peakOfARoutedQueryFalls,
  pagesOfAFormerReader,
  readerThatLeftWithNothing,
  spillFilesOutliveABadDisk,
  spillFilesOfAFormerLife,
  queryIdGivenTwice,
  sumsThatFall,
  foundSilentTooLate,
  slowReaderForgotten,
  taskOfOneWhoCameBack,
  submissionRunTwice,
  blockedDriversUntold,
  taskOfAFormerCoordinator,
  halfOfTheHeartbeatsLost,
  pollsResumeAQueryTwice,
  abandonedWhileItWaits,
  canceledBeforeItsChange,
  descriptionReplacedWhileRead,
  executedQueryIsAWrite,
  transactionEndedWhileItRuns,
  handOverNotAskedAgain,
  formerReaderClosesABuffer,
];
