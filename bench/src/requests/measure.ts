import type { ProcessUsage } from '../start-up/process-usage.ts';

/** Whose processes are measured. */
export interface Measured {
  /** What each of its processes has used by now, by name. */
  usage(): ReadonlyMap<string, ProcessUsage>;
}

/** What a number of operations cost. */
export interface Cost {
  readonly operations: number;
  readonly perSecond: number;
  /** Microseconds of processor time for each operation, by process. */
  readonly cpuMicros: ReadonlyMap<string, number>;
}

/** Runs `work`, which says how many operations it was, and reads what it cost each process. */
export async function cost(measured: Measured, work: () => Promise<number>): Promise<Cost> {
  const before = measured.usage();
  const startedMs = performance.now();
  const operations = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  const cpuMicros = new Map(
    [...measured.usage()].map(([name, { cpuMs }]) => [
      name,
      ((cpuMs - (before.get(name)?.cpuMs ?? 0)) * 1000) / operations,
    ]),
  );
  return { operations, perSecond: operations / seconds, cpuMicros };
}

/** `parallel` callers one call after the other, until the time is up. Resolves to the number of calls. */
export async function callFor(
  milliseconds: number,
  parallel: number,
  call: (index: number) => Promise<unknown>,
): Promise<number> {
  const deadline = performance.now() + milliseconds;
  let calls = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (performance.now() < deadline) await call(calls++);
    }),
  );
  return calls;
}

/** `count` calls, `parallel` at a time. */
export async function callAll(
  count: number,
  parallel: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  let calls = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (calls < count) await call(calls++);
    }),
  );
}

/** Told of milliseconds that something took. */
export type Took = (milliseconds: number) => void;

/** `call`, which tells how long it takes. */
export function timed(call: (index: number) => Promise<unknown>, took: Took): (index: number) => Promise<void> {
  return async (index) => {
    const startedMs = performance.now();
    await call(index);
    took(performance.now() - startedMs);
  };
}
