import { Logger } from '@kubechain/apiserver/logging';
import {
  CommonPart,
  commonly,
  openGenericServer,
  openServerParts,
  openStoredResources,
  StorageVersionBarrier,
  tellsStorageVersions,
} from '@kubechain/apiserver/servers';
import type { AssembledServer, AssemblyInput, GenericServer, ServerParts } from '@kubechain/apiserver/servers';
import { effectiveVersions, featureGatesOf, servedLegacyResources, emulatedAPIsOf } from '@kubechain/apiserver/options';
import type { FlagValues } from '@kubechain/apiserver/options';
import { messageOf, minorOf } from '@kubechain/apimachinery';
import type { Release, Scheme } from '@kubechain/apimachinery';
import { externalAddress } from '../bootstrap/advertised-address.ts';
import { PodSecurityMetrics } from '../admission/pod-security/pod-security-metrics.ts';
import type { ToldStorageVersions } from '../bootstrap/bootstrap-options.ts';
import { addBootstrapHooks } from '../bootstrap/hooks.ts';
import { servedStoredResources } from '../bootstrap/storage-version-hook.ts';
import type { flagSets } from '../flags.ts';
import { manifestRules } from '../registry/admissionregistration/manifest-rules.ts';
import { builtInGroups } from '../registry/built-in-groups.ts';
import { builtInScheme } from '../registry/built-in-defaults.ts';
import { controlPlaneChecks } from '../registry/component-check.ts';
import { createRegistry } from '../registry/registry-context.ts';
import type { BuiltInRegistry } from '../registry/registry-context.ts';
import { builtInPlugins, refuseUnbuiltPlugins } from './admission.ts';
import { installLogFiles } from './log-files.ts';
import { installOpenID } from './openid-routes.ts';
import { openServiceNetwork } from '../bootstrap/service-allocators.ts';
import type { ServiceNetwork } from '../bootstrap/service-allocators.ts';
import { ServerRights } from './server-rights.ts';
import { capabilitiesOf } from '../registry/capabilities.ts';
import { streamingFromFlags } from './streaming-from-flags.ts';
import { externalSignerFromFlags } from '@kubechain/apiserver/tokens';
import { tokenIssuerFromFlags } from './token-issuer.ts';

const log = new Logger('services');
const commonScheme = new CommonPart<Scheme>('scheme of built-in kinds');

/** Values of kube-apiserver's flags. */
export type KubeAPIServerValues = { readonly [K in keyof typeof flagSets]: FlagValues<(typeof flagSets)[K]> };
type Input = AssemblyInput<KubeAPIServerValues>;

/**
 * Puts a kube-apiserver together: storage → registry → security, admission, server → groups → hooks.
 * @throws OptionsError
 */
export async function assembleKubeAPIServer(input: Input): Promise<AssembledServer> {
  const { assembly, environment, values } = input;
  const parts = await openServerParts(input, { server: 'kube-apiserver', delegate: 'apiextensions' });
  const rights = new ServerRights();
  const signer = assembly.open(
    'external signer of tokens',
    () => externalSignerFromFlags(values.authentication, { clock: environment.clock, registry: parts.metrics }),
    (opened) => opened?.close(),
  );
  const tokenIssuer = await tokenIssuerFromFlags(values.authentication, {
    clock: environment.clock,
    ...environment.randomness,
    signer,
    key: environment.secrets?.signing,
  });
  const { network, registry } = openRegistry(input, parts, { rights, tokenIssuer });
  const storageVersions = toldStorageVersions(input, registry, parts.release);
  const generic = openServer(input, parts, { registry, storageVersions });
  rights.found(generic);
  installGroups(generic, registry);
  if (values.kubeApiserver['enable-logs-handler']) installLogFiles(generic.server.nonResourceMux, '/var/log');
  installOpenID(generic.server.nonResourceMux, values.authentication, {
    externalAddress: externalAddress(values),
    signer,
    given: environment.secrets?.verification,
  });
  addHooks(input, { generic, network, parts, registry, storageVersions });
  return { server: generic.server, url: parts.url };
}

type TokenIssuer = Awaited<ReturnType<typeof tokenIssuerFromFlags>>;

interface Resources {
  readonly registry: BuiltInRegistry;
  readonly network: ServiceNetwork;
}

/** The storages of all built-in resources. */
function openRegistry(
  { assembly, environment, values }: Input,
  { egress, metrics, release, storage }: ServerParts,
  { rights, tokenIssuer }: { readonly rights: ServerRights; readonly tokenIssuer: TokenIssuer },
): Resources {
  const { kubeApiserver } = values;
  const network = assembly.open(
    'service network',
    () =>
      openServiceNetwork(kubeApiserver, {
        random: environment.randomness.random,
        repeatable: environment.randomness.repeatable,
        storeOf: (group, plural) => registry.storeOf(group, plural),
        direct: storage.directOptions,
        metrics,
        onError: (error) => {
          log.warning('addresses and ports of services', {
            error: messageOf(error),
          });
        },
      }),
    (opened) => opened.close(),
  );
  const { clock, randomness } = environment;
  const featureGates = featureGatesOf(values);
  const capabilities = capabilitiesOf({
    allowPrivileged: kubeApiserver['allow-privileged'],
    gates: featureGates,
    release,
  });
  const registry: BuiltInRegistry = assembly.open(
    'registry',
    () =>
      createRegistry(builtInGroups, storage.restOptions, {
        clock,
        randomness,
        release,
        scheme: commonly(environment.commons, commonScheme, () => builtInScheme(clock, release, capabilities)),
        commons: environment.commons,
        capabilities,
        featureEnabled: (gate) => featureGates.enabled(gate),
        authorizer: rights.authorizer,
        ruleResolver: rights.ruleResolver,
        resourceOfKind: rights.resourceOfKind,
        tokenAuthenticator: rights.tokenAuthenticator,
        serviceAllocators: network,
        metrics,
        components: () => controlPlaneChecks(storage.factory),
        tokenIssuer,
        streaming: streamingFromFlags(kubeApiserver, featureGates, { egress, metrics }),
        eventTTLSeconds: kubeApiserver['event-ttl'] / 1000,
        storageMediaType: values.etcd['storage-media-type'] || 'application/json',
        serves: emulatedAPIsOf(release, values),
        minCompatible: effectiveVersions(values.generic).minCompatible,
        servesLegacy: servedLegacyResources(values.apiEnablement['runtime-config'], kubeApiserver['legacy-apis']),
      }),
    (opened) => opened.close(),
  );
  return { network, registry };
}

function toldStorageVersions(
  input: Input,
  registry: BuiltInRegistry,
  release: Release,
): ToldStorageVersions | undefined {
  if (!tellsStorageVersions(input)) return undefined;
  const resources = servedStoredResources(registry, release);
  return { resources, barrier: new StorageVersionBarrier(resources.flatMap((stored) => stored.resources)) };
}

interface StoredParts {
  readonly registry: BuiltInRegistry;
  readonly storageVersions: ToldStorageVersions | undefined;
}

function openServer(input: Input, parts: ServerParts, { registry, storageVersions }: StoredParts): GenericServer {
  const { values } = input;
  const { kubeApiserver } = values;
  const featureGates = featureGatesOf(values);
  refuseUnbuiltPlugins(values.admission, kubeApiserver['legacy-apis']);
  // Plugins follow also what the release serves only when asked, such as mutating policies before 1.36.
  const stored = openStoredResources(input, parts.storage, parts.release);
  return openGenericServer(input, {
    name: 'kube-apiserver',
    parts,
    storages: {
      get: (group, plural) => registry.findStore(group, plural) ?? stored.get(group, plural),
      close: () => Promise.resolve(),
    },
    plugins: builtInPlugins,
    manifestRules,
    pluginEnvironment: (admission) => ({
      ...admission,
      storeOf: registry.storeOf,
      notReadyTolerationSeconds: kubeApiserver['default-not-ready-toleration-seconds'],
      unreachableTolerationSeconds: kubeApiserver['default-unreachable-toleration-seconds'],
      podSecurityMetrics: new PodSecurityMetrics(parts.metrics, parts.release.version),
      serverMinor: minorOf(parts.release.version),
      enabled: (gate) => featureGates.enabled(gate),
    }),
    config: {
      storageVersions: storageVersions?.barrier,
      externalAddress: externalAddress(values),
      debugSocketPath: input.environment.sideSocket === undefined ? kubeApiserver['debug-socket-path'] : '',
    },
  });
}

function installGroups({ server }: GenericServer, { groups }: BuiltInRegistry): void {
  for (const group of groups) {
    if (group.group === '') server.installLegacyAPIGroup(group);
    else server.installAPIGroups([group]);
  }
}

function addHooks(
  { environment, values }: Input,
  {
    generic,
    network,
    parts,
    registry,
    storageVersions,
  }: Resources & StoredParts & { readonly generic: GenericServer; readonly parts: ServerParts },
): void {
  const { admission, security, server } = generic;
  server.addInformer((signal) => admission.waitForSync(signal));
  addBootstrapHooks(server, {
    begun: environment.asTenant?.start !== undefined || environment.sideSocket !== undefined,
    registry,
    security,
    storage: parts.storage,
    network,
    direct: parts.storage.directOptions,
    flags: values,
    storageVersions,
  });
}
