import {
  append,
  builtinRelease,
  duplicate,
  equalJSON,
  FieldPath,
  invalidValue,
  isDNS1035Label,
  notSupported,
  repeats,
  required,
  validateFullyQualifiedName,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, JSONValue, ReleaseAge } from '@kubechain/apimachinery';
import { beginWithExpressions, validateWebhookTarget } from '@kubechain/apiserver/resources';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Rules } from '../validation/validate.ts';
import { formerExpressions, type IsFormer } from './former-expressions.ts';
import { validateMatchConditions } from './match-conditions-validation.ts';

type Webhook = ValidatingWebhook | MutatingWebhook;
type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

/** What an update lets through because it is stored already. */
interface Allowances {
  readonly anySideEffects: boolean;
  readonly unknownReviews: boolean;
  readonly repeatedNames: boolean;
  readonly invalidSelectorValues: boolean;
  /** No condition changed. */
  readonly anyConditions: boolean;
  readonly isFormerCondition: IsFormer;
}

const none: Omit<Allowances, 'isFormerCondition'> = {
  anySideEffects: false,
  unknownReviews: false,
  repeatedNames: false,
  invalidSelectorValues: false,
  anyConditions: false,
};
const knownReviews: readonly string[] = ['v1', 'v1beta1'];
const safeSideEffects: readonly string[] = ['None', 'NoneOnDryRun'];
const sideEffects: readonly string[] = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced'];
const longestTimeoutSeconds = 30;

/** Rules of both kinds of webhook configurations (pkg/apis/admissionregistration/validation, 1.36). */
export function webhookConfigurationRules(release: ReleaseAge): Rules<Configuration> {
  return {
    create: (configuration, context) => {
      beginWithExpressions(context, conditionsIn(configuration));
      return validateNewWebhooks(configuration, release);
    },
    update: (configuration, { webhooks: old = [] }, context) => {
      beginWithExpressions(context, conditionsIn(configuration));
      const { webhooks = [] } = configuration;
      return validate(webhooks, allowancesOf(old, webhooks, release));
    },
  };
}

function conditionsIn({ webhooks = [] }: Configuration): number {
  return webhooks.reduce((count, { matchConditions = [] }) => count + matchConditions.length, 0);
}

/** What holds of a configuration that is new. */
export function validateNewWebhooks(
  { webhooks = [] }: Configuration,
  release: ReleaseAge = builtinRelease,
): FieldError[] {
  return validate(webhooks, { ...none, isFormerCondition: formerExpressions(release, []) });
}

function allowancesOf(webhooks: readonly Webhook[], changed: readonly Webhook[], release: ReleaseAge): Allowances {
  const conditions = (list: readonly Webhook[]): JSONValue =>
    list.map(({ matchConditions = [] }) => matchConditions.map(({ name, expression }) => ({ name, expression })));
  return {
    isFormerCondition: formerExpressions(
      release,
      webhooks.flatMap(({ matchConditions = [] }) => matchConditions.map(({ expression }) => expression)),
    ),
    anyConditions: equalJSON(conditions(webhooks), conditions(changed)),
    anySideEffects: webhooks.some((webhook) => !safeSideEffects.includes(webhook.sideEffects)),
    unknownReviews: webhooks.some(
      ({ admissionReviewVersions = [] }: Partial<Webhook>) =>
        admissionReviewVersions.length > 0 &&
        !admissionReviewVersions.some((version) => knownReviews.includes(version)),
    ),
    repeatedNames: new Set(webhooks.map(({ name }) => name)).size < webhooks.length,
    invalidSelectorValues: webhooks.some(({ namespaceSelector, objectSelector }) =>
      [namespaceSelector, objectSelector].some(
        (selector) =>
          validateLabelSelector(selector, FieldPath.root).length >
          validateLabelSelector(selector, FieldPath.root, { allowInvalidValues: true }).length,
      ),
    ),
  };
}

function validate(webhooks: readonly Webhook[], allowances: Allowances): FieldError[] {
  const seen = new Set<string>();
  return webhooks.flatMap((webhook, i) => {
    const path = FieldPath.of('webhooks').index(i);
    const errors = [
      ...validateWebhook(webhook, path, allowances),
      ...validateReviewVersions(
        webhook.admissionReviewVersions ?? [],
        path.child('admissionReviewVersions'),
        allowances,
      ),
    ];
    const repeated = (webhook.name ?? '') !== '' && seen.has(webhook.name);
    seen.add(webhook.name);
    if (repeated && !allowances.repeatedNames) errors.push(duplicate(path.child('name'), webhook.name));
    return errors;
  });
}

function validateWebhook(webhook: Webhook, path: FieldPath, allowances: Allowances): FieldError[] {
  const errors = validateFullyQualifiedName(path.child('name'), webhook.name ?? '');
  (webhook.rules ?? []).forEach((rule, i) => {
    append(errors, validateRule(rule, path.child('rules').index(i)));
  });
  const choose = (field: string, value: string | undefined, choices: readonly string[]): void => {
    if (value !== undefined && !choices.includes(value)) errors.push(notSupported(path.child(field), value, choices));
  };
  choose('failurePolicy', webhook.failurePolicy, ['Fail', 'Ignore']);
  choose('matchPolicy', webhook.matchPolicy, ['Equivalent', 'Exact']);
  const allowed = allowances.anySideEffects ? sideEffects : safeSideEffects;
  if (webhook.sideEffects === undefined)
    errors.push(required(path.child('sideEffects'), `must specify one of ${allowed.join(', ')}`));
  choose('sideEffects', webhook.sideEffects, allowed);
  const { timeoutSeconds } = webhook;
  if (timeoutSeconds !== undefined && (timeoutSeconds > longestTimeoutSeconds || timeoutSeconds < 1))
    errors.push(
      invalidValue(path.child('timeoutSeconds'), timeoutSeconds, 'the timeout value must be between 1 and 30 seconds'),
    );
  for (const selector of ['namespaceSelector', 'objectSelector'] as const)
    append(
      errors,
      validateLabelSelector(webhook[selector], path.child(selector), {
        allowInvalidValues: allowances.invalidSelectorValues,
      }),
    );
  if ('reinvocationPolicy' in webhook) choose('reinvocationPolicy', webhook.reinvocationPolicy, ['IfNeeded', 'Never']);
  append(errors, validateWebhookTarget(webhook.clientConfig ?? {}, path.child('clientConfig')));
  if (!allowances.anyConditions)
    append(
      errors,
      validateMatchConditions(webhook.matchConditions ?? [], path.child('matchConditions'), {
        params: false,
        isFormer: allowances.isFormerCondition,
      }),
    );
  return errors;
}

function validateReviewVersions(
  versions: readonly string[],
  path: FieldPath,
  { unknownReviews }: Allowances,
): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${knownReviews.join(', ')}`)];
  const repeated = repeats(versions);
  const errors = versions.flatMap((version, i) =>
    repeated[i] === true
      ? [invalidValue(path.index(i), version, 'duplicate version')]
      : isDNS1035Label(version).map((message) => invalidValue(path.index(i), version, message)),
  );
  if (!unknownReviews && !versions.some((version) => knownReviews.includes(version)))
    errors.push(invalidValue(path, versions, `must include at least one of ${knownReviews.join(', ')}`));
  return errors;
}

/** What is wrong with the rule of a webhook, or of an admission policy. */
export function validateRule(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const wildcard = (field: string, values: readonly string[], what: string): void => {
    if (values.length === 0) errors.push(required(path.child(field)));
    if (values.length > 1 && values.includes('*'))
      errors.push(invalidValue(path.child(field), values, `if '*' is present, must not specify other ${what}`));
  };
  wildcard('operations', rule.operations ?? [], 'operations');
  (rule.operations ?? []).forEach((operation, i) => {
    if (!operations.includes(operation))
      errors.push(notSupported(path.child('operations').index(i), operation, operations));
  });
  wildcard('apiGroups', rule.apiGroups ?? [], 'API groups');
  wildcard('apiVersions', rule.apiVersions ?? [], 'API versions');
  (rule.apiVersions ?? []).forEach((version, i) => {
    if (version === '') errors.push(required(path.child('apiVersions').index(i)));
  });
  append(errors, validateResources(rule.resources ?? [], path.child('resources')));
  if (rule.scope !== undefined && !scopes.includes(rule.scope))
    errors.push(notSupported(path.child('scope'), rule.scope, scopes));
  return errors;
}

function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const withAllSubresources = new Set<string>();
  const ofAllResources = new Set<string>();
  let plain = false;
  resources.forEach((pattern, i) => {
    const at = path.index(i);
    if (pattern === '') {
      errors.push(required(at));
      return;
    }
    const slash = pattern.indexOf('/');
    // The last one without a subresource decides, as in the reference.
    if (slash < 0) {
      plain = pattern !== '*';
      return;
    }
    const resource = pattern.slice(0, slash);
    const subresource = pattern.slice(slash + 1);
    if (withAllSubresources.has(resource))
      errors.push(invalidValue(at, pattern, `if '${resource}/*' is present, must not specify ${pattern}`));
    if (ofAllResources.has(subresource))
      errors.push(invalidValue(at, pattern, `if '*/${subresource}' is present, must not specify ${pattern}`));
    if (subresource === '*') withAllSubresources.add(resource);
    if (resource === '*') ofAllResources.add(subresource);
  });
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  if (plain && resources.includes('*'))
    errors.push(
      invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  return errors;
}
