import type { RestoreResult } from '@kubechain/shared-storage/snapshots';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ControlClient } from './control-client.ts';

/** What was saved. */
export interface SavedSnapshot {
  readonly name: string;
  readonly revision: number;
  readonly keys: number;
}

/** Name of the snapshot that is taken when a chain is ready. */
const startName = 'start';

/** All that the store holds, kept under names and put back. */
export class Snapshots {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** Keeps the state of now. A name that is taken gets the new state. */
  save(name: string): Promise<SavedSnapshot> {
    return this.#client.json('PUT', pathOf(name));
  }

  /**
   * Puts a state back. resourceVersions go on growing, and all watches end with 410, so that informers list again.
   * @throws LaunchError when there is none of this name
   */
  restore(name: string): Promise<RestoreResult> {
    return this.#client.json('POST', `${pathOf(name)}/restore`);
  }

  /** Brings a chain with a seed, which has just begun, into a state that is the same in each run. */
  async settle(): Promise<void> {
    await this.#client.json('POST', '/v1/settle');
  }

  /** Keeps the state that `reset` goes back to; done when the chain is ready. */
  async begin(): Promise<void> {
    await this.save(startName);
  }

  /** Puts the state back in which the chain was ready. */
  reset(): Promise<RestoreResult> {
    return this.restore(startName);
  }

  async list(): Promise<readonly string[]> {
    return (await this.#client.json<{ readonly snapshots: readonly string[] }>('GET', '/v1/snapshots')).snapshots;
  }

  /** Forgets it. @throws LaunchError when there is none of this name */
  async remove(name: string): Promise<void> {
    await this.#client.json('DELETE', pathOf(name));
  }

  /** A snapshot as text, a line of JSON for each key: to be committed and loaded elsewhere. */
  text(name: string): Promise<string> {
    return this.#client.text('GET', pathOf(name));
  }

  /**
   * As `text`, in a file for its owner alone: secrets are in it, and the key of service accounts, so that a chain that
   * begins with it knows their tokens.
   */
  async writeFile(name: string, file: string): Promise<void> {
    writeFileSync(file, await this.#client.text('GET', `${pathOf(name)}?serviceAccountKey=true`), { mode: 0o600 });
  }

  /** Puts the state of a file back. @throws LaunchError that names the line */
  load(file: string): Promise<RestoreResult> {
    return this.loadText(readFileSync(file, 'utf8'));
  }

  /** Puts back what `text` has told. @throws LaunchError that names the line */
  async loadText(text: string): Promise<RestoreResult> {
    return JSON.parse(await this.#client.text('POST', '/v1/restore', text)) as RestoreResult;
  }
}

function pathOf(name: string): string {
  return `/v1/snapshots/${encodeURIComponent(name)}`;
}
