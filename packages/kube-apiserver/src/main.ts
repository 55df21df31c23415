import { runServerProcess } from '@kubechain/apiserver/options';
import { flagSets } from './flags.ts';

await runServerProcess({
  name: 'kube-apiserver',
  description:
    'Serves every built-in Kubernetes resource over etcd, and hands on what it does not know to the next ' +
    'process of the chain.',
  flagSets,
  run: async (flags, handle) => (await import('./server/run.ts')).run(flags, handle),
});
