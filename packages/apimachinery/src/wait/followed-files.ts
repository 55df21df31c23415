import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** Between two looks at the files (a stat each); whoever asks in between gets what was there. */
const lookMs = 5_000;

/** What some files are read into. */
export interface FollowedFilesOptions<T> {
  /** A function, where which files there are may change: it is asked at each look. What it throws: nothing is there. */
  readonly paths: readonly string[] | (() => readonly string[]);
  /** Reads them. What it throws at first is the caller's; later `onError` is told, and what was read before stays. */
  readonly read: () => T;
  /** Told when followers have what was read anew. */
  readonly onReload: (paths: readonly string[]) => void;
  /** Told of what `read` throws, or a follower. */
  readonly onError: (error: unknown, paths: readonly string[]) => void;
  /** Milliseconds of a clock that only goes forward. Default: performance.now. */
  readonly now?: () => number;
}

/**
 * What files hold, read again when they change: certificates and authorities are replaced while a server runs. Looks
 * when it is asked, at most every five seconds, so that it needs neither a timer nor an end; `follow` is for those who
 * must be told.
 */
export class FollowedFiles<T> {
  readonly #options: FollowedFilesOptions<T>;
  readonly #now: () => number;
  readonly #followers = new Set<(current: T) => void>();
  #stamps: readonly string[];
  #current: T;
  #lookedAtMs: number;

  /** @throws what `read` throws */
  constructor(options: FollowedFilesOptions<T>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    // Before it reads: what changes in between is seen at the next look (node:fs's watchFile would miss it).
    this.#stamps = stampsOf(pathsOf(options.paths));
    this.#current = options.read();
    this.#lookedAtMs = this.#now();
  }

  /** The same value, by identity, until the files change. */
  get current(): T {
    const nowMs = this.#now();
    if (nowMs - this.#lookedAtMs >= lookMs) {
      this.#lookedAtMs = nowMs;
      this.#look();
    }
    return this.#current;
  }

  /**
   * Looks every `intervalMs` and hands over what was read anew, whoever caused the look. Returns how to stop; does not
   * keep the process alive.
   */
  follow(onChange: (current: T) => void, intervalMs = lookMs): () => void {
    this.#followers.add(onChange);
    const timer = setInterval(() => {
      this.#look();
    }, intervalMs).unref();
    return () => {
      clearInterval(timer);
      this.#followers.delete(onChange);
    };
  }

  #look(): void {
    const { onError, onReload, read } = this.#options;
    const paths = pathsOf(this.#options.paths);
    const stamps = stampsOf(paths);
    // A file that is gone is about to be replaced.
    if (stamps.includes('') || isDeepStrictEqual(stamps, this.#stamps)) return;
    this.#stamps = stamps;
    try {
      this.#current = read();
      for (const onChange of this.#followers) onChange(this.#current);
      onReload(paths);
    } catch (error) {
      onError(error, paths);
    }
  }
}

function pathsOf(paths: FollowedFilesOptions<unknown>['paths']): readonly string[] {
  if (typeof paths !== 'function') return paths;
  try {
    return paths();
  } catch {
    return [''];
  }
}

/** What tells one state of each file from another; empty for a file that is not there. */
function stampsOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  });
}
