import type { FieldPath } from '@kubechain/apimachinery';
import { resolveFieldPath } from '../schema/field-path.ts';
import type { JSONSchemaProps, ValidationRule } from '../schema/json-schema-props.ts';
import { compileExpression } from './compile.ts';
import type { Program } from './program.ts';
import { ruleFunctions } from './libraries.ts';
import { shapeOf } from './schema-type.ts';
import type { ValueShape } from './schema-type.ts';
import { optionalOf } from './types.ts';
import type { CelType } from './types.ts';

/** A rule, compiled; what is wrong with it is in `error` and `messageError`. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly message: Program | undefined;
  readonly messageError: string | undefined;
  readonly usesOldSelf: boolean;
  /** Where failures are reported, below the value. */
  readonly fieldPath: FieldPath | undefined;
}

/** The rules of one schema node. */
export interface NodeRules {
  readonly shape: ValueShape;
  readonly rules: readonly CompiledRule[];
}

const compiled = new WeakMap<JSONSchemaProps, Map<boolean, NodeRules | undefined>>();

/** The node's own rules, compiled once per schema object; undefined where its values have no type that rules know. */
export function rulesOf(props: JSONSchemaProps, isResource: boolean): NodeRules | undefined {
  let known = compiled.get(props);
  if (known === undefined) compiled.set(props, known = new Map());
  if (!known.has(isResource)) {
    const shape = shapeOf(props, isResource);
    known.set(isResource, shape === undefined ? undefined : { shape, rules: (props['x-kubernetes-validations'] ?? []).map((rule) => compileRule(rule, { props, shape })) });
  }
  return known.get(isResource);
}

function compileRule(rule: ValidationRule, { props, shape }: { readonly props: JSONSchemaProps; readonly shape: ValueShape }): CompiledRule {
  const variables = new Map<string, CelType>([['self', shape.type], ['oldSelf', rule.optionalOldSelf === true ? optionalOf(shape.type) : shape.type]]);
  const program = compileExpression(rule.rule, variables, ruleFunctions);
  let error = typeof program === 'string' ? `compilation failed: ${program}` : undefined;
  if (typeof program !== 'string' && program.type.name !== 'bool') error = 'cel expression must evaluate to a bool';
  const usable = error === undefined && typeof program !== 'string' ? program : undefined;
  const text = rule.messageExpression ?? '';
  const message = text === '' || usable === undefined ? undefined : compileExpression(text, variables, ruleFunctions);
  let messageError = typeof message === 'string' ? `messageExpression compilation failed: ${message}` : undefined;
  if (message !== undefined && typeof message !== 'string' && message.type.name !== 'string') messageError = 'messageExpression must evaluate to a string';
  const resolved = (rule.fieldPath ?? '') === '' ? undefined : resolveFieldPath(rule.fieldPath ?? '', props, { brackets: true });
  return {
    rule, program: usable, error, message: messageError === undefined && typeof message !== 'string' ? message : undefined, messageError,
    usesOldSelf: usable?.reads.has('oldSelf') === true,
    fieldPath: resolved === undefined || typeof resolved === 'string' ? undefined : resolved.path,
  };
}
