import type { GroupVersionKind, KubeObject } from '@kubechain/apimachinery';
import { ObjectInformer } from '../../informers/object-informer.ts';
import type { ResourceStorages } from '../../informers/resource-storage.ts';
import type { StaticManifests } from '../manifests/static-manifests.ts';
import { MatchCriteria } from './match-criteria.ts';
import { Stepwise, type Steps } from '../../request/stepwise.ts';
import type { BindingSpec, ParamKind, PolicySpec } from './stored-policy.ts';

export interface PolicyBinding {
  readonly name: string;
  readonly spec: BindingSpec;
  /** Absent: the binding matches whatever its policy does. */
  readonly criteria: MatchCriteria | undefined;
}

/** A policy that is in force, because something is bound to it. */
export interface PolicyHook<S extends PolicySpec, E extends object> {
  readonly name: string;
  readonly spec: S;
  /** Absent for a policy that says nothing about what it matches, which should not be. */
  readonly criteria: MatchCriteria | undefined;
  readonly paramKind: GroupVersionKind | undefined;
  /** Its expressions, compiled in steps when first asked for. */
  readonly evaluator: Pick<Stepwise<E>, 'make' | 'makeNow'>;
  readonly bindings: readonly PolicyBinding[];
}

export interface PolicySourceOptions<S extends PolicySpec, E extends object> {
  readonly policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies';
  readonly bindings: 'validatingadmissionpolicybindings' | 'mutatingadmissionpolicybindings';
  readonly storages: ResourceStorages;
  readonly compile: (name: string, spec: S) => Steps<E>;
  /** Told the kinds of params that policies in force name, when those change. */
  readonly onParamKinds: (kinds: readonly GroupVersionKind[]) => void;
  readonly onError: (error: unknown) => void;
  /** Policies of files, which come before all others. Default: none. */
  readonly manifests?: Pick<StaticManifests<readonly PolicyHook<S, E>[]>, 'current' | 'stop'> | undefined;
}

const group = 'admissionregistration.k8s.io';
/** One for all, so that it is the same each time. */
const noHooks: readonly never[] = [];
type Policy<S extends PolicySpec, E extends object> = Omit<PolicyHook<S, E>, 'bindings'>;

/** Policies and their bindings, followed from storage; sorted by name. */
export class PolicySource<S extends PolicySpec, E extends object> {
  readonly #policies: ObjectInformer<Policy<S, E>>;
  readonly #bindings: ObjectInformer<PolicyBinding>;
  readonly #options: PolicySourceOptions<S, E>;
  #hooks: readonly PolicyHook<S, E>[] | undefined;
  /** Of which manifests `#hooks` are. */
  #first: readonly PolicyHook<S, E>[] = [];

  constructor(options: PolicySourceOptions<S, E>) {
    const { bindings, compile, onError, policies, storages } = options;
    this.#options = options;
    this.#policies = new ObjectInformer<Policy<S, E>>({
      ...storages.get(group, policies),
      onError,
      transform: (record) => {
        const { metadata, spec } = record.object();
        return policyOf(metadata?.name ?? '', (spec ?? {}) as S, compile);
      },
    });
    this.#bindings = new ObjectInformer<PolicyBinding>({
      ...storages.get(group, bindings),
      onError,
      transform: (record) => {
        const { metadata, spec } = record.object();
        return bindingOf(metadata?.name ?? '', (spec ?? {}) as BindingSpec);
      },
    });
    for (const informer of [this.#policies, this.#bindings]) {
      informer.onChange(() => {
        this.#hooks = undefined;
      });
      informer.start();
    }
  }

  get hasSynced(): boolean {
    return this.#policies.hasSynced && this.#bindings.hasSynced;
  }

  hooks(): readonly PolicyHook<S, E>[] {
    const first = this.ofManifests();
    if (this.#hooks === undefined || this.#first !== first) {
      this.#first = first;
      this.#hooks = [...first, ...this.#bind()];
    }
    return this.#hooks;
  }

  /** Those of files alone. */
  ofManifests(): readonly PolicyHook<S, E>[] {
    return this.#options.manifests?.current ?? noHooks;
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all([this.#policies.waitForSync(signal), this.#bindings.waitForSync(signal)]);
  }

  stop(): void {
    this.#policies.stop();
    this.#bindings.stop();
    this.#options.manifests?.stop();
  }

  #bind(): readonly PolicyHook<S, E>[] {
    const bound = new Map<string, PolicyBinding[]>();
    for (const binding of this.#bindings.values()) {
      const { policyName = '' } = binding.spec;
      const known = bound.get(policyName);
      if (known === undefined) bound.set(policyName, [binding]);
      else known.push(binding);
    }
    const hooks = [...this.#policies.values()].flatMap((policy) => {
      const bindings = bound.get(policy.name);
      return bindings === undefined ? [] : [{ ...policy, bindings: bindings.sort(byName) }];
    });
    this.#options.onParamKinds(hooks.flatMap(({ paramKind }) => (paramKind === undefined ? [] : [paramKind])));
    return hooks.sort(byName);
  }
}

/** Policies with what is bound to them, as objects that come all at once; compiled at once, too. */
export function boundPolicies<S extends PolicySpec, E extends object>(
  policies: readonly KubeObject[],
  bindings: readonly KubeObject[],
  compile: (name: string, spec: S) => Steps<E>,
): readonly PolicyHook<S, E>[] {
  const bound = bindings.map(({ metadata, spec }) => bindingOf(metadata?.name ?? '', (spec ?? {}) as BindingSpec));
  return policies.map(({ metadata, spec }) => {
    const policy = policyOf(metadata?.name ?? '', (spec ?? {}) as S, compile);
    policy.evaluator.makeNow();
    return { ...policy, bindings: bound.filter((binding) => binding.spec.policyName === policy.name) };
  });
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** A policy that is ready to be matched; its expressions are compiled when a request first needs them. */
export function policyOf<S extends PolicySpec, E extends object>(
  name: string,
  spec: S,
  compile: (name: string, spec: S) => Steps<E>,
): Policy<S, E> {
  return {
    name,
    spec,
    criteria: spec.matchConstraints === undefined ? undefined : new MatchCriteria(spec.matchConstraints),
    paramKind: spec.paramKind === undefined ? undefined : kindOf(spec.paramKind),
    evaluator: new Stepwise(compile(name, spec)),
  };
}

export function bindingOf(name: string, spec: BindingSpec): PolicyBinding {
  return {
    name,
    spec,
    criteria: spec.matchResources === undefined ? undefined : new MatchCriteria(spec.matchResources),
  };
}

function kindOf({ apiVersion = '', kind = '' }: ParamKind): GroupVersionKind {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind };
}
