import {
  FollowedNamespaces,
  Logger,
  QuotaSource,
  WebhookServices,
  addStorageChecks,
  completeConfig,
  openAdmissionPolicies,
  openAdmissionWebhooks,
  openFlowControl,
  openSecurity,
  openServerParts,
} from '@kubechain/apiserver';
import type { Authorizer, RuleResolver, Security } from '@kubechain/apiserver';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import { externalAddress } from '../bootstrap/advertised-address.ts';
import { addBootstrapHooks } from '../bootstrap/hooks.ts';
import type { flagSets } from '../flags.ts';
import { builtInGroups } from '../registry/built-in-groups.ts';
import { builtInScheme } from '../registry/built-in-defaults.ts';
import { controlPlaneChecks } from '../registry/core/componentstatus/component-check.ts';
import { createRegistry } from '../registry/registry-context.ts';
import type { BuiltInRegistry } from '../registry/registry-context.ts';
import { admissionFromFlags } from './admission.ts';
import { installOpenID } from './openid-routes.ts';
import { openServiceNetwork } from './service-allocators.ts';
import { streamingFromFlags } from './streaming-from-flags.ts';
import { tokenIssuerFromFlags } from './token-issuer.ts';

const log = new Logger('services');
const clock = { now: () => Date.now() };

/**
 * One kube-apiserver process from flags to its graceful end:
 * storage → registry → security → GenericAPIServer → hooks → serve.
 */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const { storage, delegate, config, url } = await openServerParts(values, {
    signal: handle.signal,
    delegateName: 'apiextensions',
  });

  // Storages check rights and security follows storages: each sees the other through this.
  let security: Security | undefined = undefined;
  const secured = (): Security => {
    if (security === undefined) throw new TypeError('asked for rights before the server was put together');
    return security;
  };
  const authorizer: Authorizer = {
    authorize: (attributes) => secured().authorization.authorizer.authorize(attributes),
  };
  const ruleResolver: RuleResolver = {
    rulesFor: (user, namespace) => secured().authorization.ruleResolver.rulesFor(user, namespace),
  };
  const network = openServiceNetwork(values.kubeApiserver, {
    storeOf: (group, plural) => registry.storeOf(group, plural),
    direct: storage.directOptions,
    onError: (error) => {
      log.warning('addresses and ports of services', { error: error instanceof Error ? error.message : String(error) });
    },
  });
  const registry: BuiltInRegistry = createRegistry(builtInGroups, storage.restOptions, {
    clock,
    scheme: builtInScheme(clock),
    capabilities: { allowPrivileged: values.kubeApiserver['allow-privileged'] },
    authorizer,
    ruleResolver,
    resourceOfKind: (kind) => policies.resourceOf(kind),
    serviceAllocators: network,
    components: () => controlPlaneChecks(storage.factory),
    tokenAuthenticator: {
      authenticateToken: (token, options) => secured().authentication.reviewToken(token, options?.audiences ?? []),
    },
    tokenIssuer: tokenIssuerFromFlags(values.authentication, clock),
    streaming: streamingFromFlags(values.kubeApiserver, values.features['feature-gates']),
    eventTTLSeconds: values.kubeApiserver['event-ttl'] / 1000,
    storageMediaType: values.etcd['storage-media-type'],
  });
  const stored = { get: registry.storeOf, close: () => Promise.resolve() };
  security = openSecurity({
    authentication: values.authentication,
    authorization: values.authorization,
    clock,
    storages: stored,
  });
  const namespaces = new FollowedNamespaces(registry.storeOf('', 'namespaces'), () => undefined);
  const services = new WebhookServices(stored, () => undefined);
  const quotas = new QuotaSource(registry.storeOf('', 'resourcequotas'), () => undefined);
  const webhooks = openAdmissionWebhooks({ storages: stored, namespaces, services, authorizer });
  const policies = openAdmissionPolicies({
    storages: stored,
    directOptions: storage.directOptions,
    namespaces,
    authorizer,
  });

  // Behind a hop flow control has been done.
  const flowControl =
    config.serving === undefined
      ? undefined
      : openFlowControl({ generic: values.generic, features: values.features, storages: stored });
  const server = completeConfig({
    ...config,
    clock,
    externalAddress: externalAddress(values),
    authenticator: security.authentication.request,
    authorizer: security.authorization.authorizer,
    ...(flowControl === undefined ? {} : { flowController: flowControl.controller }),
    admission: admissionFromFlags(values.admission, {
      namespaces,
      clock,
      storeOf: registry.storeOf,
      authorizer: security.authorization.authorizer,
      policies,
      webhooks,
      quotas,
      notReadyTolerationSeconds: values.kubeApiserver['default-not-ready-toleration-seconds'],
      unreachableTolerationSeconds: values.kubeApiserver['default-unreachable-toleration-seconds'],
    }),
  }).newServer('kube-apiserver', delegate);
  flowControl?.install(server);
  for (const group of registry.groups) {
    if (group.group === '') server.installLegacyAPIGroup(group);
    else server.installAPIGroups([group]);
  }
  addStorageChecks(server, storage);
  server.addInformer((signal) => webhooks.waitForSync(signal));
  server.addInformer((signal) => policies.waitForSync(signal));
  server.addInformer((signal) => quotas.waitForSync(signal));
  installOpenID(server.nonResourceMux, values.authentication, externalAddress(values));
  addBootstrapHooks(server, {
    registry,
    security,
    storage,
    namespaces,
    network,
    direct: storage.directOptions,
    flags: values,
  });

  try {
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
    network.clusterIPs.stop();
    await network.portStorage.storage.close();
    security.stop();
    flowControl?.stop();
    await registry.close();
    await storage.close();
  }
}
