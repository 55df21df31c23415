import {
  FormatError,
  applyJSONPatch,
  decodeJSONPatch,
  formatGroupVersion,
  isFormatError,
  isStatusError,
  mergeConfiguration,
} from '@kubechain/apimachinery';
import type { JSONValue, KubeObject, Schema } from '@kubechain/apimachinery';
import { JSONPatchValue, configurationOf, isCelError, isTooLargeToKeep, misplacedObjects } from '@kubechain/cel';
import type { CelList } from '@kubechain/cel';
import { Activation, costBudget } from '../cel/activation.ts';
import type { ActivationInput } from '../cel/activation.ts';
import type { Composition } from '../cel/composition.ts';
import { compileAdmissionExpression, resultTypes } from '../cel/expression.ts';
import type { Expression } from '../cel/expression.ts';
import type { StoredMutation } from './stored-policy.ts';

/**
 * One mutation of a policy: an expression that makes a JSON patch, or a configuration to be applied
 * (policy/mutating/patch, 1.36).
 */
export class Mutation {
  readonly #kind: 'JSONPatch' | 'ApplyConfiguration';
  readonly #expression: Expression;
  readonly #composition: Composition;

  constructor(
    { applyConfiguration, jsonPatch, patchType }: StoredMutation,
    { composition, params }: { readonly composition: Composition; readonly params: boolean },
  ) {
    this.#kind = patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    const [source = '', results] =
      this.#kind === 'JSONPatch'
        ? [jsonPatch?.expression, resultTypes.jsonPatch]
        : [applyConfiguration?.expression, resultTypes.object];
    this.#expression = compileAdmissionExpression(source, {
      params,
      authorizer: true,
      results,
      composition,
      patches: true,
    });
    this.#composition = composition;
  }

  /** The changed object. @throws FormatError, BudgetError, CelError with the reason of a failure */
  apply(input: ActivationInput, schema: Schema | null): JSONValue {
    const { problem } = this.#expression;
    if (problem !== undefined) throw new FormatError(problem.text);
    const outcome = new Activation(input, { budget: costBudget, composition: this.#composition }).evaluate(
      this.#expression,
    );
    if (outcome.kind === 'error') throw new FormatError(outcome.text);
    if (isTooLargeToKeep(outcome.value)) throw new FormatError('the result is larger than any object may be');
    const object = input.objects.object as JSONValue;
    return this.#kind === 'JSONPatch'
      ? patched(object, outcome.value as CelList)
      : configured(object, outcome.value, { input, schema });
  }
}

function patched(object: JSONValue, list: CelList): JSONValue {
  const operations: JSONValue[] = [];
  for (let i = 0; i < list.size; i++) {
    const item = list.at(i);
    if (!(item instanceof JSONPatchValue))
      throw new FormatError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
    const misplaced = misplacedObjects(item.fields.get('value'));
    if (misplaced.length > 0) throw new FormatError(`type mismatch: ${misplaced.join('\n')}`);
    operations.push(operationOf(item));
  }
  try {
    return applyJSONPatch(object, decodeJSONPatch(operations, { typed: false }));
  } catch (error) {
    const reason =
      isStatusError(error) && isFormatError(error.cause)
        ? error.cause.message
        : error instanceof Error
          ? error.message
          : String(error);
    // A test that fails leaves the object as it is.
    if (reason.endsWith('test failed')) return object;
    throw new FormatError(`JSON Patch: ${reason}`, { cause: error });
  }
}

function operationOf(item: JSONPatchValue): JSONValue {
  try {
    return item.operation() as JSONValue;
  } catch (error) {
    throw isCelError(error)
      ? new FormatError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`)
      : error;
  }
}

/**
 * Kinds of subresources of other groups: the types of configurations are those of their own version's document
 * (`/openapi/v3/apis/policy/v1`), which does not have them (policy/mutating/patch/typeconverter.go, 1.36).
 */
const describedElsewhere: ReadonlySet<string> = new Set([
  'authentication.k8s.io/v1 TokenRequest',
  'autoscaling/v1 Scale',
  'policy/v1 Eviction',
]);

function configured(
  object: JSONValue,
  value: unknown,
  { input, schema }: { readonly input: ActivationInput; readonly schema: Schema | null },
): JSONValue {
  const misplaced = misplacedObjects(value);
  if (misplaced.length > 0) throw new FormatError(`type mismatch: ${misplaced.join('\n')}`);
  const { kind } = input.objects.form;
  if (describedElsewhere.has(`${formatGroupVersion(kind)} ${kind.kind}`))
    throw new FormatError(
      'error applying patch: failed to convert patch object to typed object: no corresponding type for ' +
        `${formatGroupVersion(kind)}, Kind=${kind.kind}`,
    );
  const configuration = {
    ...(configurationOf(value) as KubeObject),
    apiVersion: formatGroupVersion(kind),
    kind: kind.kind,
  };
  try {
    return mergeConfiguration(schema, object as KubeObject, configuration) as JSONValue;
  } catch (error) {
    throw isFormatError(error) ? new FormatError(`error applying patch: ${error.message}`, { cause: error }) : error;
  }
}
