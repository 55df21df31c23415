/** Entry point `@kubechain/shared-storage/snapshots`: all that is stored, taken and put back. */
export { readSnapshot, serviceAccountKeyIn, SnapshotFileError, snapshotText } from './snapshot-file.ts';
export { restoreSnapshot, takeSnapshot } from './snapshot.ts';
export { writeAnew } from './write-anew.ts';
export type { RestoreResult, Snapshot } from './snapshot.ts';
