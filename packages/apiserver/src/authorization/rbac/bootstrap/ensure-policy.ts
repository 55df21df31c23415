import { isNotFound, sleep, StatusError } from '@kubechain/apimachinery';
import type { KubeObject, ObjectMeta, Scheme, TimerClock } from '@kubechain/apimachinery';
import { OwnWrites } from '../../../registry/fieldmanager/own-writes.ts';
import { internalContext } from '../../../registry/rest/internal-context.ts';
import { everything } from '../../../registry/rest/selection-predicate.ts';
import { isRecord } from '../../../registry/rest/result.ts';
import type { RESTContext, RESTStorage } from '../../../registry/rest/storage.ts';
import { RBAC_GROUP } from '../rbac-objects.ts';
import type { BootstrapPolicy } from './bootstrap-policy.ts';
import { inheritedBinding, inheritedRole } from './inherited.ts';
import type { Inherit } from './inherited.ts';
import { reconcileBinding } from './reconcile-binding.ts';
import { reconcileRole } from './reconcile-role.ts';
import type { Reconciliation } from './reconciliation.ts';

/** The four registries, without escalation checks (the server itself writes). */
export interface PolicyRegistries {
  readonly clusterRoles: RESTStorage;
  readonly clusterRoleBindings: RESTStorage;
  readonly roles: RESTStorage;
  readonly roleBindings: RESTStorage;
}

export interface EnsurePolicyOptions {
  /** Knows the four kinds, and their defaults. */
  readonly scheme: Scheme;
  readonly signal: AbortSignal;
  readonly clock: TimerClock;
  /** Told of each failed attempt; the whole is tried again. */
  readonly onError?: (error: unknown) => void;
  /** Between attempts. Default 1,000. */
  readonly retryDelayMs?: number;
  /** After which the last error is thrown. Default 30,000. */
  readonly timeoutMs?: number;
}

type PolicyObject = KubeObject & { metadata: ObjectMeta };
interface Work<T extends PolicyObject> {
  readonly clock: TimerClock;
  readonly scheme: Scheme;
  readonly registry: RESTStorage;
  readonly resource: string;
  readonly expected: readonly T[];
  readonly reconcile: (existing: T, expected: T) => Reconciliation<T>;
  readonly inherit?: Inherit<T>;
}

/** Writes under way at once. Enough to fill etcd's batches, few enough to leave clients room. */
const PARALLEL_WRITES = 32;

/**
 * Makes sure that the default roles and bindings exist and grant at least their defaults: the post-start hook
 * `rbac/bootstrap-roles`. Reads four lists, then writes only what differs, in parallel, so that the first start waits
 * for
 * a few round trips and a later one for none.
 * @throws the last error when it did not succeed in time: without roles nobody but system:masters can do anything
 * Source: pkg/registry/rbac/rest/storage_rbac.go EnsureRBACPolicy.
 */
export async function ensureBootstrapPolicy(
  registries: PolicyRegistries,
  policy: BootstrapPolicy,
  options: EnsurePolicyOptions,
): Promise<void> {
  const { clock, scheme } = options;
  const surroundings = { clock, scheme };
  const deadline = clock.now() + (options.timeoutMs ?? 30_000);
  for (;;) {
    try {
      // All of them to their end: an attempt must not overlap with the next.
      const results = await Promise.allSettled([
        ensure(
          {
            ...surroundings,
            registry: registries.clusterRoles,
            resource: 'clusterroles',
            expected: policy.clusterRoles,
            reconcile: reconcileRole,
            inherit: inheritedRole,
          },
          options.signal,
        ),
        ensure(
          {
            ...surroundings,
            registry: registries.clusterRoleBindings,
            resource: 'clusterrolebindings',
            expected: policy.clusterRoleBindings,
            reconcile: reconcileBinding,
            inherit: inheritedBinding,
          },
          options.signal,
        ),
        ensure(
          {
            ...surroundings,
            registry: registries.roles,
            resource: 'roles',
            expected: policy.roles,
            reconcile: reconcileRole,
          },
          options.signal,
        ),
        ensure(
          {
            ...surroundings,
            registry: registries.roleBindings,
            resource: 'rolebindings',
            expected: policy.roleBindings,
            reconcile: reconcileBinding,
          },
          options.signal,
        ),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return;
    } catch (error) {
      if (options.signal.aborted || clock.now() >= deadline) throw error;
      options.onError?.(error);
      await sleep(clock, options.retryDelayMs ?? 1000, options.signal);
      options.signal.throwIfAborted();
    }
  }
}

async function ensure<T extends PolicyObject>(work: Work<T>, signal: AbortSignal): Promise<void> {
  const { clock, scheme, registry, resource, expected, inherit, reconcile } = work;
  const contextFor = (namespace: string): RESTContext =>
    internalContext({ groupResource: { group: RBAC_GROUP, resource }, namespace, signal });
  const wanted = new Map(expected.map((object) => [keyOf(object.metadata), object]));
  let existing: Map<string, T>;
  try {
    existing = await listed<T>(registry, contextFor(''), wanted);
  } catch (error) {
    // One object of somebody else's that cannot be read keeps all from being listed.
    existing = await readEach(registry, contextFor, wanted).catch(() => {
      throw error;
    });
  }

  const made = (object: T): T => {
    const inherited = inherit?.(object, (name) => existing.get(keyOf({ name })));
    if (inherited === undefined) return structuredClone(object);
    const reconciled = reconcile(inherited, object);
    return reconciled.kind === 'none' ? inherited : reconciled.object;
  };

  const own = new OwnWrites(registry, { scheme, clock });
  const errors: unknown[] = [];
  const queue = wanted.entries();
  const worker = async (): Promise<void> => {
    for (const [key, object] of queue) {
      try {
        const stored = existing.get(key);
        await write(
          { registry, own },
          contextFor(object.metadata.namespace ?? ''),
          stored === undefined ? { kind: 'create', object: made(object) } : reconcile(stored, object),
        );
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_WRITES }, worker));
  if (errors.length > 0) throw errors[0];
}

/** Those of `wanted` that are there. Only they are decoded, however many roles users have made. */
async function listed<T extends PolicyObject>(
  registry: RESTStorage,
  context: RESTContext,
  wanted: ReadonlyMap<string, T>,
): Promise<Map<string, T>> {
  const { items } = await registry.list!(context, {
    predicate: everything,
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 0,
    continue: '',
  });
  const existing = new Map<string, T>();
  for (const record of items) {
    const key = keyOf(record.attributes);
    if (wanted.has(key)) existing.set(key, record.object() as T);
  }
  return existing;
}

/** The same, one read each. */
async function readEach<T extends PolicyObject>(
  registry: RESTStorage,
  contextFor: (namespace: string) => RESTContext,
  wanted: ReadonlyMap<string, T>,
): Promise<Map<string, T>> {
  const existing = new Map<string, T>();
  for (const [key, { metadata }] of wanted) {
    try {
      const found = await registry.get!(contextFor(metadata.namespace ?? ''), metadata.name ?? '', {
        resourceVersion: '',
      });
      existing.set(key, (isRecord(found) ? found.object() : found) as T);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return existing;
}

function keyOf({ namespace, name }: { readonly namespace?: string; readonly name?: string }): string {
  return `${namespace ?? ''}/${name ?? ''}`;
}

const accept = (): void => {
  /* the server's own objects need no admission */
};

type Action = Reconciliation<PolicyObject> | { readonly kind: 'create'; readonly object: PolicyObject };

async function write(
  { registry, own }: { readonly registry: RESTStorage; readonly own: OwnWrites },
  context: RESTContext,
  action: Action,
): Promise<void> {
  switch (action.kind) {
    case 'none':
      return;
    case 'create':
      return create(own, context, action.object);
    case 'recreate': {
      const name = action.object.metadata.name ?? '';
      await registry.delete!(context, name, accept, { dryRun: false });
      return create(own, context, action.object);
    }
    case 'update':
      await own.update(context, action.object);
      return;
    default:
      action satisfies never;
  }
}

/** Another process may have been faster; then the next attempt, or its own hook, sees to the object. */
async function create(own: OwnWrites, context: RESTContext, object: PolicyObject): Promise<void> {
  try {
    await own.create(context, object);
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
  }
}
