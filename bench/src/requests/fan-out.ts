import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Took } from './measure.ts';
import { configMap, configMaps } from './objects.ts';

/** Who is to be told of what. */
export interface WatchedOptions {
  /** A label of its own for each set of watches: they are told of what has it. */
  readonly run: string;
  readonly watches: number;
}

/** How many creates the watches follow. */
export interface WritesOptions {
  readonly writes: number;
  /** How many are under way at once. */
  readonly writers: number;
  /** Told how long events took, from the moment that their create was sent. */
  readonly took?: Took;
}

/** Watches that are open, each over a connection of its own. */
export interface OpenWatches {
  /**
   * Creates what they are told of. Resolves to the number of events that came; an operation is one event that one
   * watch has received.
   * @throws TypeError when events are missing after four seconds
   */
  follow(options: WritesOptions): Promise<number>;
  close(): void;
}

/** Opens watches. */
export async function openWatches(client: Client, { run, watches }: WatchedOptions): Promise<OpenWatches> {
  let events = 0;
  let created = 0;
  let took: Took | undefined;
  /** When creates were sent, by what their names end with. */
  const sentMs: number[] = [];
  const name = Buffer.from(`"name":"watched-${run}-`);
  /** Of the first event in it: names that lie in two chunks are left out. */
  const tellOf = (chunk: Buffer, tell: Took): void => {
    const at = chunk.indexOf(name);
    if (at === -1) return;
    const index = /^(\d+)"/.exec(chunk.toString('latin1', at + name.length, at + name.length + 12))?.[1];
    const sent = index === undefined ? undefined : sentMs[Number(index)];
    if (sent !== undefined) tell(performance.now() - sent);
  };
  const streams = await Promise.all(
    Array.from({ length: watches }, async () => {
      const stream = await client.stream(`${configMaps}?watch=true&resourceVersion=0&labelSelector=watched%3D${run}`);
      stream.on('data', (chunk: Buffer) => {
        if (took !== undefined) tellOf(chunk, took);
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) events++;
      });
      stream.on('error', () => undefined);
      return stream;
    }),
  );
  return {
    follow: async ({ took: told, writers, writes }) => {
      took = told;
      const before = events;
      const until = created + writes;
      await Promise.all(
        Array.from({ length: writers }, async () => {
          while (created < until) {
            const index = created++;
            sentMs[index] = performance.now();
            await client.call(
              'POST',
              configMaps,
              configMap(`watched-${run}-${index}`).replace('"app":"bench"', `"watched":"${run}"`),
            );
          }
        }),
      );
      const expected = watches * writes;
      for (let waited = 0; events - before < expected && waited < 200; waited++) await delay(20);
      if (events - before !== expected) throw new TypeError(`${events - before} of ${expected} events came`);
      return expected;
    },
    close: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}

/** Opens watches, which follow a number of creates and are closed again; resolves to the number of events. */
export async function fanOut(client: Client, options: WatchedOptions & WritesOptions): Promise<number> {
  const watches = await openWatches(client, options);
  try {
    return await watches.follow(options);
  } finally {
    watches.close();
  }
}
