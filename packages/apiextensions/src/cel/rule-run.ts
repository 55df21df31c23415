import {
  builtinRelease,
  duplicate,
  duplicateOmitted,
  forbiddenValue,
  goQuote,
  invalidOmitted,
  invalidValue,
  isPlainObject,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath, ReleaseAge } from '@kubechain/apimachinery';
import { CelOptional, escapeName, isCelError, perCallLimit } from '@kubechain/cel';
import type { Evaluation } from '@kubechain/cel';
import type { Steps } from '@kubechain/apiserver/resources';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, itemsOf, propertyOf } from '../schema/json-schema-props.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from '../values/correlation.ts';
import type { CelMetrics } from './cel-metrics.ts';
import { fromJSON } from './json-values.ts';
import { rulesInSteps } from './rules.ts';
import type { CompiledRule, NodeRules } from './rules.ts';
import { schemaHasRules } from './schema-has-rules.ts';
import { shapeOf } from './schema-type.ts';

/** A value on its way through its schema. */
export interface RuleTarget {
  readonly path: FieldPath;
  readonly value: unknown;
  /** The value before an update, if there was one and it can be told. */
  readonly old: unknown;
  /** Of this value, or of the nearest value above it that can be compared; undefined on create. */
  readonly correlation: Correlation | undefined;
  readonly isCorrelated?: boolean;
  readonly isResource: boolean;
  /** Whether rules have a type for the value from the schema above it. Default: yes. */
  readonly typed?: boolean;
}

/** How rules are run. */
export interface RuleRunOptions {
  /** Told what was broken before and has not changed. Default: nobody is. */
  readonly warn?: (text: string) => void;
  /** Whose words failures have. Default: the checked-in tables' release. */
  readonly release?: ReleaseAge;
  /** Where it is counted how long rules take; default nowhere. */
  readonly metrics?: CelMetrics | undefined;
}

/** What all that are run for one object may cost (apiserver/apis/cel, 1.36). */
const totalLimit = 10_000_000;
/** What rules of one step may cost: some milliseconds, and one rule more, which may take a tenth of a second. */
const stepCost = 50_000;
const maxMessageBytes = 5120;

/**
 * One pass of CEL rules over an object (apiserver/schema/cel/validation.go, 1.36). A rule that a value broke before and
 * that has not changed since only warns.
 */
export class RuleRun {
  readonly #warn: (text: string) => void;
  readonly #release: ReleaseAge;
  readonly #metrics: CelMetrics | undefined;
  #budget = totalLimit;
  /** What was left of it when the last step ended. */
  #restAt = totalLimit;
  #stopped = false;
  /** Ms between steps, in which others were served. */
  #restedMs = 0;
  readonly #errors: FieldError[] = [];

  constructor({ metrics, release = builtinRelease, warn = () => undefined }: RuleRunOptions = {}) {
    this.#warn = warn;
    this.#release = release;
    this.#metrics = metrics;
  }

  /** What rules say against a value and what is below it; a step ends with the rule by which it has cost enough. */
  *check(schema: JSONSchemaProps, target: RuleTarget): Steps<readonly FieldError[]> {
    for (const steps = this.#visit(schema, target); steps.next().done !== true;) {
      const restsAt = performance.now();
      yield;
      this.#restedMs += performance.now() - restsAt;
    }
    return this.#errors;
  }

  /** Ms of a clock that stands still between steps. */
  #worked(): number {
    return performance.now() - this.#restedMs;
  }

  *#visit(schema: JSONSchemaProps, target: RuleTarget): Steps<void> {
    const { value } = target;
    if (this.#stopped || value === null || value === undefined || !schemaHasRules(schema)) return;
    const startedAt = this.#metrics === undefined ? 0 : this.#worked();
    yield* this.#runNode(schema, target);
    if (Array.isArray(value)) yield* this.#visitItems(schema, target, value);
    else if (isPlainObject(value)) yield* this.#visitEntries(schema, target, value);
    this.#metrics?.evaluations.observe((this.#worked() - startedAt) / 1_000);
  }

  *#visitItems(schema: JSONSchemaProps, target: RuleTarget, value: readonly unknown[]): Steps<void> {
    const items = itemsOf(schema);
    if (items === undefined || !schemaHasRules(items)) return;
    const list = target.old === undefined ? undefined : new Correlation(value, target.old, ValueSchema.of(schema));
    for (let i = 0; i < value.length && !this.#stopped; i++) {
      yield* this.#visit(items, {
        path: target.path.index(i),
        value: value[i],
        old: list?.index(i)?.old,
        ...below(target, () => target.correlation?.index(i)),
        isResource: items['x-kubernetes-embedded-resource'] === true,
        typed: hasElements(schema, target),
      });
    }
  }

  *#visitEntries(schema: JSONSchemaProps, target: RuleTarget, value: Record<string, unknown>): Steps<void> {
    const old = isPlainObject(target.old) ? target.old : undefined;
    const additional = additionalOf(schema);
    for (const key of Object.keys(value)) {
      if (this.#stopped) return;
      const property = propertyOf(schema, key);
      const schemaBelow = property ?? additional;
      if (schemaBelow === undefined || !schemaHasRules(schemaBelow)) continue;
      if (property !== undefined && !isSeen(key, property, { schema, target })) continue;
      yield* this.#visit(schemaBelow, {
        path: property === undefined ? target.path.key(key) : target.path.child(key),
        value: value[key],
        old: old !== undefined && Object.hasOwn(old, key) ? old[key] : undefined,
        ...below(target, () => target.correlation?.key(key)),
        isResource: schemaBelow['x-kubernetes-embedded-resource'] === true,
        typed: property !== undefined || hasElements(schema, target),
      });
    }
  }

  *#runNode(schema: JSONSchemaProps, target: RuleTarget): Steps<void> {
    if ((schema['x-kubernetes-validations']?.length ?? 0) === 0) return;
    const { type = '' } = schema;
    const options = { metrics: this.#metrics };
    const node = target.typed === false ? undefined : yield* rulesInSteps(schema, target.isResource, options);
    if (node === undefined) {
      this.#errors.push(
        invalidValue(
          target.path,
          type,
          'rule compiler initialization error: failed to convert to declType for CEL validation rules',
        ),
      );
      return;
    }
    if (this.#budget <= 0) {
      this.#outOfBudget(target.path, type);
      return;
    }
    const values = new RuleValues(node, target);
    for (const compiled of node.rules) {
      if (this.#stopped) return;
      this.#runRule(compiled, { values, target, type });
      if (this.#restAt - this.#budget < stepCost) continue;
      this.#restAt = this.#budget;
      yield;
    }
  }

  #outOfBudget(path: FieldPath, type: string): void {
    this.#stop(
      invalidValue(
        path,
        type,
        'validation failed due to running out of cost budget, no further validation rules will be run',
      ),
    );
  }

  #stop(error: FieldError): void {
    this.#errors.push(error);
    this.#stopped = true;
  }

  #runRule(
    compiled: CompiledRule,
    { values, target, type }: { readonly values: RuleValues; readonly target: RuleTarget; readonly type: string },
  ): void {
    const { rule, program, error } = compiled;
    const { path } = target;
    if (error !== undefined) this.#errors.push(invalidValue(path, type, `rule compile error: ${error}`));
    if (program === undefined || (compiled.usesOldSelf && !values.hasOld && rule.optionalOldSelf !== true)) return;
    const variables = values.of(compiled);
    const run = program.run(variables, perCallLimit);
    if (run.cost > this.#budget) {
      this.#outOfBudget(path, type);
      return;
    }
    this.#budget -= run.cost;
    if (isCelError(run.result)) {
      const failure = invalidValue(path, type, failureText(run, run.result.message, ruleName(rule)));
      if (run.exceeded) this.#stop(failure);
      else this.#errors.push(failure);
    } else if (run.result !== true) this.#report(compiled, { variables, target, type });
  }

  /** What is told of a value: its type up to 1.34, itself since, but for objects and lists. */
  #printed(value: unknown, type: string): { readonly value?: unknown } {
    if (!this.#release.since('1.35')) return { value: type };
    return type === 'object' || type === 'array' ? {} : { value };
  }

  #report(
    compiled: CompiledRule,
    {
      variables,
      target,
      type,
    }: { readonly variables: readonly unknown[]; readonly target: RuleTarget; readonly type: string },
  ): void {
    const at = compiled.fieldPath === undefined ? target.path : target.path.child(String(compiled.fieldPath));
    const told = this.#message(compiled, variables);
    const error =
      typeof told === 'object'
        ? invalidValue(at, type, told.text)
        : reasonError(compiled.rule.reason, {
            at,
            detail: told ?? ruleMessage(compiled.rule),
            ...this.#printed(target.value, type),
          });
    if (!compiled.usesOldSelf && target.correlation?.unchanged === true) this.#warn(String(error));
    else this.#errors.push(error);
    if (typeof told === 'object') this.#stopped = true;
  }

  /** The message expression's text; undefined if it fails or is no message; an object if it costs too much. */
  #message(
    { message, rule }: CompiledRule,
    variables: readonly unknown[],
  ): string | undefined | { readonly text: string } {
    if (message === undefined) return undefined;
    const { result, cost, exceeded } = message.run(variables, perCallLimit);
    if (cost > this.#budget)
      return {
        text:
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules ' +
          'will be run',
      };
    if (exceeded)
      return {
        text:
          'no further validation rules will be run due to call cost exceeds limit for messageExpression: ' +
          `${goQuote(rule.messageExpression ?? '')}`,
      };
    this.#budget -= cost;
    if (typeof result !== 'string') return undefined;
    const trimmed = result.trim();
    return trimmed === '' || trimmed.includes('\n') || Buffer.byteLength(trimmed) > maxMessageBytes
      ? undefined
      : trimmed;
  }
}

/** self and oldSelf, converted once for all rules of a value. */
class RuleValues {
  readonly hasOld: boolean;
  readonly #self: unknown;
  readonly #target: RuleTarget;
  readonly #node: NodeRules;
  #old: unknown;

  constructor(node: NodeRules, target: RuleTarget) {
    this.#node = node;
    this.#target = target;
    this.#self = fromJSON(target.value, node.shape);
    this.hasOld = target.old !== undefined && target.old !== null;
  }

  of({ rule, usesOldSelf }: CompiledRule): readonly unknown[] {
    if (!usesOldSelf) return [this.#self, undefined];
    if (this.hasOld) this.#old ??= fromJSON(this.#target.old, this.#node.shape);
    if (rule.optionalOldSelf !== true) return [this.#self, this.#old];
    return [this.#self, this.#old === undefined ? CelOptional.none : new CelOptional(this.#old)];
  }
}

/** What of a value below is compared; where it cannot be found, the value above tells whether anything changed. */
function below(
  target: RuleTarget,
  step: () => Correlation | undefined,
): { readonly correlation: Correlation | undefined; readonly isCorrelated: boolean } {
  const next = target.isCorrelated === false ? undefined : step();
  return { correlation: next ?? target.correlation, isCorrelated: next !== undefined };
}

/**
 * Whether what rules see of a schema has elements: a definition that was stored before may say `items` of an object,
 * and the object may still be a list.
 */
function hasElements(schema: JSONSchemaProps, { typed }: RuleTarget): boolean {
  if (typed === false) return false;
  return schema.type === 'array' || (schema.type === 'object' && additionalOf(schema) !== undefined);
}

/** Whether rules of a property are run: not where nothing tells its type. */
function isSeen(
  name: string,
  property: JSONSchemaProps,
  { schema, target }: { readonly schema: JSONSchemaProps; readonly target: RuleTarget },
): boolean {
  if (escapeName(name) !== undefined && (target.typed === false || schema.type !== 'object')) return false;
  return shapeOf(property, property['x-kubernetes-embedded-resource'] === true) !== undefined;
}

function failureText({ exceeded }: Evaluation, failure: string, name: string): string {
  if (failure.startsWith('no such overload'))
    return (
      `'${failure}': call arguments did not match a supported operator, function or macro signature for rule: ` +
      `${name}`
    );
  return exceeded
    ? `'${failure}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`
    : `${failure} evaluating rule: ${name}`;
}

function ruleName({ rule, message = '' }: CompiledRule['rule']): string {
  return (message === '' ? rule : message).trim();
}
function ruleMessage(rule: CompiledRule['rule']): string {
  return (rule.message ?? '') === '' ? `failed rule: ${ruleName(rule)}` : ruleName(rule);
}

/** Objects and lists are not printed. */
function reasonError(
  reason: string | undefined,
  { at, detail, value }: { readonly at: FieldPath; readonly detail: string; readonly value?: unknown },
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(at, detail);
    case 'FieldValueRequired':
      return required(at, detail);
    case 'FieldValueDuplicate':
      return value === undefined ? duplicateOmitted(at) : duplicate(at, value);
    default:
      return value === undefined ? invalidOmitted(at, detail) : invalidValue(at, value, detail);
  }
}
