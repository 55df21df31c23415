import { builtinResources, validateObjectMeta, validateObjectMetaUpdate } from '@kubechain/apimachinery';
import type { TimerClock, FieldError, KubeObject, Scheme } from '@kubechain/apimachinery';
import { AgeCell, createFieldManager, internalContext, subresourceStrategy } from '@kubechain/apiserver/resources';
import type { RESTStorage, Strategy } from '@kubechain/apiserver/resources';
import { builtInStores } from '@kubechain/kube-apiserver/testing';
import { HeldObject } from './held-object.ts';
import { Subresource } from './subresource.ts';
import type { SubresourceParent } from './subresource.ts';
import type { Subject, SubjectResource } from './subject.ts';

const elsewhere = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/**
 * Every kind of kube-apiserver's scheme, with its resource where it is kept, and the bodies of every subresource that
 * has a kind of its own.
 */
export function builtInSubjects(clock: TimerClock): Subject[] {
  const stored = new HeldObject();
  const { groups, storeOf } = builtInStores(clock, {}, stored);
  const scheme = groups[0]!.scheme;
  const resources = new Map(
    builtinResources()
      .filter(({ group }) => !elsewhere.has(group))
      .map((row) => [`${row.group}/${row.version} ${row.kind}`, row]),
  );
  return [...scheme.kinds()].flatMap((kind): Subject[] => {
    const { group, kind: name, version } = kind.gvk;
    const row = resources.get(`${group}/${version} ${name}`);
    const storages = groups.find((of) => of.group === group)?.versionedResources.get(version);
    const storage = storages?.get(row?.resource ?? '');
    const subject = { name: `${group === '' ? '' : `${group}/`}${version} ${name}`, kind, scheme };
    if (row === undefined || storage?.create === undefined || storage.memoryVersion === undefined) return [subject];
    const { strategy = {} } = storeOf(group, row.resource).spec;
    const parent = { ...kind.gvk, resource: row.resource, namespaced: row.namespaced };
    const subresources = [...(storages ?? [])].flatMap(([path, of]) => {
      const [resource, subresourceName = ''] = path.split('/');
      if (resource !== row.resource || subresourceName === '') return [];
      return Subresource.of({ parent, name: subresourceName, storage: of, scheme, stored, clock, custom: false }) ?? [];
    });
    const kept: Subject = {
      ...subject,
      resource: resourceOf({
        scheme,
        storage,
        strategy,
        kind: kind.gvk,
        clock,
        custom: false,
        resource: row.resource,
        namespaced: row.namespaced,
        strategyOf: (subresource) => {
          const of = storages?.get(`${row.resource}/${subresource}`);
          return of && subresourceStrategy(of);
        },
        subresources,
      }),
    };
    return [kept, ...subresources.flatMap((of) => bodiesOf(of, parent, scheme))];
  });
}

/** The bodies of a subresource. */
export function bodiesOf(bodyOf: Subresource, parent: SubresourceParent, scheme: Scheme): Subject[] {
  const kind = scheme.kind(bodyOf.bodyKind);
  if (kind === undefined) return [];
  const { group, resource, version } = parent;
  const subresource = `${resource}/${bodyOf.name}`;
  const name = `${group === '' ? '' : `${group}/`}${version} ${subresource}`;
  return [{ name, kind, scheme, subresource, bodyOf }];
}

/** What the server does with objects of a resource, of what its store knows. */
export function resourceOf(of: {
  readonly scheme: Scheme;
  readonly storage: RESTStorage;
  readonly strategy: Strategy;
  readonly kind: Subject['kind']['gvk'];
  readonly clock: TimerClock;
  readonly custom: boolean;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Whose field manager it is. Default: the resource's own. */
  readonly subresource?: string;
  readonly strategyOf?: (subresource: string) => Strategy | undefined;
  readonly subresources?: readonly Subresource[];
}): SubjectResource {
  const { clock, custom, kind, namespaced, resource, scheme, storage, strategy, strategyOf } = of;
  const { subresource = '', subresources = [] } = of;
  const context = internalContext({
    groupResource: { group: kind.group, resource },
    namespace: namespaced ? 'default' : '',
  });
  const meta = { namespaced, validateName: strategy.validateName ?? (() => []) };
  const updated = async (rules: Strategy, object: KubeObject, old: KubeObject): Promise<readonly FieldError[]> => {
    await rules.prepareForUpdate?.(object, old, context);
    const errors = [
      ...validateObjectMetaUpdate(object.metadata ?? {}, old.metadata ?? {}),
      ...((await rules.validateUpdate?.(object, old, context)) ?? []),
    ];
    warned(errors, () => rules.warningsOnUpdate?.(object, old, context));
    return errors;
  };
  return {
    strategy,
    fieldManager: createFieldManager({ scheme, storage, kind, subresource, clock, custom }),
    subresources,
    async create(object: KubeObject): Promise<readonly FieldError[]> {
      await strategy.prepareForCreate?.(object, context);
      const errors = [
        ...validateObjectMeta(object.metadata ?? {}, meta),
        ...((await strategy.validate?.(object, context)) ?? []),
      ];
      warned(errors, () => strategy.warningsOnCreate?.(object, context));
      strategy.canonicalize?.(object);
      return errors;
    },
    update: (object, old) => updated(strategy, object, old),
    updatesOf: (subresource) => {
      const rules = strategyOf?.(subresource);
      return rules && ((object, old) => updated(rules, object, old));
    },
    row: (object) =>
      JSON.stringify(
        storage.table?.row(object).cells.map((cell) => (cell instanceof AgeCell ? cell.text(clock.now()) : cell)) ??
          null,
      ),
  };
}

/** Servers warn of what is right only: of what is not, the cost alone counts. */
function warned(errors: readonly FieldError[], warn: () => unknown): void {
  try {
    warn();
  } catch (error) {
    if (errors.length === 0) throw error;
  }
}
