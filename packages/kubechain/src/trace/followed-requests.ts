import type { ProcessMessage, RequestMessage } from '@kubechain/apiserver/observe';
import { ProcessStream } from '../page/process-stream.ts';

/** A request by what each process has told of it. */
export type RequestParts = ReadonlyMap<string, RequestMessage>;

/** How long nothing must have been told before it is taken for everything: processes tell every 100 ms. */
const quietMs = 350;
const longestWaitMs = 3_000;
/** Those of a busy machine need seconds. A chain that has no sockets is not waited for. */
const openWithinMs = 20_000;

/** Requests that end while it listens, joined over the processes by audit id. */
export class FollowedRequests {
  readonly #streams: readonly ProcessStream[];
  readonly #byID = new Map<string, Map<string, RequestMessage>>();
  readonly #listeners = new Set<() => void>();
  #toldAt = 0;

  /** @param sockets of processes, by name */
  constructor(sockets: ReadonlyMap<string, string>) {
    this.#streams = [...sockets].map(
      ([name, path]) =>
        new ProcessStream(path, (line) => {
          this.#told(name, JSON.parse(line) as ProcessMessage);
        }),
    );
  }

  /** Resolves when all processes tell; to whether they do. */
  async open(): Promise<boolean> {
    const timeout = new Promise<false>((resolve) => setTimeout(resolve, openWithinMs, false).unref());
    const all = Promise.all(this.#streams.map(({ opened }) => opened)).then(() => true);
    return Promise.race([all, timeout]);
  }

  /** Requests one of whose parts is as asked, in the order of their beginnings. */
  those(wanted: (message: RequestMessage) => boolean): RequestParts[] {
    return [...this.#byID.values()]
      .filter((parts) => [...parts.values()].some(wanted))
      .sort((a, b) => beganAt(a) - beganAt(b));
  }

  /** Resolves when a request with this audit id has ended. */
  async heard(auditID: string): Promise<void> {
    while (!this.#byID.has(auditID))
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
  }

  /** Resolves when the processes have told of everything that has ended. */
  async settled(): Promise<void> {
    const beganAtMs = performance.now();
    for (;;) {
      const waitMs = Math.max(this.#toldAt, beganAtMs) + quietMs - performance.now();
      if (waitMs <= 0 || performance.now() - beganAtMs > longestWaitMs) return;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #told(process: string, message: ProcessMessage): void {
    if (message.kind !== 'request') return;
    this.#toldAt = performance.now();
    const parts = this.#byID.get(message.auditID) ?? new Map<string, RequestMessage>();
    this.#byID.set(message.auditID, parts);
    parts.set(process, message);
    for (const listener of this.#listeners) listener();
  }
}

function beganAt(parts: RequestParts): number {
  return Math.min(...[...parts.values()].map(({ startedMs }) => startedMs));
}
