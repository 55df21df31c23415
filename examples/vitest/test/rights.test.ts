// Functions that say whose a token is and what its owner may do, and that are told of everything.
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startTestEnvironment } from 'kubechain/testing';
import { expect, it } from 'vitest';
import { topologies } from './topologies.ts';

it.each(topologies)('lets Alice have what is hers: %s', async (topology) => {
  const audited: string[] = [];
  await using env = await startTestEnvironment({
    topology,
    authenticate: (token) => (token === 'of-alice' ? { username: 'alice', groups: ['sailors'] } : undefined),
    authorize: ({ user, resourceAttributes }) =>
      user === 'alice' && resourceAttributes?.resource === 'configmaps' ? 'Allow' : 'NoOpinion',
    audit: ({ objectRef, stage, user, verb }) => {
      if (user?.username === 'alice' && stage === 'ResponseComplete') audited.push(`${verb} ${objectRef?.resource}`);
    },
  });
  const { clusters, contexts, currentContext, users } = env.kubeConfig;
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters,
    contexts,
    currentContext,
    users: users.map(({ name }) => ({ name, token: 'of-alice' })),
  });
  const core = config.makeApiClient(CoreV1Api);
  await core.listNamespacedConfigMap({ namespace: 'default' });
  await expect(core.listNamespacedSecret({ namespace: 'default' })).rejects.toMatchObject({ code: 403 });
  expect(audited).toEqual(['list configmaps', 'list secrets']);
});
