import { runServerProcess } from '@kubechain/apiserver/options';
import { flagSets } from './flags.ts';

await runServerProcess({
  name: 'controllers',
  description:
    "Runs kube-controller-manager's controllers against an API server: what makes namespaces, owned objects, " +
    'service accounts, quotas and services behave.',
  flagSets,
  run: async (flags, handle) => (await import('./server/run.ts')).run(flags, handle),
});
