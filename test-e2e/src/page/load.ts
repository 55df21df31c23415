import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { Chain } from '../harness/chain.ts';
import { pidOf } from '../harness/process-of.ts';

const servers = ['aggregator', 'kube-apiserver', 'apiextensions'] as const;
const ticksPerSecond = 100;

/** Asks a chain for the same object again and again, over many connections at once. */
export class Load {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #connections: number;

  constructor(chain: Chain, path: string, connections = 16) {
    const read = (name: string): string => readFileSync(join(chain.dataDir, 'pki', name), 'utf8');
    this.#url = chain.url + path;
    this.#connections = connections;
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: connections,
      ca: read('ca.crt'),
      cert: read('admin.crt'),
      key: read('admin.key'),
    });
  }

  /**
   * Resolves when so many have been answered, to how long that took, ms. 503, which a server gives that has not had the
   * processor for seconds, is asked again.
   * @throws Error for any other answer that is not 200
   */
  async run(requests: number): Promise<number> {
    const startedAt = performance.now();
    let left = requests;
    const worker = async (): Promise<void> => {
      while (left-- > 0) while ((await this.#get()) === 503);
    };
    await Promise.all(Array.from({ length: this.#connections }, worker));
    return performance.now() - startedAt;
  }

  close(): void {
    this.#agent.destroy();
  }

  #get(): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = request(this.#url, { agent: this.#agent }, (response) => {
        response.resume();
        response.once('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode === 200 || statusCode === 503) resolve(statusCode);
          else reject(new Error(`answered ${statusCode}`));
        });
      });
      call.once('error', reject);
      call.end();
    });
  }
}

/** Processor seconds that the servers of a chain have used since they began. */
export function processorSeconds(chain: Chain): number {
  return servers
    .map((name) => {
      const stat = readFileSync(`/proc/${pidOf(chain.dataDir, name)}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    })
    .reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * What rounds with something use of what rounds without it use. What other programs do to the processor's caches adds
 * up to some tens of percent to a round: the least of several counts, or, where one was lucky, the one in the middle.
 * @param seconds of a processor, of as many rounds on either side
 */
export function costRatio(withIt: readonly number[], without: readonly number[]): number {
  const at = (part: number) => (seconds: readonly number[]) =>
    seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length * part)] as number;
  return Math.min(...[at(0), at(0.5)].map((of) => of(withIt) / of(without)));
}
