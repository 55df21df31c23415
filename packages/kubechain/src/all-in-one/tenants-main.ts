import { flagSet, loggingFlags, runServerProcess, stringFlag } from '@kubechain/apiserver/options';

/** What kubechain sets when it starts the process of the tenants (tenants-process.ts). */
const tenantsFlags = flagSet('Tenants', {
  'tenants-listen': stringFlag('Where the process in front connects: `unix:PATH`, made with mode 0600.'),
  'tenants-folder': stringFlag('Where clients keep kubeconfigs of tenants; removed with them.'),
  'tenants-url': stringFlag('Of the chain, `https://host:port`.'),
  'chain-flags': stringFlag("The servers' flags, a list of texts as JSON.", '[]'),
});

await runServerProcess({
  name: 'tenants',
  description: 'Has the tenants of a chain of processes: a store and three servers for each, reached by its port.',
  flagSets: { tenants: tenantsFlags, logging: loggingFlags },
  run: async ({ values }, handle) => {
    const { runTenants } = await import('./run-tenants.ts');
    await runTenants(
      {
        listen: values.tenants['tenants-listen'],
        folder: values.tenants['tenants-folder'],
        url: values.tenants['tenants-url'],
        flags: JSON.parse(values.tenants['chain-flags']) as readonly string[],
      },
      handle,
    );
  },
});
