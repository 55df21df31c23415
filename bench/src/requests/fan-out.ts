import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import { configMap, configMaps } from './objects.ts';

/** How many follow how many creates. */
export interface FanOutOptions {
  /** A label of its own for each run. */
  readonly run: string;
  readonly watches: number;
  readonly writes: number;
  /** How many creates are under way at once. */
  readonly writers: number;
}

/**
 * Watches follow a number of creates. Resolves to the number of events that came; an operation is one event that one
 * watch has received.
 * @throws TypeError when events are missing after four seconds
 */
export async function fanOut(client: Client, { run, watches, writers, writes }: FanOutOptions): Promise<number> {
  let events = 0;
  const streams = await Promise.all(
    Array.from({ length: watches }, async () => {
      const stream = await client.stream(`${configMaps}?watch=true&resourceVersion=0&labelSelector=watched%3D${run}`);
      stream.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) events++;
      });
      stream.on('error', () => undefined);
      return stream;
    }),
  );
  let write = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (write < writes)
        await client.call(
          'POST',
          configMaps,
          configMap(`watched-${run}-${write++}`).replace('"app":"bench"', `"watched":"${run}"`),
        );
    }),
  );
  for (let waited = 0; events < watches * writes && waited < 200; waited++) await delay(20);
  for (const stream of streams) stream.destroy();
  if (events !== watches * writes) throw new TypeError(`${events} of ${watches * writes} events came`);
  return events;
}
