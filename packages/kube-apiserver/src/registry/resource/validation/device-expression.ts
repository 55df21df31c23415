import {
  boolType,
  compileExpression,
  deviceEnvironment,
  isCompileFailure,
  isSameType,
  runtimeTypeText,
} from '@kubechain/cel';
import type { Range } from '@kubechain/cel';
import {
  maxAttributeText,
  maxAttributesAndCapacities,
  maxDomain,
  maxDriverName,
  maxExpressionCost,
  maxIdentifier,
} from './limits.ts';

/** How large something below `device` can be, and what is below it. */
interface Sized {
  readonly size: number;
  readonly key?: Sized;
  readonly value?: Sized;
  readonly fields?: ReadonlyMap<string, Sized>;
  /** What any field of it is like. */ readonly anyField?: Sized;
}

const attribute: Sized = { size: maxAttributeText };
const inDomains = (inner: Sized): Sized => ({
  size: maxAttributesAndCapacities,
  key: { size: maxDomain },
  value: inner,
});
const device: Sized = {
  size: 0,
  fields: new Map<string, Sized>([
    ['driver', { size: maxDriverName }],
    ['allowMultipleAllocations', { size: 1 }],
    [
      'attributes',
      inDomains({
        size: maxAttributesAndCapacities,
        key: { size: maxIdentifier },
        value: attribute,
        anyField: attribute,
      }),
    ],
    ['capacity', inDomains({ size: maxAttributesAndCapacities, key: { size: maxIdentifier }, value: { size: 0 } })],
  ]),
};

function sizeOf([root, ...steps]: readonly string[]): Range | undefined {
  let node: Sized | undefined = root === 'device' ? device : undefined;
  for (const step of steps) {
    if (node === undefined) return undefined;
    node =
      step === '@keys'
        ? node.key
        : step === '@items' || step === '@values'
          ? node.value
          : (node.fields?.get(step) ?? node.anyField);
  }
  return node === undefined ? undefined : { min: 0, max: node.size };
}

/** What is wrong with an expression that selects devices. */
export type ExpressionProblem = { readonly kind: 'invalid'; readonly text: string } | { readonly kind: 'costly' };

/** Compiled before: the same few expressions come again with each update. Full: the map starts anew. */
const checked = new Map<string, ExpressionProblem | undefined>();
const maxChecked = 200;

/**
 * Checks an expression over `device` (k8s.io/dynamic-resource-allocation/cel, 1.36); undefined when nothing is wrong.
 */
export function checkDeviceExpression(source: string): ExpressionProblem | undefined {
  if (checked.has(source)) return checked.get(source);
  if (checked.size >= maxChecked) checked.clear();
  const problem = problemOf(source);
  checked.set(source, problem);
  return problem;
}

function problemOf(source: string): ExpressionProblem | undefined {
  const program = compileExpression(source, deviceEnvironment);
  if (isCompileFailure(program))
    return {
      kind: 'invalid',
      text: `${program.stage === 'plan' ? 'program instantiation failed' : 'compilation failed'}: ${program.text}`,
    };
  if (!isSameType(program.type, boolType) && program.type.name !== 'any')
    return { kind: 'invalid', text: `must evaluate to bool or the unknown type, not ${runtimeTypeText(program.type)}` };
  return program.estimateCost(sizeOf).max > maxExpressionCost ? { kind: 'costly' } : undefined;
}
