import {
  aggregateTexts,
  append,
  FieldPath,
  operatorErrors,
  invalid,
  invalidValue,
  parseFieldSelector,
  parseLabelSelector,
  required,
  validateLabelRequirement as validateLabelRequirementAt,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import { metadataForm } from '../validation/internal-form.ts';
import type { AuthorizationAttributes, Authorizer, UserInfo } from '@kubechain/apiserver/resources';

interface SelectorAttributes {
  rawSelector?: string;
  requirements?: { key?: string; operator?: string; values?: string[] }[];
}
interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: SelectorAttributes;
  labelSelector?: SelectorAttributes;
}
/** spec of all three access reviews. */
export interface AccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  groups?: string[];
  uid?: string;
  extra?: Record<string, string[]>;
}

/** The spec of a review, {} when it has none. */
export function reviewSpec(review: KubeObject): AccessReviewSpec {
  return (review['spec'] ?? {}) as AccessReviewSpec;
}

const exactlyOne = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

export interface ReviewRules {
  /** The review names its subject (all but SelfSubjectAccessReview). */
  readonly subject: boolean;
  /** LocalSubjectAccessReview: the namespace of the review. */
  readonly local?: boolean;
  readonly release: ReleaseAge;
}

/** Refuses a malformed review (pkg/apis/authorization/validation, 1.36). @throws StatusError Invalid */
export function validateReview(review: KubeObject, rules: ReviewRules): void {
  const spec = reviewSpec(review);
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  const { nonResourceAttributes, resourceAttributes } = spec;
  const isNew = rules.release.since('1.37');
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    errors.push(
      isNew
        ? invalidValue(path, printed(nonResourceAttributes), exactlyOne)
        : invalidValue(
            path.child('nonResourceAttributes'),
            printed(nonResourceAttributes),
            'cannot be specified in combination with resourceAttributes',
          ),
    );
  if (resourceAttributes === undefined && nonResourceAttributes === undefined)
    errors.push(invalidValue(isNew ? path : path.child('resourceAttributes'), null, exactlyOne));
  if (rules.subject && (spec.user ?? '') === '' && (spec.groups ?? []).length === 0)
    errors.push(invalidValue(path.child('user'), '', 'at least one of user or group must be specified'));
  const { fieldSelector, labelSelector } = spec.resourceAttributes ?? {};
  const attributes = path.child('resourceAttributes');
  append(errors, validateSelector(fieldSelector, attributes.child('fieldSelector'), validateFieldRequirement));
  append(errors, validateSelector(labelSelector, attributes.child('labelSelector'), validateLabelRequirement));

  const { managedFields: _managed, ...metadata } = review.metadata ?? {};
  const namespace = metadata.namespace ?? '';
  if (rules.local === true) delete metadata.namespace;
  if (Object.values(metadata).some((value) => value !== undefined && value !== null && value !== '')) {
    errors.push(
      invalidValue(
        'metadata',
        metadataForm(review.metadata),
        rules.local === true ? 'must be empty except for namespace' : 'must be empty',
      ),
    );
  }
  if (rules.local === true) {
    if (spec.resourceAttributes !== undefined && (spec.resourceAttributes.namespace ?? '') !== namespace) {
      errors.push(
        invalidValue(
          path.child('resourceAttributes').child('namespace'),
          spec.resourceAttributes.namespace ?? '',
          'must match metadata.namespace',
        ),
      );
    }
    if (spec.nonResourceAttributes !== undefined)
      errors.push(
        invalidValue(
          path.child('nonResourceAttributes'),
          printed(spec.nonResourceAttributes),
          'disallowed on this kind of request',
        ),
      );
  }
  // The reference leaves the kind out of these errors.
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

/** Printed under the names of Go's fields. */
function printed({ path = '', verb = '' }: { readonly path?: string; readonly verb?: string }): object {
  return { Path: path, Verb: verb };
}

type Requirement = NonNullable<SelectorAttributes['requirements']>[number];

function validateSelector(
  selector: SelectorAttributes | undefined,
  path: FieldPath,
  validate: (requirement: Requirement, path: FieldPath) => FieldError[],
): FieldError[] {
  if (selector === undefined) return [];
  const raw = selector.rawSelector ?? '';
  const requirements = selector.requirements ?? [];
  const errors: FieldError[] = [];
  if (raw !== '' && requirements.length > 0)
    errors.push(invalidValue(path.child('rawSelector'), raw, 'may not specified at the same time as requirements'));
  if (raw === '' && requirements.length === 0)
    errors.push(
      required(
        path.child('requirements'),
        `when ${path.toString()} is specified, requirements or rawSelector is required`,
      ),
    );
  requirements.forEach((requirement, i) => {
    append(errors, validate(requirement, path.child('requirements').index(i)));
  });
  return errors;
}

/** Operators that this version does not know pass: a newer client may have sent them. */
function validateLabelRequirement({ key = '', operator = '', values }: Requirement, path: FieldPath): FieldError[] {
  return validateLabelRequirementAt({ key, operator, ...(values === undefined ? {} : { values }) }, path, {
    allowUnknownOperators: true,
  });
}

/** meta/v1 validation ValidateFieldSelectorRequirement. */
function validateFieldRequirement(
  { key = '', operator = '', values = [] }: Requirement,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (key === '') errors.push(required(path.child('key'), 'must be specified'));
  append(errors, operatorErrors(operator, values, path) ?? []);
  return errors;
}

/** What a review asks of the authorizer. */
function reviewAttributes(spec: AccessReviewSpec, user: UserInfo): AuthorizationAttributes {
  const resource = spec.resourceAttributes;
  if (resource === undefined) {
    return {
      user,
      verb: spec.nonResourceAttributes?.verb ?? '',
      resourceRequest: false,
      path: spec.nonResourceAttributes?.path ?? '',
      namespace: '',
      apiGroup: '',
      apiVersion: '',
      resource: '',
      subresource: '',
      name: '',
    };
  }
  const fieldSelector = readSelector(resource.fieldSelector, fieldSyntax)?.text;
  const labelSelector = readSelector(resource.labelSelector, labelSyntax)?.text;
  return {
    user,
    verb: resource.verb ?? '',
    resourceRequest: true,
    path: '',
    namespace: resource.namespace ?? '',
    apiGroup: resource.group ?? '',
    apiVersion: (resource.version ?? '') === '' ? '*' : (resource.version ?? ''),
    resource: resource.resource ?? '',
    subresource: resource.subresource ?? '',
    name: resource.name ?? '',
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

/**
 * How one kind of selector is written: what cannot be written is left out, which asks for more rights rather than for
 * less.
 */
interface SelectorSyntax {
  readonly parse: (text: string) => unknown;
  readonly requirement: (key: string, operator: string, values: readonly string[]) => string | undefined;
}

const labelSyntax: SelectorSyntax = {
  parse: parseLabelSelector,
  requirement(key, operator, values) {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`;
      case 'NotIn':
        return `${key} notin (${values.join(',')})`;
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
      default:
        return undefined;
    }
  },
};

const fieldSyntax: SelectorSyntax = {
  parse: (text) => parseFieldSelector(text),
  requirement(key, operator, [value, ...more]) {
    if (value === undefined || more.length > 0) return undefined;
    return operator === 'In'
      ? `${key}=${escapeFieldValue(value)}`
      : operator === 'NotIn'
        ? `${key}!=${escapeFieldValue(value)}`
        : undefined;
  },
};

function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, String.raw`\$&`);
}

/** A selector of a review as text; `ignored` tells what of it could not be read. */
function readSelector(
  selector: SelectorAttributes | undefined,
  syntax: SelectorSyntax,
): { readonly text?: string; readonly ignored?: 'ignored' | 'partially ignored' } | undefined {
  if (selector === undefined) return undefined;
  const raw = selector.rawSelector ?? '';
  if (raw !== '') return parses(raw, syntax) ? { text: raw } : { ignored: 'ignored' };
  const requirements = selector.requirements ?? [];
  const texts = requirements.flatMap(({ key = '', operator = '', values = [] }) => {
    const text = syntax.requirement(key, operator, values);
    return text !== undefined && parses(text, syntax) ? [text] : [];
  });
  if (texts.length === requirements.length) return { text: texts.join(',') };
  return texts.length === 0 ? { ignored: 'ignored' } : { text: texts.join(','), ignored: 'partially ignored' };
}

function parses(text: string, { parse }: SelectorSyntax): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * What of a review's selectors the answer does not consider (BuildEvaluationError of pkg/registry/authorization/util,
 * 1.36); empty if all.
 */
function selectorProblems({ resourceAttributes }: AccessReviewSpec): string {
  return (
    [
      ['fieldSelector', fieldSyntax],
      ['labelSelector', labelSyntax],
    ] as const
  )
    .flatMap(([field, syntax]) => {
      const ignored = readSelector(resourceAttributes?.[field], syntax)?.ignored;
      return ignored === undefined ? [] : [`spec.resourceAttributes.${field} ${ignored} due to parse error`];
    })
    .join('; ');
}

/** The user that a review asks about. */
export function reviewUser(spec: AccessReviewSpec): UserInfo {
  const extra =
    spec.extra === undefined
      ? undefined
      : Object.fromEntries(Object.entries(spec.extra).map(([key, values]) => [key.toLowerCase(), values]));
  return {
    name: spec.user ?? '',
    groups: spec.groups ?? [],
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** SubjectAccessReviewStatus: what a user may do of what a spec asks for. */
export async function reviewStatus(
  authorizer: Authorizer,
  spec: AccessReviewSpec,
  user: UserInfo,
): Promise<KubeObject> {
  const { decision, error, reason } = await authorizer.authorize(reviewAttributes(spec, user));
  const evaluationError = aggregateTexts([error?.message ?? '', selectorProblems(spec)].filter((text) => text !== ''));
  return {
    allowed: decision === 'Allow',
    ...(decision === 'Deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}
