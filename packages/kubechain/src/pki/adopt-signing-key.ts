import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAccountKeyIn, SnapshotFileError } from '@kubechain/shared-storage/snapshots';
import { LaunchError } from '../launch-error.ts';
import { writePrivateFile } from './key-pair-files.ts';

/**
 * Gives a chain that is to begin with a snapshot the key that the tokens in it were signed with, unless it has one.
 * @param folder of its certificates and keys
 * @throws LaunchError when the text is no snapshot
 */
export function adoptSigningKey(folder: string, snapshot: string): void {
  const file = join(folder, 'sa.key');
  try {
    const key = serviceAccountKeyIn(snapshot);
    if (key === undefined || existsSync(file)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writePrivateFile(file, key);
  } catch (error) {
    throw error instanceof SnapshotFileError ? new LaunchError('Usage', error.message, { cause: error }) : error;
  }
}
