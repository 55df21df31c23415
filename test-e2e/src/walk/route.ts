/** Where the way stood, one after the other; from a debugger. */
export interface Place {
  /** Path of the source, below `packages`. */
  readonly file: string;
  readonly functionName: string;
  /** From 1 on. */
  readonly line: number;
}

/** A way through the files. */
export interface Route {
  /** Places at which the way has come into a file, in order. */
  readonly entries: readonly Place[];
  /** Files that it passes. */
  readonly files: number;
  /** How often it comes back into a file that it had left: at the end of a call, or for another call. */
  readonly returns: number;
}

/** The transport between processes, which other transports stand for. */
const link = /\/delegation\/link\//;
/**
 * Work of timers, and of others, that falls in between; and waiting for a turn, which a debugger makes necessary by
 * making each piece of work long.
 */
const beside =
  /\/(flowcontrol|files|process|watchdog|informers)\/|\/(request\/(turns|turn-queue|work-share)|wait\/fair-queue)\.ts$/;

/** The way of a request without its transport, up to the last place in a file that `until` matches. */
export function routeOf(places: readonly Place[], until: RegExp): Route {
  const own = places.filter(({ file }) => !link.test(file) && !beside.test(file));
  const entries = own
    .slice(0, own.findLastIndex(({ file }) => until.test(file)) + 1)
    .filter(({ file }, i, way) => file !== way[i - 1]?.file);
  const files = new Set(entries.map(({ file }) => file)).size;
  return { entries, files, returns: entries.length - files };
}
