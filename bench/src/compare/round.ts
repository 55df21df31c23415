import type { Client } from '../requests/client.ts';
import { cost, type Cost } from '../requests/measure.ts';
import { calibrate } from './calibrate.ts';
import type { Contender } from './contender.ts';
import type { Operation } from './operations.ts';

/** What an operation cost a contender in one round. */
export interface Sample {
  readonly perSecond: number;
  /** Processor time of all its processes for one operation, in microseconds. */
  readonly micros: number;
  readonly byProcess: Cost['cpuMicros'];
  /** {@link micros} in units of the calibration loop, which ran just before and just after. */
  readonly units: number;
  /** Milliseconds that 99 of a hundred calls, or events, took at most. */
  readonly p99Ms: number;
}

/** A contender, and the connections to it, which stay open from round to round: handshakes are not what is measured. */
export interface Competing {
  readonly contender: Contender;
  readonly client: Client;
}

/** How long a round is, and what its objects are called. */
export interface RoundOptions {
  readonly milliseconds: number;
  /** The same for all contenders, another one in each round. */
  readonly run: string;
}

/** Measures one operation of one contender. */
export async function sample(
  { client, contender }: Competing,
  operation: Operation,
  { milliseconds, run }: RoundOptions,
): Promise<Sample> {
  const prepared = await operation.prepare(client, run);
  try {
    const unitBefore = calibrate();
    const latencies: number[] = [];
    const { cpuMicros, perSecond } = await cost(contender, () =>
      prepared.work(milliseconds, (ms) => latencies.push(ms)),
    );
    const unit = (unitBefore + calibrate()) / 2;
    const micros = [...cpuMicros.values()].reduce((sum, of) => sum + of, 0);
    latencies.sort((a, b) => a - b);
    const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
    return { perSecond, micros, byProcess: cpuMicros, units: micros / unit, p99Ms };
  } finally {
    prepared.close();
  }
}
