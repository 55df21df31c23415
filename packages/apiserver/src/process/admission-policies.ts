import type { GroupVersionKind } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { messageOf } from '@kubechain/apimachinery';
import type { AdmissionPlugin } from '../admission/admission.ts';
import type { StaticManifests } from '../admission/manifests/static-manifests.ts';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import { MutatingAdmissionPolicy } from '../admission/policy/mutating-policies.ts';
import { MutatingPolicy } from '../admission/policy/mutating-policy.ts';
import type { ResourceOfKind } from '../admission/resource-of-kind.ts';
import { FollowedParams } from '../admission/policy/param-sources.ts';
import { PolicySource, boundPolicies, type PolicyHook } from '../admission/policy/policy-source.ts';
import type { Steps } from '../request/stepwise.ts';
import type { MutatingPolicySpec, PolicySpec, ValidatingPolicySpec } from '../admission/policy/stored-policy.ts';
import { ValidatingAdmissionPolicy } from '../admission/policy/validating-policies.ts';
import { ValidatingPolicy } from '../admission/policy/validating-policy.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { readOnlyStorages } from '../informers/resource-storage.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import type { AdmissionManifests } from './admission-manifests.ts';
import { Logger } from '../logging/logger.ts';

const log = new Logger('policy');

/** The admission policies of a process, and what they follow. */
export interface AdmissionPolicies {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
  /** The resource whose objects are of a kind, built in or defined; undefined for kinds that nobody knows. */
  resourceOf(kind: GroupVersionKind): Promise<ResourceOfKind | undefined>;
  /** Resolves when the policies are known; requests before that are refused. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface AdmissionPoliciesOptions {
  /** Built-in resources. */
  readonly storages: ResourceStorages;
  /** For custom resources that are params: without a cache. */
  readonly directOptions: RESTOptionsGetter;
  readonly namespaces: NamespaceLister;
  readonly authorizer: Authorizer;
  readonly manifests: AdmissionManifests;
}

function compileMutating(_name: string, spec: MutatingPolicySpec): Steps<MutatingPolicy> {
  return MutatingPolicy.compile(spec);
}

function compileValidating(_name: string, spec: ValidatingPolicySpec): Steps<ValidatingPolicy> {
  return ValidatingPolicy.compile(spec);
}

/** Policies of files; undefined where the plugin's configuration names no directory. @throws OptionsError */
function policiesOf<S extends PolicySpec, E extends object>(
  manifests: AdmissionManifests,
  plugin: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy',
  compile: (name: string, spec: S) => Steps<E>,
): StaticManifests<readonly PolicyHook<S, E>[]> | undefined {
  const bindings = `${plugin}Binding` as const;
  const configuration = {
    group: 'apiserver.config.k8s.io',
    versions: ['v1'],
    kind: `${plugin}Configuration`,
    fields: ['staticManifestsDir'],
  };
  return manifests.open({ plugin, configuration, kinds: [plugin, bindings] }, ({ objects }) =>
    boundPolicies(objects.get(plugin) ?? [], objects.get(bindings) ?? [], compile),
  );
}

/** Custom resources lie below their groups; definitions where the storage's table says. */
function customResourcePrefix(group: string, resource: string): string | undefined {
  return group === 'apiextensions.k8s.io' ? undefined : `/${group}/${resource}`;
}

/** Follows admission policies in storage. */
export function openAdmissionPolicies({
  authorizer,
  directOptions,
  manifests,
  namespaces,
  storages,
}: AdmissionPoliciesOptions): AdmissionPolicies {
  const onError = (error: unknown): void => {
    log.warning('cannot follow policies', { error: messageOf(error) });
  };
  const customStorages = readOnlyStorages(directOptions, customResourcePrefix);
  const params = new FollowedParams({ storages, customStorages, onError });
  // Both kinds of policies share what they follow of params.
  const kinds: { mutating: readonly GroupVersionKind[]; validating: readonly GroupVersionKind[] } = {
    mutating: [],
    validating: [],
  };
  const uses =
    (plugin: keyof typeof kinds) =>
    (named: readonly GroupVersionKind[]): void => {
      kinds[plugin] = named;
      params.retain([...kinds.mutating, ...kinds.validating]);
    };
  const mutating = new PolicySource<MutatingPolicySpec, MutatingPolicy>({
    policies: 'mutatingadmissionpolicies',
    bindings: 'mutatingadmissionpolicybindings',
    storages,
    onError,
    compile: compileMutating,
    onParamKinds: uses('mutating'),
    manifests: policiesOf(manifests, 'MutatingAdmissionPolicy', compileMutating),
  });
  const validating = new PolicySource<ValidatingPolicySpec, ValidatingPolicy>({
    policies: 'validatingadmissionpolicies',
    bindings: 'validatingadmissionpolicybindings',
    storages,
    onError,
    compile: compileValidating,
    onParamKinds: uses('validating'),
    manifests: policiesOf(manifests, 'ValidatingAdmissionPolicy', compileValidating),
  });
  return {
    mutating: new MutatingAdmissionPolicy({ source: mutating, params, namespaces, authorizer }),
    validating: new ValidatingAdmissionPolicy({ source: validating, params, namespaces, authorizer }),
    resourceOf: (kind) => params.resourceOf(kind),
    waitForSync: async (signal) => {
      await Promise.all([mutating.waitForSync(signal), validating.waitForSync(signal)]);
    },
    async stop() {
      mutating.stop();
      validating.stop();
      params.stop();
      await customStorages.close();
    },
  };
}
