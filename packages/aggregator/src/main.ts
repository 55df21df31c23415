import { runServerProcess } from '@kubechain/apiserver/options';
import { flagSets } from './flags.ts';

await runServerProcess({
  name: 'aggregator',
  description:
    'Serves APIServices, proxies to extension API servers, and hands on everything else to the next process ' +
    'of the chain.',
  flagSets,
  run: async (flags, handle) => (await import('./server/run.ts')).run(flags, handle),
});
