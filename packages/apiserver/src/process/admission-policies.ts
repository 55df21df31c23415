import type { GroupVersionKind } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import type { AdmissionPlugin } from '../admission/admission.ts';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import { FollowedParams } from '../admission/policy/param-sources.ts';
import { PolicySource } from '../admission/policy/policy-source.ts';
import type { ValidatingPolicySpec } from '../admission/policy/stored-policy.ts';
import { ValidatingAdmissionPolicy } from '../admission/policy/validating-policies.ts';
import { ValidatingPolicy } from '../admission/policy/validating-policy.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { readOnlyStorages } from '../informers/resource-storage.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { Logger } from '../logging/logger.ts';

const log = new Logger('policy');

/** The admission policies of a process, and what they follow. */
export interface AdmissionPolicies {
  readonly validating: AdmissionPlugin;
  /** The resource whose objects are of a kind, built in or defined; undefined for kinds that nobody knows. */
  resourceOf(kind: GroupVersionKind): Promise<string | undefined>;
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
}

/** Follows admission policies in storage. */
export function openAdmissionPolicies({ authorizer, directOptions, namespaces, storages }: AdmissionPoliciesOptions): AdmissionPolicies {
  const onError = (error: unknown): void => { log.warning('cannot follow policies', { error: error instanceof Error ? error.message : String(error) }); };
  const customStorages = readOnlyStorages(directOptions);
  const params = new FollowedParams({ storages, customStorages, onError });
  const source = new PolicySource<ValidatingPolicySpec, ValidatingPolicy>({
    policies: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings', storages, onError,
    compile: (_name, spec) => new ValidatingPolicy(spec), onParamKinds: (kinds) => { params.retain(kinds); },
  });
  return {
    validating: new ValidatingAdmissionPolicy({ source, params, namespaces, authorizer }),
    resourceOf: (kind) => params.resourceOf(kind),
    waitForSync: (signal) => source.waitForSync(signal),
    async stop() {
      source.stop();
      params.stop();
      await customStorages.close();
    },
  };
}
