import {
  baseFunctions,
  boolType,
  compileExpression,
  formerFunctions,
  isCompileFailure,
  optionalOf,
  stringType,
} from '@kubechain/cel';
import type { CelType, Environment, Program, SizeHints } from '@kubechain/cel';
import type { FieldPath } from '@kubechain/apimachinery';
import type { Steps } from '@kubechain/apiserver/resources';
import { resolveFieldPath } from '../schema/field-path.ts';
import type { JSONSchemaProps, ValidationRule } from '../schema/json-schema-props.ts';
import type { CelMetrics } from './cel-metrics.ts';
import { maxRequestSize, shapeOf } from './schema-type.ts';
import type { ValueShape } from './schema-type.ts';

/** What is kept of a program: what it was checked with takes as much again. */
type Runnable = Pick<Program, 'run'>;

/**
 * A rule, compiled; what is wrong with it is in `error` and `messageError`. Costs are the highest that one run can
 * have.
 */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent for an empty rule and one with an error. */
  readonly program: Runnable | undefined;
  readonly error: string | undefined;
  readonly maxCost: number;
  readonly message: Runnable | undefined;
  readonly messageError: string | undefined;
  readonly messageMaxCost: number;
  readonly usesOldSelf: boolean;
  /** Where failures are reported, below the value. */
  readonly fieldPath: FieldPath | undefined;
}

/** The rules of one schema node. */
export interface NodeRules {
  readonly shape: ValueShape;
  readonly rules: readonly CompiledRule[];
  /** How often values of this shape can occur in a request. */
  readonly maxCardinality: number;
}

/** With what functions rules are compiled: all that there are, or those of before 1.34. */
type Functions = 'all' | 'former';

const environments: Readonly<Record<Functions, Omit<Environment, 'variables'>>> = {
  all: { functions: baseFunctions },
  former: { functions: formerFunctions, withoutLists: true },
};

/** A node's rules, of which those are compiled that have been so far. */
interface Compiling {
  readonly node: NodeRules & { readonly rules: CompiledRule[] };
  /** How long that took. */
  seconds: number;
}

const compiled = new WeakMap<JSONSchemaProps, Map<string, Compiling | undefined>>();

export interface RulesOptions {
  /** Where it is counted how long compiling takes; default nowhere. */
  readonly metrics?: Pick<CelMetrics, 'compilations'> | undefined;
  /** Default: all. */
  readonly functions?: Functions;
}

/**
 * The node's own rules, compiled once per schema object; undefined where its values have no type that rules know
 * (apiserver/schema/cel/compilation.go, 1.36).
 */
export function rulesOf(
  props: JSONSchemaProps,
  isResource: boolean,
  options: RulesOptions = {},
): NodeRules | undefined {
  for (const steps = rulesInSteps(props, isResource, options); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * The same, a rule in a step: a node may have thousands. Whoever needs them at the same time compiles them together.
 */
export function* rulesInSteps(
  props: JSONSchemaProps,
  isResource: boolean,
  { functions = 'all', metrics }: RulesOptions = {},
): Steps<NodeRules | undefined> {
  const key = `${functions} ${isResource}`;
  let known = compiled.get(props);
  if (known === undefined) compiled.set(props, (known = new Map()));
  if (!known.has(key)) known.set(key, beginCompiling(props, shapeOf(props, isResource)));
  const compiling = known.get(key);
  if (compiling === undefined) return undefined;
  const { node } = compiling;
  const all = props['x-kubernetes-validations'] ?? [];
  for (let next = all[node.rules.length]; next !== undefined; next = all[node.rules.length]) {
    const startedAt = performance.now();
    node.rules.push(compileRule(next, props, { environment: environments[functions], shape: node.shape }));
    compiling.seconds += (performance.now() - startedAt) / 1_000;
    if (node.rules.length === all.length) metrics?.compilations.observe(compiling.seconds);
    yield;
  }
  return node;
}

function beginCompiling(props: JSONSchemaProps, shape: ValueShape | undefined): Compiling | undefined {
  if (shape === undefined) return undefined;
  const maxCardinality = Math.trunc(maxRequestSize / (shape.minSize + 1));
  return { node: { shape, rules: [], maxCardinality }, seconds: 0 };
}

interface CompiledExpression {
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly maxCost: number;
}
const nothing: CompiledExpression = { program: undefined, error: undefined, maxCost: 0 };

function compileRule(
  rule: ValidationRule,
  props: JSONSchemaProps,
  { environment, shape }: { readonly environment: Omit<Environment, 'variables'>; readonly shape: ValueShape },
): CompiledRule {
  const variables = new Map<string, CelType>([
    ['self', shape.type],
    ['oldSelf', rule.optionalOldSelf === true ? optionalOf(shape.type) : shape.type],
  ]);
  const compile = (
    text: string,
    wanted: CelType,
    words: { readonly prefix: string; readonly plan: string; readonly type: string },
  ): CompiledExpression => {
    const program = compileExpression(text, { ...environment, variables });
    if (program.type !== undefined && program.type !== wanted) return { ...nothing, error: words.type };
    if (isCompileFailure(program))
      return {
        ...nothing,
        error: `${program.stage === 'plan' ? words.plan : `${words.prefix}compilation`} failed: ${program.text}`,
      };
    return { program, error: undefined, maxCost: program.estimateCost(sizeHints(shape)).max };
  };
  const { rule: text, messageExpression = '', fieldPath = '' } = rule;
  const compiledRule =
    text.trim() === ''
      ? nothing
      : compile(text, boolType, {
          prefix: '',
          plan: 'program instantiation',
          type: 'cel expression must evaluate to a bool',
        });
  const message =
    compiledRule.program === undefined || messageExpression === ''
      ? nothing
      : compile(messageExpression, stringType, {
          prefix: 'messageExpression ',
          plan: 'messageExpression instantiation',
          type: 'messageExpression must evaluate to a string',
        });
  const resolved =
    compiledRule.program === undefined || fieldPath === ''
      ? undefined
      : resolveFieldPath(fieldPath, props, { brackets: true });
  return {
    rule,
    program: runnable(compiledRule.program),
    error: compiledRule.error,
    maxCost: compiledRule.maxCost,
    message: runnable(message.program),
    messageError: message.error,
    messageMaxCost: message.maxCost,
    usesOldSelf: compiledRule.program?.reads.has('oldSelf') === true,
    fieldPath: resolved === undefined || typeof resolved === 'string' ? undefined : resolved.path,
  };
}

function runnable(program: Program | undefined): Runnable | undefined {
  return program === undefined ? undefined : { run: program.run };
}

/** How large values can be, by what the schema says; the first step of a path is the variable, self or not. */
function sizeHints(root: ValueShape): SizeHints {
  return (path) => {
    let shape: ValueShape | undefined = root;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') shape = shape.element;
      else if (step === '@keys')
        return shape.fields === undefined && shape.element !== undefined && shape.type.kind === 'map'
          ? { min: 0, max: 0 }
          : undefined;
      else shape = shape.fields?.get(step)?.shape;
      if (shape === undefined) return undefined;
    }
    return { min: 0, max: shape.maxElements };
  };
}
