import type { Measured } from '../requests/measure.ts';
import { processPSS } from '../start-up/process-usage.ts';
import { runChain } from '../start-up/run-chain.ts';

/** A server that takes part, with the administrator's certificate in `dataDir`/pki. */
export interface Contender extends Measured {
  readonly name: string;
  readonly dataDir: string;
  readonly port: number;
  /** From the start of its first process until it was ready, store included. */
  readonly readyMs: number;
  /** Proportional memory (PSS) of each of its processes now, in bytes. */
  memory(): ReadonlyMap<string, number>;
  /** Takes the processors from all of its processes while another one is measured; their clocks go on. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** How a chain is run. */
export interface ChainPlace {
  readonly dataDir: string;
  readonly port: number;
  /** Default: this one. */
  readonly checkout?: string;
  /** Store and servers in one process. Default false. */
  readonly allInOne?: boolean;
}

/** Starts the chain of a checkout. */
export async function startChain(
  name: string,
  { allInOne = false, checkout, dataDir, port }: ChainPlace,
): Promise<Contender> {
  const args = ['--secure-port', String(port), ...(allInOne ? ['--topology', 'all-in-one'] : [])];
  const chain = await runChain(dataDir, args, checkout === undefined ? {} : { checkout });
  const pids = [...chain.usage().keys()].map((process) => chain.pid(process));
  return {
    name,
    dataDir,
    port,
    readyMs: chain.readyMs,
    usage: () => chain.usage(),
    memory: () => new Map([...chain.usage().keys()].map((process) => [process, processPSS(chain.pid(process))])),
    ...pausing(pids),
    stop: () => chain.stop(),
  };
}

/** {@link Contender.pause} and {@link Contender.resume} of these processes, the ones that look after others first. */
export function pausing(pids: readonly number[]): Pick<Contender, 'pause' | 'resume'> {
  return {
    pause: () => {
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
    },
    resume: () => {
      for (const pid of pids.toReversed()) process.kill(pid, 'SIGCONT');
    },
  };
}
