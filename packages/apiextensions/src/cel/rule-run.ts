import { duplicate, forbiddenValue, invalidOmitted, invalidValue, required, isPlainObject } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, itemsOf } from '../schema/json-schema-props.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from '../values/correlation.ts';
import { CostError, Frame } from './program.ts';
import { fromJSON } from './json-values.ts';
import { rulesOf } from './rules.ts';
import type { CompiledRule, NodeRules } from './rules.ts';
import { schemaHasRules } from './schema-has-rules.ts';
import { CelError, CelOptional } from './values.ts';

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
}

/** Costs of one expression, and of all that are run for one object (apiserver/apis/cel, 1.36). */
const perCallLimit = 1_000_000, totalLimit = 10_000_000;
const maxMessageBytes = 5120;

/** One pass of CEL rules over an object (apiserver/schema/cel validation.go, 1.36). */
export class RuleRun {
  #budget = totalLimit;
  #stopped = false;
  readonly #errors: FieldError[] = [];

  /** What rules say against a value and what is below it. */
  check(schema: JSONSchemaProps, target: RuleTarget): readonly FieldError[] {
    this.#visit(schema, target);
    return this.#errors;
  }

  #visit(schema: JSONSchemaProps, target: RuleTarget): void {
    const { value, path } = target;
    if (this.#stopped || value === null || value === undefined || !schemaHasRules(schema)) return;
    this.#runNode(schema, target);
    if (Array.isArray(value)) {
      const items = itemsOf(schema);
      if (items === undefined || !schemaHasRules(items)) return;
      const list = target.old === undefined ? undefined : new Correlation(value, target.old, ValueSchema.of(schema));
      for (let i = 0; i < value.length && !this.#stopped; i++) {
        this.#visit(items, { path: path.index(i), value: value[i], old: list?.index(i)?.old, ...this.#below(target, () => target.correlation?.index(i)), isResource: items['x-kubernetes-embedded-resource'] === true });
      }
    } else if (isPlainObject(value)) {
      const old = isPlainObject(target.old) ? target.old : undefined;
      const additional = additionalOf(schema);
      for (const key of Object.keys(value)) {
        if (this.#stopped) return;
        const property = schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
        const below = property ?? additional;
        if (below === undefined) continue;
        this.#visit(below, {
          path: property === undefined ? path.key(key) : path.child(key), value: value[key], old: old !== undefined && Object.hasOwn(old, key) ? old[key] : undefined,
          ...this.#below(target, () => target.correlation?.key(key)), isResource: below['x-kubernetes-embedded-resource'] === true,
        });
      }
    }
  }

  #below(target: RuleTarget, step: () => Correlation | undefined): { readonly correlation: Correlation | undefined; readonly isCorrelated: boolean } {
    const next = target.isCorrelated === false ? undefined : step();
    return { correlation: next ?? target.correlation, isCorrelated: next !== undefined };
  }

  #runNode(schema: JSONSchemaProps, target: RuleTarget): void {
    if ((schema['x-kubernetes-validations']?.length ?? 0) === 0) return;
    const type = target.isResource ? 'object' : schema.type ?? '';
    const node = rulesOf(schema, target.isResource);
    if (node === undefined) return;
    if (this.#budget <= 0) {
      this.#outOfBudget(target.path, type);
      return;
    }
    for (const compiled of node.rules) {
      if (this.#stopped) return;
      this.#runRule(compiled, { node, target, type });
    }
  }

  #outOfBudget(path: FieldPath, type: string): void {
    this.#errors.push(invalidValue(path, type, 'validation failed due to running out of cost budget, no further validation rules will be run'));
    this.#stopped = true;
  }

  #runRule(compiled: CompiledRule, { node, target, type }: { readonly node: NodeRules; readonly target: RuleTarget; readonly type: string }): void {
    const { rule, program, error } = compiled;
    const { path } = target;
    if (error !== undefined || program === undefined) {
      this.#errors.push(invalidValue(path, type, `rule compile error: ${error ?? ''}`));
      return;
    }
    const hasOld = target.old !== undefined && target.old !== null;
    const optional = rule.optionalOldSelf === true;
    if (compiled.usesOldSelf && !hasOld && !optional) return;
    const name = ruleName(rule);
    const frame = new Frame(Array.from({ length: program.slots }), perCallLimit);
    let result: unknown;
    let failure: string | undefined;
    try {
      frame.slots[0] = fromJSON(target.value, node.shape);
      if (compiled.usesOldSelf) {
        const old = hasOld ? fromJSON(target.old, node.shape) : undefined;
        frame.slots[1] = optional ? old === undefined ? CelOptional.none : new CelOptional(old) : old;
      }
      result = program.run(frame);
    } catch (thrown) {
      if (!(thrown instanceof CelError) && !(thrown instanceof CostError)) throw thrown;
      failure = thrown.message;
      if (thrown instanceof CostError && frame.cost <= this.#budget) {
        this.#errors.push(invalidValue(path, type, `'${failure}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`));
        this.#stopped = true;
        return;
      }
    }
    if (frame.cost > this.#budget) {
      this.#outOfBudget(path, type);
      return;
    }
    this.#budget -= frame.cost;
    if (failure !== undefined) {
      const text = failure.startsWith('no such overload') ? `'${failure}': call arguments did not match a supported operator, function or macro signature for rule: ${name}` : `${failure} evaluating rule: ${name}`;
      this.#errors.push(invalidValue(path, type, text));
      return;
    }
    if (result === true) return;
    if (!compiled.usesOldSelf && target.correlation?.unchanged === true) return;
    const at = compiled.fieldPath === undefined ? path : path.child(String(compiled.fieldPath));
    const detail = this.#message(compiled, frame) ?? ruleMessage(rule);
    this.#errors.push(reasonError(rule.reason, { at, detail, value: type === 'object' || type === 'array' ? undefined : target.value }));
  }

  /** The message expression's text, unless it fails or is no message. */
  #message({ message }: CompiledRule, from: Frame): string | undefined {
    if (message === undefined) return undefined;
    const frame = new Frame([from.slots[0], from.slots[1], ...Array.from({ length: message.slots })], perCallLimit);
    try {
      const text = message.run(frame);
      this.#budget -= frame.cost;
      if (typeof text !== 'string') return undefined;
      const trimmed = text.trim();
      return trimmed === '' || trimmed.includes('\n') || Buffer.byteLength(trimmed) > maxMessageBytes ? undefined : trimmed;
    } catch (error) {
      if (error instanceof CelError || error instanceof CostError) return undefined;
      throw error;
    }
  }
}

function ruleName({ rule, message = '' }: CompiledRule['rule']): string { return (message === '' ? rule : message).trim(); }
function ruleMessage(rule: CompiledRule['rule']): string { return (rule.message ?? '') === '' ? `failed rule: ${ruleName(rule)}` : ruleName(rule); }

function reasonError(reason: string | undefined, { at, detail, value }: { readonly at: FieldPath; readonly detail: string; readonly value: unknown }): FieldError {
  switch (reason) {
    case 'FieldValueForbidden': return forbiddenValue(at, detail);
    case 'FieldValueRequired': return required(at, detail);
    case 'FieldValueDuplicate': return duplicate(at, value);
    default: return value === undefined ? invalidOmitted(at, detail) : invalidValue(at, value, detail);
  }
}
