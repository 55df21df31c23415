import { readFileSync } from 'node:fs';
import type { Release } from '@kubechain/apimachinery';
import { FileContent } from '@kubechain/apiserver/servers';
import type { AssemblyInput, GenericServer } from '@kubechain/apiserver/servers';
import type { Aggregation } from './aggregation.ts';
import type { APIServices } from './api-services.ts';
import type { AggregatorValues } from './aggregator-values.ts';

/** How often the proxy client certificate is looked at; it is rotated in good time before it expires. */
const certificateLookMs = 60_000;

/** Of 1.36 alone. */
const firstSync = 'apiservice-wait-for-first-sync';

/** All of them begin with the first complete state of the APIServices. */
const apiServiceControllers = [
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  firstSync,
  'apiservice-discovery-controller',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
];

/** They wait for who the other API servers are. */
const peerHooks = ['mixed-version-proxy-handler', 'local-discovery-cache-sync', 'peer-discovery-workers'];

/** Post-start hooks and health checks under the reference's names. */
export function addHooks(
  { values }: AssemblyInput<AggregatorValues>,
  {
    aggregation,
    apiServices,
    generic,
    release,
  }: {
    readonly generic: GenericServer;
    readonly apiServices: APIServices;
    readonly aggregation: Aggregation;
    readonly release: Release;
  },
): void {
  const { admission, security, server } = generic;
  const { autoRegistration, crds, peers, registration } = aggregation;
  const { informer } = apiServices;
  server.addInformer((signal) => admission.waitForSync(signal));
  server.addPostStartHook('aggregator-reload-proxy-client-cert', ({ signal }) => {
    followCertificate(values.delegate['proxy-client-cert-file'], signal, () => {
      registration.reloadClientCertificate();
      peers?.reloadClientCertificate();
    });
  });
  server.addPostStartHook('start-kube-aggregator-informers', async ({ signal }) => {
    await Promise.all([informer.waitForSync(signal), security.authorization.waitForSync(signal)]);
  });
  for (const name of apiServiceControllers)
    if (name !== firstSync || (release.since('1.36') && !release.since('1.37')))
      server.addPostStartHook(name, ({ signal }) => informer.waitForSync(signal));
  server.addPostStartHook('kube-apiserver-autoregistration', async ({ signal }) => {
    await Promise.all([informer.waitForSync(signal), crds.waitForSync(signal)]);
    await autoRegistration.start(signal);
  });
  if (peers !== undefined)
    for (const name of peerHooks)
      server.addPostStartHook(name, async ({ signal }) => {
        await Promise.all([peers.waitForSync(signal), informer.waitForSync(signal), crds.waitForSync(signal)]);
      });
  server.addHealthChecks([autoRegistration.completionCheck({ whole: true })], { livez: false });
  server.addLivezChecks([autoRegistration.completionCheck({ whole: false })]);
  server.whole = autoRegistration.whole;
}

function followCertificate(file: string, signal: AbortSignal, onChange: () => void): void {
  if (file === '') return;
  const certificate = new FileContent({ paths: [file], read: () => readFileSync(file) });
  signal.addEventListener('abort', certificate.follow(onChange, certificateLookMs), { once: true });
}
