import { createReadStream, existsSync, statSync, watchFile, unwatchFile } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { LaunchError } from '../launch-error.ts';
import { logNames } from './running-chain.ts';

export interface LogsOptions {
  readonly dataDir: string;
  /** One process; undefined: all, each line with its name. */
  readonly server: string | undefined;
  /** Goes on with what is written, until SIGINT or SIGTERM. */
  readonly follow: boolean;
  readonly write: (text: string) => void;
}

const LOOK_MS = 200;

/** Prints logs. */
export async function logs({ dataDir, follow, server, write }: LogsOptions): Promise<number> {
  const dir = locateDataDir(dataDir);
  const names = logNames(dir);
  if (names.length === 0) throw new LaunchError('Usage', `no logs in '${dir.logs}'`);
  if (server !== undefined && !names.includes(server))
    throw new LaunchError('Usage', `no log of '${server}': there are ${names.join(', ')}`);
  const shown = server === undefined ? names : [server];
  const writerOf = (name: string): typeof write => (server === undefined ? prefixed(name, write) : write);
  const followed = shown.map((name) => new Follower(join(dir.logs, `${name}.log`), writerOf(name)));
  for (const one of followed) await one.read();
  if (!follow) return 0;
  for (const one of followed) one.follow();
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  for (const one of followed) one.stop();
  return 0;
}

/** Writes what processes log from now on, each line with the name of its own; the result ends that. */
export function followLogs(
  folder: string,
  names: readonly string[],
  write: (text: string) => void,
): () => Promise<void> {
  const followed = names.map((name) => new Follower(join(folder, `${name}.log`), prefixed(name, write)));
  for (const one of followed) {
    void one.read();
    one.follow();
  }
  return async () => {
    for (const one of followed) {
      one.stop();
      await one.read();
    }
  };
}

function prefixed(name: string, write: (text: string) => void): (text: string) => void {
  return (text) => {
    write(text.replaceAll(/^(?=.)/gm, `${name.padEnd(15)} `));
  };
}

/** Reads whole lines of a file that grows, or is begun anew. */
class Follower {
  readonly #path: string;
  readonly #write: (text: string) => void;
  #offset = 0;
  #reading = Promise.resolve();

  constructor(path: string, write: (text: string) => void) {
    this.#path = path;
    this.#write = write;
  }

  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readMore());
    return this.#reading;
  }

  follow(): void {
    watchFile(this.#path, { interval: LOOK_MS }, () => void this.read());
  }

  stop(): void {
    unwatchFile(this.#path);
  }

  async #readMore(): Promise<void> {
    if (!existsSync(this.#path)) return;
    if (statSync(this.#path).size < this.#offset) this.#offset = 0;
    let text = '';
    for await (const chunk of createReadStream(this.#path, { start: this.#offset, encoding: 'utf8' }))
      text += String(chunk);
    const end = text.lastIndexOf('\n') + 1;
    this.#offset += Buffer.byteLength(text.slice(0, end));
    if (end > 0) this.#write(text.slice(0, end));
  }
}
