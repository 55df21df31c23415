import type { Measured } from '../requests/measure.ts';
import { runChain } from '../start-up/run-chain.ts';

/** A server that takes part, with the administrator's certificate in `dataDir`/pki. */
export interface Contender extends Measured {
  readonly name: string;
  readonly dataDir: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the chain of a checkout; the default is this one. */
export async function startChain(
  name: string,
  { checkout, dataDir, port }: { readonly dataDir: string; readonly port: number; readonly checkout?: string },
): Promise<Contender> {
  const chain = await runChain(dataDir, ['--secure-port', String(port)], checkout === undefined ? {} : { checkout });
  return { name, dataDir, port, usage: () => chain.usage(), stop: () => chain.stop() };
}
