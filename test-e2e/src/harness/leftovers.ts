import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What a run leaves behind: it is given a folder for temporary files, and a mark that its processes inherit. */
export class Leftovers implements Disposable {
  readonly #temporary = mkdtempSync(join(tmpdir(), 'kubechain-run-'));
  readonly #mark = `KUBECHAIN_TEST_RUN=${randomUUID()}`;

  /** For the environment of the run. */
  get env(): Record<string, string> {
    return { TMPDIR: this.#temporary, [this.#mark.split('=')[0] ?? '']: this.#mark.split('=')[1] ?? '' };
  }

  /**
   * Files, processes and ports (of `urls`) that are still there after a second, which the system may take for what was
   * killed; each as a line.
   */
  async of(urls: Iterable<string>): Promise<readonly string[]> {
    const all = [...urls];
    for (let tries = 0; ; tries++) {
      const open = await Promise.all(all.map(async (url) => ((await answers(url)) ? [url] : [])));
      const left = [...this.files(), ...this.processes(), ...open.flat()];
      if (left.length === 0 || tries === 20) return left;
      await delay(50);
    }
  }

  /** Paths in the folder for temporary files, of kubechain's and, of others', sockets and the like too. */
  files(): readonly string[] {
    return readdirSync(this.#temporary, { recursive: true, encoding: 'utf8' }).filter((path) => /kubechain/.test(path));
  }

  /** Linux only, as CI is. */
  processes(): readonly string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
          return env.includes(this.#mark) ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`] : [];
        } catch {
          // It has ended, or is not ours.
          return [];
        }
      });
  }

  [Symbol.dispose](): void {
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
