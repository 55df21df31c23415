import { systemRandomness } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import type { RESTOptionsGetter, StorageInterface } from '@kubechain/shared-storage';
import { KubeletClient } from '../kubelet/kubelet-client.ts';
import { builtInScheme } from '../registry/built-in-defaults.ts';
import { builtInGroups } from '../registry/built-in-groups.ts';
import type { ServiceAllocators } from '../registry/service-allocation/service-allocation.ts';
import { createRegistry } from '../registry/registry-context.ts';
import type { BuiltInRegistry, RegistryEnvironment } from '../registry/registry-context.ts';
import { capabilitiesOf } from '../registry/capabilities.ts';

/** Storage is never reached: only what a store knows of its resource is used. */
const noStorage: RESTOptionsGetter = {
  getRESTOptions: ({ resource }) => ({
    decorator: () => ({}) as StorageInterface,
    resourcePrefix: `/${resource}`,
    keyRoot: `/registry/${resource}`,
    enableGarbageCollection: true,
    deleteCollectionWorkers: 1,
  }),
};

/**
 * The stores of all built-in resources, for their schemes, strategies and columns.
 * `differences`: where the server around them is another than one that allows everything. `storage`: where they keep
 * objects; default nowhere.
 */
export function builtInStores(
  clock: TimerClock,
  differences: Partial<RegistryEnvironment> = {},
  storage: RESTOptionsGetter = noStorage,
): BuiltInRegistry {
  return createRegistry(builtInGroups, storage, {
    clock,
    randomness: systemRandomness,
    scheme: builtInScheme(clock),
    capabilities: capabilitiesOf({ allowPrivileged: true }),
    // The one that is on, unless somebody turns it off, and that every kind with addresses asks for.
    featureEnabled: (gate) => gate === 'StrictIPCIDRValidation',
    authorizer: { authorize: () => ({ decision: 'Allow', reason: '' }) },
    streaming: {
      kubelets: new KubeletClient({
        port: 10_250,
        preferredAddressTypes: [],
        certificateAuthority: '',
        clientCertificate: '',
        clientKey: '',
      }),
      features: {
        streamsNeedCreate: true,
        splitLogStreams: false,
        translatesStreams: true,
        tunnelsPortForwards: true,
        extendsToKubelets: true,
      },
    },
    serviceAllocators: {} as ServiceAllocators,
    components: () => new Map(),
    ruleResolver: undefined,
    resourceOfKind: () => Promise.resolve(undefined),
    tokenAuthenticator: undefined,
    eventTTLSeconds: 3600,
    tokenIssuer: undefined,
    ...differences,
  });
}
