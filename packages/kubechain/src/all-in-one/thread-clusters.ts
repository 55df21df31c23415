import { join } from 'node:path';
import { OptionsError } from '@kubechain/apiserver/options';
import { isLaunchError } from '../launch-error.ts';
import { readCertificateFiles, type CertificateFiles } from '../pki/certificate-files.ts';
import { startAllInOne, type AllInOne } from './start.ts';
import type { Failure, FromThread, ToThread } from './thread-messages.ts';

/** The clusters of this thread, which another one starts and closes. */
export class ThreadClusters {
  readonly #say: (message: FromThread) => void;
  readonly #clusters = new Map<number, AllInOne>();
  /** Of the first cluster of a kind; the others have the same. Where the clock is moved, they last longer. */
  readonly #certificates = new Map<boolean, CertificateFiles>();

  constructor(say: (message: FromThread) => void) {
    this.#say = say;
  }

  /** Says `ready`, and later `ended`. Does not reject. */
  async start({ id, logs, options }: Extract<ToThread, { kind: 'start' }>): Promise<void> {
    const onLog = (line: string): void => {
      this.#say({ kind: 'log', id, line });
    };
    const moved = options.flags?.some((flag) => flag.startsWith('--control-listen')) ?? false;
    const certificates = this.#certificates.get(moved);
    try {
      const cluster = await startAllInOne({
        ...(certificates === undefined ? {} : { certificates }),
        ...options,
        ...(logs ? { onLog } : {}),
      });
      this.#clusters.set(id, cluster);
      if (certificates === undefined) this.#certificates.set(moved, readCertificateFiles(join(cluster.dataDir, 'pki')));
      const { caCertificate, dataDir, ended, kubeconfig, url } = cluster;
      this.#say({ kind: 'ready', id, facts: { url, kubeconfig, caCertificate, dataDir } });
      await ended;
      this.#say({ kind: 'ended', id });
    } catch (error) {
      this.#say({ kind: 'ended', id, failure: failureOf(error) });
    } finally {
      this.#clusters.delete(id);
    }
  }

  /** Its end is said when it is there. */
  close(id: number): void {
    // What goes wrong is told by `ended`.
    void this.#clusters.get(id)?.close();
  }
}

function failureOf(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new TypeError(String(error));
  const usersToMend = error instanceof OptionsError || isLaunchError(error);
  return usersToMend || stack === undefined ? { message } : { message, stack };
}
