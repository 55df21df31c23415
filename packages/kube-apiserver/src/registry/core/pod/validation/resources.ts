import {
  append,
  FieldError,
  Quantity,
  duplicate,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isGiven,
  notSupported,
  required,
} from '@kubechain/apimachinery';
import type { FieldPath } from '@kubechain/apimachinery';
import type { PodSpec, ResourceClaim, ResourceRequirements } from '@kubechain/apimachinery/types/core/v1';
import { unforgiving } from '../../../capabilities.ts';
import type { Capabilities } from '../../../capabilities.ts';
import {
  isFractional,
  isHugePages,
  isIntegerResource,
  isWholePages,
  mayOvercommit,
  validateContainerResourceName,
  validateResourceName,
} from '../../resource-name.ts';
import { aggregateContainerResources } from '@kubechain/component-helpers';

/** What requests and limits are checked against. */
export interface ResourceRules extends Pick<Capabilities, 'forgives'> {
  /** Names of the pod's claims. */
  readonly claims: ReadonlySet<string>;
  /** Default: a container's. */
  readonly level?: Level;
}

/** Requests and limits of a container (validateResourceRequirements of pkg/apis/core/validation, 1.36). */
export function validateResources(
  resources: ResourceRequirements | undefined,
  path: FieldPath,
  { claims, forgives, level = containerLevel }: ResourceRules,
): FieldError[] {
  if (resources === undefined) return [];
  const { requests = {} } = resources;
  const limits = new Map(Object.entries(resources.limits ?? {}));
  const errors: FieldError[] = [];
  const [limitsPath, requestsPath] = [path.child('limits'), path.child('requests')];
  let hasHugePages = false;
  for (const [name, text] of limits) {
    hasHugePages ||= isHugePages(name);
    append(errors, validateAmount(name, text, { path: limitsPath.key(name), level, forgives }));
  }
  for (const [name, text] of Object.entries(requests)) {
    hasHugePages ||= isHugePages(name);
    append(errors, validateAmount(name, text, { path: requestsPath.key(name), level, forgives }));
    const limit = limits.get(name);
    if (limit === undefined) {
      if (!mayOvercommit(name)) errors.push(required(limitsPath, 'Limit must be set for non overcommitable resources'));
      continue;
    }
    const order = Quantity.parse(text).compare(Quantity.parse(limit));
    if (order !== 0 && !mayOvercommit(name))
      errors.push(invalidValue(requestsPath, text, `must be equal to ${name} limit of ${limit}`));
    else if (order > 0)
      errors.push(invalidValue(requestsPath, text, `must be less than or equal to ${name} limit of ${limit}`));
  }
  const hasOne = (name: string): boolean => limits.has(name) || requests[name] !== undefined;
  if (hasHugePages && !hasOne('cpu') && !hasOne('memory'))
    errors.push(forbiddenValue(path, 'HugePages require cpu or memory'));
  return [...errors, ...validateClaims(resources.claims ?? [], path.child('claims'), claims)];
}

/** References to the pod's claims, whole or to a request of them, each once. */
function validateClaims(claims: readonly ResourceClaim[], path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap(({ name = '', request = '' }: { name?: string; request?: string }, i) => {
    const at = path.index(i);
    if (name === '') return [required(at)];
    const errors: FieldError[] = [];
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      const key = request === '' ? name : `${name}/${request}`;
      if (request !== '')
        append(
          errors,
          isDNS1123Label(request).map((message) => invalidValue(at.child('request'), request, message)),
        );
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === '')
        for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
      seen.add(key);
    }
    if (!known.has(name))
      errors.push(
        new FieldError(
          'FieldValueNotFound',
          at,
          name,
          'must be one of the names in pod.spec.resourceClaims' +
            `${known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`}`,
        ),
      );
    return errors;
  });
}

/** What may be asked for by name at a level. */
interface Level {
  readonly validateName: (name: string, path: FieldPath) => FieldError[];
}

const containerLevel: Level = { validateName: validateContainerResourceName };
const podResources = ['cpu', 'memory'];
const podLevel: Level = {
  validateName: (name, path) => {
    const errors = validateResourceName(name, path);
    return errors.length > 0 || podResources.includes(name) || isHugePages(name)
      ? errors
      : [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
  },
};

/** Resources of a pod as a whole, which its containers share (validatePodResources). */
export function validatePodResources(spec: PodSpec, specPath: FieldPath, rules: ResourceRules): FieldError[] {
  const { resources } = spec;
  const path = specPath.child('resources');
  if (resources === undefined) return [];
  if (spec.os?.name === 'windows') return [forbiddenValue(path, 'may not be set for a windows pod')];
  const errors = !isGiven(resources, 'claims')
    ? []
    : [forbiddenValue(path.child('claims'), 'claims may not be set for Resources at pod-level')];
  append(errors, validateResources(resources, path, { ...rules, level: podLevel }));
  for (const [name, needed] of aggregateContainerResources(spec, 'requests')) {
    const own = resources.requests?.[name];
    if (own !== undefined && needed.compare(Quantity.parse(own)) > 0)
      errors.push(
        invalidValue(
          path.child('requests').key(name),
          own,
          `must be greater than or equal to aggregate container requests of ${needed.toString()}`,
        ),
      );
  }
  for (const [name, needed] of aggregateContainerResources(spec, 'limits')) {
    const own = resources.limits?.[name];
    if (isHugePages(name) && own !== undefined && needed.compare(Quantity.parse(own)) > 0)
      errors.push(
        invalidValue(
          path.child('limits').key(name),
          own,
          `must be greater than or equal to aggregate container limits of ${needed.toString()}`,
        ),
      );
  }
  (spec.containers ?? []).forEach((container, i) => {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const own = resources.limits?.[name];
      if (own !== undefined && Quantity.parse(limit).compare(Quantity.parse(own)) > 0)
        errors.push(
          invalidValue(
            path.child('containers').index(i).key(name).child('limits'),
            limit,
            `must be less than or equal to pod limits of ${own}`,
          ),
        );
    }
  });
  return errors;
}

/** What running a pod takes besides its containers. */
export function validateOverhead(
  overhead: Record<string, string>,
  path: FieldPath,
  { forgives }: Pick<Capabilities, 'forgives'> = unforgiving,
): FieldError[] {
  return validateResources({ limits: overhead }, path, { claims: new Set(), forgives });
}

function validateAmount(
  name: string,
  text: string,
  { forgives, level, path }: { readonly level: Level; readonly path: FieldPath } & Pick<Capabilities, 'forgives'>,
): FieldError[] {
  const errors = level.validateName(name, path);
  const quantity = Quantity.parse(text);
  if (quantity.sign < 0) errors.push(invalidValue(path, text, 'must be greater than or equal to 0'));
  if (isHugePages(name) && !isWholePages(name, quantity) && !forgives('parts of huge pages'))
    errors.push(invalidValue(path, text, `${text} is not positive integer multiple of ${name}`));
  if (isFractional(quantity) && isIntegerResource(name)) errors.push(invalidValue(path, text, 'must be an integer'));
  return errors;
}
