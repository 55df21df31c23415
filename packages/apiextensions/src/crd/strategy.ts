import { schemaFor, toWireForm } from '@kubechain/apimachinery';
import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import { beginWithExpressions } from '@kubechain/apiserver/resources';
import type { RESTContext, Strategy } from '@kubechain/apiserver/resources';
import { isDeepStrictEqual } from 'node:util';
import { celRuleChecker } from '../cel/cel-rule-checker.ts';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { structuralProblem } from '../schema/structural-problem.ts';
import { forEachSchema } from '../schema/walk.ts';
import type { RuleChecker } from '../validation/rule-checker.ts';
import { schemasOf, validateCRD, validateCRDStatus } from '../validation/crd.ts';
import { problemsOfPatterns } from '../validation/pattern-problems.ts';
import { orderValues } from './ordered-values.ts';
import { setWarnings } from '../validation/list-type-warnings.ts';
import { formatWarnings } from '../validation/unrecognized-formats.ts';

/**
 * CustomResourceDefinitions: status is the server's, and remembers each version that objects may be stored in
 * (pkg/registry/customresourcedefinition/strategy.go, 1.36).
 */
export const customResourceDefinitionStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  resetFields: ['status'],
  prepareForCreate(object) {
    const crd = object as CustomResourceDefinition;
    orderValues(object);
    crd.metadata.generation = 1;
    const storage = declaredStorageVersion(crd.spec);
    crd.status = { storedVersions: storage === undefined ? [] : [storage] };
  },
  prepareForUpdate(object, old) {
    const crd = object as CustomResourceDefinition;
    const before = old as CustomResourceDefinition;
    orderValues(object);
    crd.status = structuredClone(before.status ?? {});
    const stored = crd.status.storedVersions ?? [];
    const storage = declaredStorageVersion(crd.spec);
    if (storage !== undefined && !stored.includes(storage)) crd.status.storedVersions = [...stored, storage];
    crd.metadata.generation = (before.metadata.generation ?? 0) + (isSameSpec(crd, before) ? 0 : 1);
  },
  ...validationBy(celRuleChecker),
  warningsOnCreate: (object) => formatWarnings(object),
  warningsOnUpdate: (object, old) => formatWarnings(object, old),
};

function validationBy(rules: RuleChecker): Pick<Strategy, 'validate' | 'validateUpdate'> {
  const validated = async (
    object: KubeObject,
    old: KubeObject | undefined,
    context: RESTContext,
  ): Promise<readonly FieldError[]> => {
    const { turns } = context;
    beginWithExpressions(context, rulesIn(schemasOf(object)));
    const pause = (): Promise<void> | undefined => turns?.next();
    return validateCRD(object, old, {
      rules,
      patternProblem: await problemsOfPatterns(schemasOf(object, old), pause),
    });
  };
  return {
    validate: (object, context) => validated(object, undefined, context),
    validateUpdate: (object, old, context) => validated(object, old, context),
  };
}

/** How many rules schemas have, and expressions for what is told of them. */
function rulesIn(schemas: readonly JSONSchemaProps[]): number {
  let count = 0;
  for (const schema of schemas) {
    if (structuralProblem(schema) !== undefined) continue;
    forEachSchema(schema, ({ 'x-kubernetes-validations': rules = [] }) => {
      for (const { messageExpression = '' } of rules) count += messageExpression === '' ? 1 : 2;
    });
  }
  return count;
}

/** The strategy in a release. @param rules what looks at CEL rules of definitions */
export function customResourceDefinitionStrategyOf(release: ReleaseAge, rules = celRuleChecker): Strategy {
  const strategy = { ...customResourceDefinitionStrategy, ...validationBy(rules) };
  if (!release.since('1.37'))
    return {
      ...strategy,
      warningsOnCreate: (object) => formatWarnings(object, undefined, release),
      warningsOnUpdate: (object, old) => formatWarnings(object, old, release),
    };
  return {
    ...strategy,
    warningsOnCreate: (object) => [...formatWarnings(object), ...setWarnings(object)],
    warningsOnUpdate: (object, old) => [...formatWarnings(object, old), ...setWarnings(object, old)],
  };
}

/** A version that does not say whether it is stored is one that says that it is not, as in Go's types. */
function isSameSpec({ spec }: CustomResourceDefinition, { spec: before }: CustomResourceDefinition): boolean {
  if (isDeepStrictEqual(spec, before)) return true;
  const schema = schemaFor('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition');
  return isDeepStrictEqual(toWireForm({ spec }, schema), toWireForm({ spec: before }, schema));
}

/** The name of the version to store, which nobody has checked yet. */
function declaredStorageVersion(spec: DefaultedSpec | null | undefined): string | undefined {
  const version = spec?.versions?.find(({ storage }) => storage === true);
  return version === undefined ? undefined : (version.name ?? '');
}

/** The status endpoint: the spec stays as it is; metadata may be changed with the status, as in the reference. */
export const customResourceDefinitionStatusStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  resetFields: ['spec'],
  prepareForUpdate(object, old) {
    object['spec'] = old['spec'];
  },
  validateUpdate: (object) => validateCRDStatus(object),
};

/** What decoding sets in a CRD that its schema does not say (pkg/apis/apiextensions/v1/defaults.go, 1.36). */
export function defaultCustomResourceDefinition(object: KubeObject): void {
  const spec = object['spec'] as DefaultedSpec | undefined | null;
  if (spec === undefined || spec === null) return;
  const names = spec.names;
  if (names !== undefined) {
    if ((names.singular ?? '') === '') names.singular = (names.kind ?? '').toLowerCase();
    if ((names.listKind ?? '') === '' && (names.kind ?? '') !== '') names.listKind = `${names.kind}List`;
  }
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  const status = (object['status'] ?? {}) as { storedVersions?: string[] | null };
  if ((status.storedVersions?.length ?? 0) > 0) return;
  const storage = declaredStorageVersion(spec);
  if (storage !== undefined) object['status'] = { ...status, storedVersions: [storage] };
}

/** The parts of a spec that get defaults; nothing has been validated yet. */
interface DefaultedSpec {
  names?: { kind?: string; singular?: string; listKind?: string };
  conversion?: { strategy?: string; webhook?: { clientConfig?: { service?: { port?: number } } } };
  versions?: readonly { readonly name?: string; readonly storage?: boolean }[];
}
