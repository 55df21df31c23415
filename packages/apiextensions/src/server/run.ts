import { StoredResources, completeConfig, openSecurity, openServerParts } from '@kubechain/apiserver';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import type { flagSets } from '../flags.ts';

const clock = { now: () => Date.now() };

/** One apiextensions process from flags to its graceful end. */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const { storage, delegate, config, url } = await openServerParts(values, { signal: handle.signal, delegateName: 'nobody' });
  const stored = new StoredResources(storage.directOptions);
  const security = openSecurity({ authentication: values.authentication, authorization: values.authorization, clock, storages: stored });
  const server = completeConfig({
    ...config, clock,
    authenticator: security.authentication.request,
    authorizer: security.authorization.authorizer,
  }).newServer('apiextensions', delegate);
  server.addHealthChecks([storage.healthCheck], { basic: true });
  server.addReadyzChecks([storage.readinessCheck], { basic: true });
  try {
    await server.prepareRun().run(handle.signal, { onStarted: () => { handle.ready({ url }); } });
  } finally {
    security.stop();
    await stored.close();
    await storage.close();
  }
}
