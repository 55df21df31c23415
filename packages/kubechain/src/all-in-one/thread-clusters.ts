import type { ThreadBeats } from '@kubechain/apiserver/watchdog';
import { failureOf } from './failure-of.ts';
import { startAllInOne, type AllInOne } from './start.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** The clusters of this thread, which another one starts and closes. */
export class ThreadClusters {
  readonly #say: (message: FromThread) => void;
  readonly #beats: ThreadBeats;
  readonly #clusters = new Map<number, Promise<AllInOne>>();

  /** @param beats of the event loop that they have in common */
  constructor(say: (message: FromThread) => void, beats: ThreadBeats) {
    this.#say = say;
    this.#beats = beats;
  }

  /** Says `ready`, and later `ended`. Does not reject. */
  async start({ id, logs, options }: Extract<ToThread, { kind: 'start' }>): Promise<void> {
    const onLog = (line: string): void => {
      this.#say({ kind: 'log', id, line });
    };
    const starting = startAllInOne(
      { ...options, ...(logs ? { onLog } : {}) },
      { watchdog: (endAfterMs) => this.#beats.forCluster(endAfterMs) },
    );
    this.#clusters.set(id, starting);
    try {
      const { caCertificate, dataDir, ended, kubeconfig, url } = await starting;
      this.#say({ kind: 'ready', id, facts: { url, kubeconfig, caCertificate, dataDir } });
      await ended;
      this.#say({ kind: 'ended', id });
    } catch (error) {
      this.#say({ kind: 'ended', id, failure: failureOf(error) });
    } finally {
      this.#clusters.delete(id);
    }
  }

  /** Once it runs. Its end is said when it is there. Does not reject: what goes wrong is told by `ended`. */
  async close(id: number): Promise<void> {
    const cluster = await this.#clusters.get(id)?.catch(() => undefined);
    await cluster?.close();
  }
}
