import { runServerProcess } from '@kubechain/apiserver/options';
import { flagSets } from './flags.ts';

await runServerProcess({
  name: 'apiextensions',
  description: 'Serves CustomResourceDefinitions and custom resources over etcd; the last server of the chain.',
  flagSets,
  run: async (flags, handle) => (await import('./server/run.ts')).run(flags, handle),
});
