import { once } from 'node:events';
import { seedOf } from '@kubechain/apimachinery';
import { Assembly } from '@kubechain/apiserver/assembly';
import { controlAddress, TenantsListener } from '@kubechain/apiserver/control';
import type { ProcessHandle } from '@kubechain/apiserver/options';
import { openHeapGauge } from '@kubechain/apiserver/servers';
import { EventLoopWatchdog } from '@kubechain/apiserver/watchdog';
import { readServerFlags } from '../chain/route-flags.ts';
import { readAllInOneFlags, serverFlags } from './assemble.ts';
import { Tenants } from './tenants.ts';

/** What the process of the tenants is told by the one that starts it. */
export interface TenantsProcessOptions {
  /** `unix:PATH` */
  readonly listen: string;
  readonly folder: string;
  readonly url: string;
  readonly flags: readonly string[];
}

/** Serves tenants to the process in front until the handle's signal aborts. @throws OptionsError, LaunchError */
export async function runTenants(options: TenantsProcessOptions, handle: ProcessHandle): Promise<void> {
  const { clock, randomness, signal } = handle;
  const assembly = new Assembly();
  try {
    const heap = openHeapGauge(assembly, clock);
    heap.start();
    const given = readServerFlags(options.flags, serverFlags);
    const endAfterMs = readAllInOneFlags(given, new Map()).aggregator.generic['watchdog-timeout'];
    const watchdog = assembly.open(
      'watchdog',
      () => new EventLoopWatchdog({ endAfterMs }),
      (opened) => opened.stop(),
    );
    watchdog.start();
    const tenants = assembly.open(
      'tenants',
      () =>
        new Tenants({
          folder: options.folder,
          url: options.url,
          clock,
          heap,
          watchdog,
          randomness,
          seed: seedOf(process.env),
          given,
          defaults: new Map(),
          signal,
        }),
      (opened) => opened.close(),
    );
    const listener = assembly.open(
      'listener',
      () => new TenantsListener(tenants, tenants.router),
      (opened) => {
        opened.close();
      },
    );
    await listener.listen(controlAddress(options.listen, 'tenants-listen'));
    handle.ready({});
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await assembly.close();
  }
}
