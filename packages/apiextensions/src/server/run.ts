import {
  FollowedNamespaces,
  NamespaceLifecycle,
  QuotaSource,
  ResourceQuota,
  StoredResources,
  WebhookServices,
  addStorageChecks,
  completeConfig,
  createAdmissionChain,
  openAdmissionPolicies,
  openAdmissionWebhooks,
  openFlowControl,
  openSecurity,
  openServerParts,
} from '@kubechain/apiserver';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import { objectRules } from '../cel/object-rules.ts';
import { webhookConverterOf } from '../conversion/webhook-converter-of.ts';
import { CRDController } from '../crd/crd-controller.ts';
import { createCRDRegistry } from '../crd/crd-rest.ts';
import { RegisteredVersions } from '../crd/registered-versions.ts';
import type { flagSets } from '../flags.ts';

const clock = { now: () => Date.now() };
const group = 'apiextensions.k8s.io';

/** One apiextensions process from flags to its graceful end: CRDs, and whatever they define. */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const { storage, config, url } = await openServerParts(values, { signal: handle.signal, delegateName: 'nobody' });
  const stored = new StoredResources(storage.directOptions);
  const security = openSecurity({
    authentication: values.authentication,
    authorization: values.authorization,
    clock,
    storages: stored,
  });
  const namespaces = new FollowedNamespaces(stored.get('', 'namespaces'), () => undefined);
  const services = new WebhookServices(stored, () => undefined);
  const webhooks = openAdmissionWebhooks({
    storages: stored,
    namespaces,
    services,
    authorizer: security.authorization.authorizer,
  });
  const policies = openAdmissionPolicies({
    storages: stored,
    directOptions: storage.directOptions,
    namespaces,
    authorizer: security.authorization.authorizer,
  });
  const quotas = new QuotaSource(stored.get('', 'resourcequotas'), () => undefined);
  const disabled = new Set(values.admission['disable-admission-plugins']);
  // Behind a hop flow control has been done.
  const flowControl =
    config.serving === undefined
      ? undefined
      : openFlowControl({ generic: values.generic, features: values.features, storages: stored });
  const server = completeConfig({
    ...config,
    clock,
    authenticator: security.authentication.request,
    authorizer: security.authorization.authorizer,
    ...(flowControl === undefined ? {} : { flowController: flowControl.controller }),
    admission: createAdmissionChain(
      [
        new NamespaceLifecycle({ namespaces, clock }),
        policies.mutating,
        webhooks.mutating,
        policies.validating,
        webhooks.validating,
        new ResourceQuota({ quotas }),
      ].filter(({ name }) => !disabled.has(name)),
    ),
  }).newServer('apiextensions');
  flowControl?.install(server);
  const registered = new RegisteredVersions(stored.get('apiregistration.k8s.io', 'apiservices'));
  const controller = new CRDController({
    installer: server.installer,
    clock,
    registered: (crd, signal) => registered.wait(crd, signal),
    customResources: {
      restOptions: storage.restOptions,
      webhookConverter: (crd) => webhookConverterOf(crd, services),
      extraRules: objectRules,
    },
  });
  const crds = createCRDRegistry(storage.restOptions, clock, controller);
  server.installAPIGroups([
    {
      group,
      prioritizedVersions: ['v1'],
      versionedResources: new Map([['v1', crds.endpoints]]),
      scheme: crds.store.spec.scheme,
    },
  ]);
  addStorageChecks(server, storage);
  server.addPostStartHook('start-apiextensions-informers', async ({ signal }) => {
    await Promise.all([
      namespaces.waitForSync(signal),
      webhooks.waitForSync(signal),
      policies.waitForSync(signal),
      quotas.waitForSync(signal),
    ]);
  });
  // These hooks are names that readyz knows; their work is done before anybody can connect, so that a custom resource
  // is
  // never answered 404 by a server that has not read its definition yet.
  for (const name of ['start-apiextensions-controllers', 'crd-informer-synced'])
    server.addPostStartHook(name, () => undefined);
  try {
    await controller.start(crds.store, handle.signal);
    await server.prepareRun().run(handle.signal, {
      onStarted: () => {
        handle.ready({ url });
      },
    });
  } finally {
    namespaces.stop();
    webhooks.stop();
    await policies.stop();
    quotas.stop();
    services.stop();
    security.stop();
    flowControl?.stop();
    await controller.stop();
    await crds.store.close();
    await stored.close();
    await storage.close();
  }
}
