/**
 * The programs of this folder in one module, so that they are built as one file.
 */
export { runServer as server } from "./main.ts";
export { runWorker as worker } from "./worker-main.ts";
