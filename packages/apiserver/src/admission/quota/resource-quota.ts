import { isStorageError } from '@kubechain/shared-storage';
import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { admissionForbidden } from '../admission-error.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../admission.ts';
import {
  addAmounts,
  describeAmounts,
  exceeding,
  formatAmounts,
  growth,
  maskAmounts,
  parseAmounts,
  withoutZeros,
  type Amounts,
  matchesQuota,
  objectCountEvaluator,
  scopesOf,
  type QuotaEvaluator,
} from '@kubechain/component-helpers';
import { waitForReady } from '../wait-for-ready.ts';
import { describeScopes, limitedNames, uncoveredScopes, type LimitedResource } from './limited-resources.ts';
import type { QuotaSource, StoredQuota } from './quota-source.ts';

/** What is never counted: reviews and bindings are not kept, events were never limited. `resource.group`. */
const uncounted: ReadonlySet<string> = new Set([
  'bindings.',
  'componentstatuses.',
  'events.',
  'events.events.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
]);

export interface ResourceQuotaOptions {
  readonly quotas: Pick<QuotaSource, 'of' | 'charge' | 'hasSynced' | 'waitForSync'>;
  /** By `resource.group`; objects of all other resources are counted. */
  readonly evaluators?: ReadonlyMap<string, QuotaEvaluator>;
  /** What may only be used where a quota covers it; default nothing. */
  readonly limited?: readonly LimitedResource[];
}

/**
 * Refuses what would exceed a quota of its namespace, and writes down what is used (admission/plugin/resourcequota,
 * 1.36). What is freed is a controller's to find out. Each quota is charged by compare-and-swap, and checked once
 * more as it is, so that processes side by side never give away more than there is.
 */
export class ResourceQuota implements AdmissionPlugin {
  readonly name = 'ResourceQuota';
  readonly #quotas: ResourceQuotaOptions['quotas'];
  readonly #evaluators: Map<string, QuotaEvaluator>;
  readonly #limited: readonly LimitedResource[];

  constructor({ evaluators, limited = [], quotas }: ResourceQuotaOptions) {
    this.#limited = limited;
    this.#quotas = quotas;
    this.#evaluators = new Map(evaluators);
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const { namespace, object, resource } = attributes;
    const key = `${resource.resource}.${resource.group}`;
    if (namespace === '' || object === undefined || key === 'namespaces.' || uncounted.has(key)) return undefined;
    return (
      waitForReady(attributes, this.#quotas)?.then(() => this.#validate(attributes, key)) ??
      this.#validate(attributes, key)
    );
  }

  #validate(attributes: AdmissionAttributes, key: string): void | Promise<void> {
    const { namespace, operation } = attributes;
    const quotas = this.#quotas.of(namespace);
    if (quotas.length === 0 && this.#limited.length === 0) return undefined;
    const evaluator = this.#evaluatorOf(key, attributes);
    if (!evaluator.handles(attributes)) return undefined;
    if (operation === 'UPDATE' && attributes.oldObject === undefined)
      throw admissionForbidden(attributes, 'unable to get previous usage since prior version of object was not found');
    return this.#check(attributes, evaluator, quotas);
  }

  #evaluatorOf(key: string, { resource }: AdmissionAttributes): QuotaEvaluator {
    let evaluator = this.#evaluators.get(key);
    if (evaluator === undefined)
      this.#evaluators.set(
        key,
        (evaluator = objectCountEvaluator({ group: resource.group, resource: resource.resource })),
      );
    return evaluator;
  }

  async #check(
    attributes: AdmissionAttributes,
    evaluator: QuotaEvaluator,
    quotas: readonly StoredQuota[],
  ): Promise<void> {
    const { dryRun, namespace, object = {}, objects } = attributes;
    const usage = evaluator.usage(object);
    const negative = [...usage]
      .filter(([, quantity]) => quantity.sign < 0)
      .map(([name]) => name)
      .sort(byText);
    const interesting: StoredQuota[] = [];
    // A look at each quota takes as long as it has names, and as the object has containers.
    for (const quota of quotas) {
      if (matches(evaluator, quota, object)) interesting.push(quota);
      await objects.rest();
    }
    for (const quota of interesting) {
      checkConstraints(attributes, evaluator, quota);
      await objects.rest();
    }
    if (negative.length > 0)
      throw admissionForbidden(attributes, `quota usage is negative for resource(s): ${negative.join(',')}`);
    const charges: { readonly name: string; readonly quota: StoredQuota; readonly delta: Amounts }[] = [];
    for (const quota of interesting) {
      const delta = deltaOf(attributes, evaluator, { quota, usage });
      if (delta.size > 0) charges.push({ name: quota.metadata?.name ?? '', quota, delta });
      await objects.rest();
    }
    const uses = interesting.length === 0 ? growthOf(attributes, evaluator, usage).size > 0 : charges.length > 0;
    if (uses && this.#limited.length > 0) this.#requireCover(attributes, evaluator, { usage, quotas, interesting });
    // All quotas are looked at before any is charged.
    for (const { delta, quota } of charges) {
      sumWith(attributes, quota, delta);
      await objects.rest();
    }
    if (dryRun) return;
    for (const { delta, name } of charges) {
      try {
        await this.#quotas.charge(namespace, name, (quota) => usedWith(attributes, quota, delta));
      } catch (error) {
        if (!isStorageError(error, 'KeyNotFound')) throw error;
      }
    }
  }

  /** @throws StatusError where a limited thing is used that no quota covers */
  #requireCover(
    attributes: AdmissionAttributes,
    evaluator: QuotaEvaluator,
    { interesting, quotas, usage }: Cover,
  ): void {
    const { object = {}, resource } = attributes;
    const restricted = new Set(
      interesting.flatMap(({ status }) => evaluator.matchingResources(Object.keys(status?.hard ?? {}))),
    );
    const names = limitedNames(this.#limited, { resource, usage }).filter((name) => !restricted.has(name));
    if (names.length > 0)
      throw admissionForbidden(attributes, `insufficient quota to consume: ${names.sort(byText).join(',')}`);
    const covered = quotas
      .flatMap(({ spec }) => scopesOf(spec))
      .filter((scope) => evaluator.matchesScope(scope, object));
    const scopes = uncoveredScopes(this.#limited, covered, { evaluator, object });
    if (scopes.length > 0)
      throw new StatusError({
        status: 'Failure',
        message: `insufficient quota to match these scopes: ${describeScopes(scopes)}`,
        code: 500,
      });
  }
}

/** What a write uses, and the quotas of its namespace: all, and those that count it. */
interface Cover {
  readonly usage: Amounts;
  readonly quotas: readonly StoredQuota[];
  readonly interesting: readonly StoredQuota[];
}

/** What a write that no quota counts uses more than before. */
function growthOf({ oldObject, operation }: AdmissionAttributes, evaluator: QuotaEvaluator, usage: Amounts): Amounts {
  return withoutZeros(
    operation === 'UPDATE' && (oldObject?.metadata?.resourceVersion ?? '') !== ''
      ? growth(usage, evaluator.usage(oldObject ?? {}))
      : usage,
  );
}

function matches(evaluator: QuotaEvaluator, { spec, status }: StoredQuota, object: KubeObject): boolean {
  return matchesQuota(evaluator, { spec, names: Object.keys(status?.hard ?? {}) }, object);
}

/** @throws StatusError where the object does not say what it must, or the quota not what is used */
function checkConstraints(
  attributes: AdmissionAttributes,
  evaluator: QuotaEvaluator,
  { metadata, status }: StoredQuota,
): void {
  const name = metadata?.name ?? '';
  const restricted = evaluator.matchingResources(Object.keys(status?.hard ?? {}));
  const problem = evaluator.constraint?.(restricted, attributes.object ?? {});
  if (problem !== undefined) throw admissionForbidden(attributes, `failed quota: ${name}: ${problem}`);
  if (restricted.some((resource) => status?.used?.[resource] === undefined))
    throw admissionForbidden(
      attributes,
      `status unknown for quota: ${name}, resources: ${[...restricted].sort(byText).join(',')}`,
    );
}

/** What a write adds to a quota: all that the object uses, or the growth of an object that the quota counts already. */
function deltaOf(
  { oldObject, operation }: AdmissionAttributes,
  evaluator: QuotaEvaluator,
  { quota, usage }: { readonly quota: StoredQuota; readonly usage: Amounts },
): Amounts {
  const counted =
    operation === 'UPDATE' &&
    (oldObject?.metadata?.resourceVersion ?? '') !== '' &&
    matches(evaluator, quota, oldObject ?? {});
  return withoutZeros(counted ? growth(usage, evaluator.usage(oldObject ?? {})) : usage);
}

/** The used amounts with a charge; undefined when the quota limits nothing of it. @throws as {@link sumWith} */
function usedWith(
  attributes: AdmissionAttributes,
  quota: StoredQuota,
  delta: Amounts,
): Record<string, string> | undefined {
  const sum = sumWith(attributes, quota, delta);
  if (sum === undefined) return undefined;
  return formatAmounts(new Map([...parseAmounts(quota.status?.used), ...sum]));
}

/**
 * What will be used of that which is charged; undefined when the quota limits nothing of it. Nothing else of the quota
 * is read, which may have tens of thousands of names. @throws StatusError when that is too much
 */
function sumWith(
  attributes: AdmissionAttributes,
  { metadata, status }: StoredQuota,
  delta: Amounts,
): Amounts | undefined {
  const { hard = {}, used = {} } = status ?? {};
  const requested = new Map([...delta].filter(([name]) => Object.hasOwn(hard, name)));
  if (requested.size === 0) return undefined;
  const of = (list: Readonly<Record<string, string>>): Amounts =>
    parseAmounts(Object.fromEntries([...requested.keys()].flatMap((name) => entryOf(list, name))));
  const [limit, before] = [of(hard), of(used)];
  const sum = addAmounts(before, requested);
  if (attributes.subresource === 'status') return sum;
  const over = new Set(exceeding(sum, limit));
  if (over.size > 0) {
    const told = (amounts: Amounts): string => describeAmounts(maskAmounts(amounts, over));
    throw admissionForbidden(
      attributes,
      `exceeded quota: ${metadata?.name ?? ''}, requested: ${told(requested)}, used: ${told(before)}, ` +
        `limited: ${told(limit)}`,
    );
  }
  return sum;
}

function entryOf(list: Readonly<Record<string, string>>, name: string): [string, string][] {
  const text = Object.hasOwn(list, name) ? list[name] : undefined;
  return text === undefined ? [] : [[name, text]];
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
