import {
  StatusError,
  badRequest,
  formatTime,
  invalid,
  invalidValue,
  selectorFromObject,
  tooManyRequests,
  unclassifiedError,
} from '@kubechain/apimachinery';
import type { Clock, KubeObject, LabelSelectorObject } from '@kubechain/apimachinery';
import { deleteParameters, everything, interpretStorageError, isRecord } from '@kubechain/apiserver/resources';
import type { DeleteOptions, RESTContext, RESTStorage, Store } from '@kubechain/apiserver/resources';
import { createOnly } from '../../create-only.ts';
import type { PodView } from './strategy.ts';

interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}
interface DisruptionBudget extends KubeObject {
  spec?: { selector?: LabelSelectorObject; unhealthyPodEvictionPolicy?: string };
  status?: {
    disruptionsAllowed?: number;
    observedGeneration?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    disruptedPods?: Record<string, string>;
    conditions?: Condition[];
  };
}
interface EvictionBody extends KubeObject {
  deleteOptions?: {
    gracePeriodSeconds?: number;
    propagationPolicy?: NonNullable<DeleteOptions['propagationPolicy']>;
    preconditions?: { uid?: string; resourceVersion?: string };
    dryRun?: string[];
    ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  };
}

const budgets = { group: 'policy', resource: 'poddisruptionbudgets' };
/** More names than this in status.disruptedPods mean that nobody is looking after the budget. */
const maxDisruptedPods = 2000;

/** Where an eviction reads and writes. */
interface EvictionStorages {
  readonly pods: Store;
  readonly status: RESTStorage;
  readonly disruptionBudgets: () => Store;
  readonly clock: Clock;
}

/** pods/eviction: deletes a pod if its disruption budget allows (pkg/registry/core/pod/storage EvictionREST, 1.36). */
export function podEviction({ clock, disruptionBudgets, pods, status }: EvictionStorages): RESTStorage {
  return {
    ...createOnly({
      kind: 'Eviction',
      namespaced: true,
      groupVersionKind: () => ({ group: 'policy', version: 'v1', kind: 'Eviction' }),
      check: (eviction, name, { options }) => {
        if (name !== (eviction.metadata?.name ?? ''))
          throw badRequest('name in URL does not match name in Eviction object');
        if ((eviction as EvictionBody).deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential === true)
          throw unsafeEviction(name);
        if (options.dryRun) refuseOtherDryRun(eviction as EvictionBody);
      },
      answer: async (object, name, context) => {
        const options = deleteOptions(object as EvictionBody, context.options.dryRun);
        const pod = (await pods.get(context, name, {})).object();
        if (!ignoresBudgets(pod))
          await takeDisruption(disruptionBudgets(), pod, { context, clock, dryRun: options.dryRun });
        const preconditions = options.dryRun
          ? options.preconditions
          : await markEvicted(status, { context, name, preconditions: options.preconditions }, clock);
        checkDeleteOptions(object as EvictionBody);
        await pods.delete(context, name, () => undefined, {
          ...options,
          ...(preconditions === undefined ? {} : { preconditions }),
        });
        return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
      },
    }),
    acceptsGroupVersion: ({ group, version }) => group === 'policy' && (version === 'v1' || version === 'v1beta1'),
  };
}

interface Marked {
  readonly context: RESTContext;
  readonly name: string;
  readonly preconditions: DeleteOptions['preconditions'];
}

/**
 * Says in the pod's status why it goes. A pod that is not the one meant stays as it is: deleting it will say so.
 * @returns preconditions for deleting what has been written
 */
async function markEvicted(
  status: RESTStorage,
  { context, name, preconditions }: Marked,
  clock: Clock,
): Promise<DeleteOptions['preconditions']> {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  let meant = true;
  const written = await status.update?.(
    context,
    name,
    {
      preconditions: undefined,
      updatedObject: (_context, old) => {
        const { resourceVersion, uid } = old.metadata ?? {};
        meant =
          (preconditions?.uid ?? uid) === uid &&
          (preconditions?.resourceVersion ?? resourceVersion) === resourceVersion;
        if (!meant) return old;
        const pod = structuredClone(old) as KubeObject & { status?: { conditions?: Condition[] } };
        setCondition(((pod.status ??= {}).conditions ??= []), condition, clock);
        return pod;
      },
    },
    {
      dryRun: false,
      forceAllowCreate: false,
      fieldManager: '',
      fieldValidation: '',
      validateCreate: () => undefined,
      validateUpdate: () => undefined,
    },
  );
  return meant && preconditions?.resourceVersion !== undefined && written !== undefined && isRecord(written.result)
    ? { ...preconditions, resourceVersion: String(written.result.revision) }
    : preconditions;
}

/** Changes what a condition says; the time is that of the last change of its status. */
function setCondition(conditions: Condition[], condition: Condition, clock: Clock): void {
  const known = conditions.find(({ type }) => type === condition.type);
  const changed = known?.status !== condition.status ? { lastTransitionTime: formatTime(clock.now()) } : {};
  if (known === undefined) conditions.push({ ...condition, ...changed });
  else Object.assign(known, condition, changed);
}

/** The reference answers with the bare text: whoever asks for a dry run may not ask for another in the body. */
function refuseOtherDryRun({ deleteOptions: options }: EvictionBody): void {
  const inBody = options?.dryRun ?? [];
  if (inBody.length > 0 && (inBody.length > 1 || inBody[0] !== 'All'))
    throw unclassifiedError(`Non-matching dry-run options in request and content: [All] and [${inBody.join(' ')}]`);
}

/** A pod that cannot be read cannot be held against a budget. */
function unsafeEviction(name: string): StatusError {
  return invalid({ group: 'policy', kind: 'Eviction' }, name, [
    invalidValue(
      'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential',
      true,
      'can not be set for pod eviction, try after removing the option',
    ),
  ]);
}

/** Options in the body are checked when the pod goes, not before. @throws StatusError Invalid */
function checkDeleteOptions({ deleteOptions: options }: EvictionBody): void {
  if (options !== undefined) deleteParameters(structuredClone(options) as KubeObject, { unsafeDeletion: false });
}

function deleteOptions(eviction: EvictionBody, dryRun: boolean): DeleteOptions {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: inBody } = eviction.deleteOptions ?? {};
  return {
    dryRun: dryRun || (inBody?.length ?? 0) > 0,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
}

/** Pods that run nothing yet, or no more, disturb nobody. */
function ignoresBudgets(pod: KubeObject): boolean {
  const phase = (pod as PodView).status?.phase ?? '';
  return (
    phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || pod.metadata?.deletionTimestamp !== undefined
  );
}

function isReady(pod: KubeObject): boolean {
  const conditions =
    (pod['status'] as { conditions?: { type?: string; status?: string }[] } | undefined)?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

interface DisruptionCall {
  readonly context: RESTContext;
  readonly clock: Clock;
  readonly dryRun: boolean;
}

/** Counts the disruption against the pod's budget. @throws StatusError TooManyRequests when there is none left */
async function takeDisruption(store: Store, pod: KubeObject, call: DisruptionCall): Promise<void> {
  const { items } = await store.list(call.context, {
    predicate: everything,
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 0,
    continue: '',
  });
  const matching = items
    .map((item) => item.object() as DisruptionBudget)
    .filter((budget) => selectorFromObject(budget.spec?.selector).matches(pod.metadata?.labels ?? {}));
  if (matching.length > 1)
    throw new StatusError({
      status: 'Failure',
      code: 500,
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  const budget = matching[0];
  if (budget === undefined || unhealthyMayGo(pod, budget)) return;
  const name = budget.metadata?.name ?? '';
  try {
    const key = store.key(call.context, name);
    if (call.dryRun) {
      count(budget, pod, call.clock);
      return;
    }
    await store.storage.guaranteedUpdate(
      key,
      ({ object }) => ({ object: count((object ?? {}) as DisruptionBudget, pod, call.clock) }),
      { signal: call.context.request.signal },
    );
  } catch (error) {
    throw interpretStorageError(error, 'update', budgets, name);
  }
}

function unhealthyMayGo(pod: KubeObject, budget: DisruptionBudget): boolean {
  if (isReady(pod)) return false;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return (
    budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' ||
    (currentHealthy >= desiredHealthy && desiredHealthy > 0)
  );
}

function count(budget: DisruptionBudget, pod: KubeObject, clock: Clock): DisruptionBudget {
  const name = budget.metadata?.name ?? '';
  const status = (budget.status ??= {});
  const allowed = status.disruptionsAllowed ?? 0;
  if ((status.observedGeneration ?? 0) < (budget.metadata?.generation ?? 0))
    throw refused(`The disruption budget ${name} is still being processed by the server.`);
  if (allowed < 0)
    throw new StatusError({
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message: `poddisruptionbudgets.policy "${name}" is forbidden: pdb disruptions allowed is negative`,
    });
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods)
    throw new StatusError({
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message:
        `poddisruptionbudgets.policy "${name}" is forbidden: DisruptedPods map too big - too many evictions not ` +
        'confirmed by PDB controller',
    });
  if (allowed === 0)
    throw refused(
      `The disruption budget ${name} needs ${status.desiredHealthy ?? 0} healthy pods and has ` +
        `${status.currentHealthy ?? 0} currently`,
    );
  status.disruptionsAllowed = allowed - 1;
  if (status.disruptionsAllowed === 0)
    setCondition(
      (status.conditions ??= []),
      {
        type: 'DisruptionAllowed',
        status: 'False',
        reason: 'InsufficientPods',
        message: '',
        observedGeneration: status.observedGeneration ?? 0,
      },
      clock,
    );
  status.disruptedPods = { ...status.disruptedPods, [pod.metadata?.name ?? '']: formatTime(clock.now()) };
  return budget;
}

function refused(cause: string): StatusError {
  const error = tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    cause.includes('still being processed') ? 10 : 0,
  );
  error.status.details = { ...error.status.details, causes: [{ reason: 'DisruptionBudget', message: cause }] };
  return error;
}
